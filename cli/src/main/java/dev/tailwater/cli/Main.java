package dev.tailwater.cli;

import dev.tailwater.cli.host.HeapThrift;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.ship.StopSignals;
import dev.tailwater.cli.value.Printable;
import java.util.Collections;
import java.util.List;

/** The entry point of the program. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    int exitCode = ExitCode.FAILED.number();
    try {
      Surroundings surroundings = Surroundings.ofProcess();
      // The user gets a message whatever ends a thread.
      Thread.setDefaultUncaughtExceptionHandler(
          (thread, failure) -> surroundings.err().println(message(thread, failure)));
      OutOfMemory.listen(surroundings);
      if (args.length > 0 && args[0].equals("ship")) {
        HeapThrift.begin(); // What other commands do is over before it would pay.
      }
      exitCode = program(surroundings, args).run(args);
      surroundings.out().flush();
    } catch (RuntimeException | Error e) {
      // Even reporting a failure has failed, most likely for lack of memory.
      System.err.println("tailwater: " + e);
    } finally {
      // Ends the process even if a thread was left behind.
      System.exit(exitCode);
    }
  }

  private static String message(Thread thread, Throwable failure) {
    return Printable.text(
        "tailwater: problem: the thread "
            + thread.getName()
            + " has ended: "
            + failure
            + "; this should not happen");
  }

  /**
   * Listens for signals before an agent starts: stopped during its start, it ends like any other.
   */
  private static Program program(Surroundings surroundings, String[] args) {
    boolean ships =
        args.length > 0
            && args[0].equals("ship")
            && Collections.disjoint(List.of(args), List.of("--once", "--dry-run"));
    return ships
        ? new Program(surroundings, StopSignals.listen(surroundings))
        : new Program(surroundings);
  }
}
