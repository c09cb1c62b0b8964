package dev.tailwater.delivery.drain;

import dev.tailwater.delivery.problem.Problem;
import java.time.Duration;
import java.util.List;

/**
 * How a drain went.
 *
 * @param deliveredBytes bytes of source files that became durable during the drain; of several
 *     required destinations, at the one where they were fewest
 * @param deliveredSegments at all required destinations together
 * @param leftBehind what is still at risk, at whatever required destination; empty when everything
 *     is safe
 * @param problems what could not be done, such as files that could not be read
 * @param otherProblems those of best-effort destinations, and those that no bytes depend on
 * @param deadlineMet whether it ended by itself
 * @param destinations each by itself, the best-effort ones too
 */
public record DrainReport(
    long deliveredBytes,
    long deliveredSegments,
    Duration took,
    List<LeftBehind> leftBehind,
    List<Problem> problems,
    List<Problem> otherProblems,
    boolean deadlineMet,
    List<DestinationDrain> destinations) {

  public long leftBehindBytes() {
    return leftBehind.stream().mapToLong(LeftBehind::totalBytes).sum();
  }

  /** Whether nothing is left and nothing went wrong, best-effort destinations apart. */
  public boolean isComplete() {
    return leftBehind.isEmpty() && problems.isEmpty();
  }
}
