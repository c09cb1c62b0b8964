package dev.tailwater.cli;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;

/** Where the JVM begins. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    int exitCode = ExitCode.FAILED.number();
    try {
      Surroundings surroundings = Surroundings.ofProcess();
      exitCode = new Program(surroundings).run(args);
      surroundings.out().flush();
    } catch (RuntimeException | Error e) {
      // Even the report of a failure has failed: for want of memory, most likely.
      System.err.println("tailwater: " + e);
    } finally {
      // Ends the process even if a thread was left behind.
      System.exit(exitCode);
    }
  }
}
