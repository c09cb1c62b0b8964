package dev.tailwater.cli.rehearse;

import java.io.IOException;

/** One way to end. */
interface Scene {
  /** A word for tables, also the name of its directory and folder: letters only. */
  String name();

  /** Plays it; the run is warm. */
  SceneResult run(SceneRun run) throws IOException, InterruptedException;
}
