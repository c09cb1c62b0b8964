package dev.tailwater.delivery.deliver;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.stream.StreamProgress;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Reports bytes that are lost, and for which the archive has bytes of others: these stand before
 * the record of the gap, so that no reader is told. Thread-safe.
 */
final class LossesToOthers {
  private static final String HINT =
      "The file does not have these bytes any more. What 'tailwater restore' gives in their place is"
          + " not from this machine: see whether another machine runs an agent of the same name.";

  /** So many streams are problems of their own. */
  private static final int MOST_NAMED = 1000;

  private final URI destination;
  private final Problems problems;

  @GuardedBy("this")
  private int named;

  LossesToOthers(URI destination, Problems problems) {
    this.destination = destination;
    this.problems = problems;
  }

  /**
   * Reports what the archive is told to be lost of a stream, if that is so and was not reported.
   */
  void report(StreamProgress stream) {
    List<ByteRange> lost = stream.untoldLossToOthers();
    if (lost.isEmpty()) {
      return;
    }
    problems.report(
        isNamed() ? "lost bytes of " + stream.streamPrefix() : "lost bytes at " + destination,
        "lost bytes",
        "bytes "
            + lost.stream().map(ByteRange::toString).collect(Collectors.joining(", "))
            + " of "
            + stream.path()
            + " are lost, and "
            + destination
            + " has bytes of others in their place, in "
            + stream.streamPrefix(),
        Optional.of(HINT),
        true);
  }

  private synchronized boolean isNamed() {
    named = Math.min(named + 1, MOST_NAMED + 1);
    return named <= MOST_NAMED;
  }
}
