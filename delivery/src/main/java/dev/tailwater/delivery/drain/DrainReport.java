package dev.tailwater.delivery.drain;

import dev.tailwater.archive.ByteSum;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.watch.Losses;
import java.time.Duration;
import java.util.List;

/**
 * How a drain went.
 *
 * @param deadlineMet whether it ended before its deadline
 * @param leftBehind what is still at risk, at whatever required destination; empty when everything
 *     is safe
 * @param problems what could not be done, such as files that could not be read
 * @param otherProblems those of best-effort destinations, and those that no bytes depend on
 * @param destinations each by itself, the best-effort ones too
 * @param losses what is in no archive, though nothing of it is at risk any more; in {@code
 *     problems}, too
 */
public record DrainReport(
    Totals totals,
    boolean deadlineMet,
    List<LeftBehind> leftBehind,
    List<Problem> problems,
    List<Problem> otherProblems,
    List<DestinationDrain> destinations,
    Losses.Report losses) {

  /**
   * What a drain delivered, and how long it took.
   *
   * @param deliveredBytes bytes of source files that became durable during the drain; of several
   *     required destinations, at the one where they were fewest
   * @param deliveredSegments at all required destinations together
   */
  public record Totals(long deliveredBytes, long deliveredSegments, Duration took) {}

  public long leftBehindBytes() {
    return leftBehind.stream().mapToLong(LeftBehind::totalBytes).reduce(0, ByteSum::of);
  }

  /** Returns whether nothing is left, lost or failed, apart from best-effort destinations. */
  public boolean isComplete() {
    return leftBehind.isEmpty() && problems.isEmpty() && losses.isEmpty();
  }
}
