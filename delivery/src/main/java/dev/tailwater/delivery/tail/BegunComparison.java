package dev.tailwater.delivery.tail;

import dev.tailwater.delivery.sums.BlockSums;

/**
 * A comparison of a file with what was read of its present stream. Until it is closed, the stream
 * keeps the checksums that the comparison needs.
 *
 * @param at how far the stream was read when the comparison began
 * @param changes how many of the {@link Tail#changes} it vouches for
 * @param sums the comparison with the checksums of that stream
 */
public record BegunComparison(Position at, long changes, BlockSums.Comparison sums)
    implements AutoCloseable {
  /** Says where the comparison ends. */
  public void endsAt(long limitBytes) {
    sums.endsAt(limitBytes);
  }

  @Override
  public void close() {
    sums.close();
  }
}
