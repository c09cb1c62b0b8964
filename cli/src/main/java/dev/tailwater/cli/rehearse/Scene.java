package dev.tailwater.cli.rehearse;

import java.io.IOException;

/** One way in which an agent ends. */
interface Scene {
  /** The name in tables and of its directory and folder: letters only. */
  String name();

  /** Runs the scene; the warm-up is over. */
  SceneResult run(SceneRun run) throws IOException, InterruptedException;
}
