package dev.tailwater.cli;

import dev.tailwater.cli.host.Signals;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;

/**
 * Ends the process with {@link ExitCode#FAILED} when the JVM has run out of memory. After that
 * nobody knows what was half done, so no code of the program is trusted with going on; and the
 * JVM's own option for it would end the process with a code that means something else here.
 */
final class OutOfMemory {
  /** Sent by the JVM itself; lib/jvm-options.sh says how. */
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
