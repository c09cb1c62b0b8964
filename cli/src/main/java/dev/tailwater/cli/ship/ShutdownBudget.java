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
  private static final Duration LONGEST_CLOSING = Duration.ofSeconds(1);

  static ShutdownBudget of(Duration time) {
    Duration tenth = time.dividedBy(10);
    Duration closing = tenth.compareTo(LONGEST_CLOSING) < 0 ? tenth : LONGEST_CLOSING;
    return new ShutdownBudget(closing, closing.dividedBy(5));
  }
}
