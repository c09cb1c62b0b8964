package dev.tailwater.cli.ship;

import java.time.Duration;

/**
 * The division of the time from a signal to its deadline: first the drain, then closing, and a rest
 * in which the process is ended by force.
 *
 * @param closing how long before the deadline the drain must be over
 * @param halting how long before the deadline the process is ended, whatever it does
 */
record ShutdownBudget(Duration closing, Duration halting) {
  /** What hooks, the record of what is left, the report and closing get after the drain. */
  private static final Duration LONGEST_CLOSING = Duration.ofMillis(800);

  /** This part of a short time. */
  private static final double CLOSING_PART = 0.08;

  /**
   * A JVM that ends waits 300 ms for threads in native calls, and an agent has some that wait for
   * changes of files or for answers. The message before that, and the end of the process after it,
   * take a tenth of a second on a busy machine.
   */
  private static final Duration HALTING = Duration.ofMillis(600);

  /** Of less than 2.4 s, most is for the drain: this part is all that halting gets. */
  private static final int HALTING_ONE_IN = 4;

  static ShutdownBudget of(Duration time) {
    Duration halting = shorter(time.dividedBy(HALTING_ONE_IN), HALTING);
    Duration part = Duration.ofMillis((long) (time.toMillis() * CLOSING_PART));
    return new ShutdownBudget(halting.plus(shorter(part, LONGEST_CLOSING)), halting);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
