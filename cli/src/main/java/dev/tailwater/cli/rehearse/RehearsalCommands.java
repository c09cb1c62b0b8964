package dev.tailwater.cli.rehearse;

import java.util.List;

/** How the agents of a rehearsal are started, and where they deliver to. */
public interface RehearsalCommands {
  /** The arguments of the program for the agent of a scene. */
  List<String> agent(String scene);

  /** The destinations that bytes must reach in a scene. */
  List<String> required(String scene);
}
