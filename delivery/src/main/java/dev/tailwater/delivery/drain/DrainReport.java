package dev.tailwater.delivery.drain;

import dev.tailwater.delivery.problem.Problem;
import java.time.Duration;
import java.util.List;

/**
 * How a drain went.
 *
 * @param deliveredBytes bytes of source files that became durable during the drain
 * @param leftBehind what is still at risk; empty when everything is safe
 * @param problems what could not be done, such as files that could not be read
 * @param deadlineMet whether it ended by itself
 */
public record DrainReport(
    long deliveredBytes,
    long deliveredSegments,
    Duration took,
    List<LeftBehind> leftBehind,
    List<Problem> problems,
    boolean deadlineMet) {

  public long leftBehindBytes() {
    return leftBehind.stream().mapToLong(LeftBehind::totalBytes).sum();
  }

  /** Whether nothing is left and nothing went wrong. */
  public boolean isComplete() {
    return leftBehind.isEmpty() && problems.isEmpty();
  }
}
