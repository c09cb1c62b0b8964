package dev.tailwater.cli;

import dev.tailwater.cli.host.Surroundings;

/** Where the JVM begins. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    Surroundings surroundings = Surroundings.ofProcess();
    int exitCode = new Program(surroundings).run(args);
    surroundings.out().flush();
    // Ends the process even if a library left a thread behind.
    System.exit(exitCode);
  }
}
