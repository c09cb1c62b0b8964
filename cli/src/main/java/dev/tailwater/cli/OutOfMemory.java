package dev.tailwater.cli;

import dev.tailwater.cli.host.Signals;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;

/**
 * Ends the process with {@link ExitCode#FAILED} when the JVM has run out of memory. The program may
 * be in any state then, so it does not go on. The JVM's own option for this would end the process
 * with an exit code that means something else here.
 */
final class OutOfMemory {
  /** Sent by the JVM itself; see lib/jvm-options.sh. */
  private static final String SIGNAL = "USR1";

  private OutOfMemory() {}

  static void listen(Surroundings surroundings) {
    Signals.listen(
        () -> {
          try {
            surroundings
                .err()
                .println(
                    "tailwater: out of memory\n"
                        + "Hint: give the JVM more: TAILWATER_JAVA_OPTS=-Xmx512m");
          } finally {
            Runtime.getRuntime().halt(ExitCode.FAILED.number());
          }
        },
        SIGNAL);
  }
}
