package dev.tailwater.delivery.seal;

import dev.tailwater.delivery.tail.Tail;

/**
 * How many bytes of its file the next segment of a tail brings to safety for each second of work,
 * on a scale of its own. What a segment costs is the way of its compressed bytes, and what any
 * segment costs however short it is:
 *
 * <pre>
 * gain = raw / (raw / ratio + fixed)
 * </pre>
 *
 * So of two that compress alike the longer comes first, and of two that are equally long the one
 * that compresses better. Doing first what brings most for its cost is Smith's rule: the bytes at
 * risk, summed over the time until all are safe, are the fewest (W. E. Smith, "Various optimizers
 * for single-stage production", Naval Research Logistics Quarterly 3, 1956); and whenever it is cut
 * off, no other order has brought more to safety but for a part of one segment, as for a knapsack
 * that is filled greedily.
 */
final class Gain {
  /**
   * What a segment costs besides its bytes, in bytes that the uplink could take meanwhile. It only
   * decides how much length weighs against compressibility.
   */
  static final long FIXED_BYTES = 128 * 1024;

  /** Neighbours on the scale differ by a quarter of a doubling. */
  private static final double STEPS_PER_DOUBLING = 4;

  private Gain() {}

  /** The more, the sooner. A tail that has no bytes, but something to be settled, comes last. */
  static int of(Tail tail) {
    return of(tail.unreadBytes(), tail.rawPerStagedByte());
  }

  static int of(long rawBytes, double rawPerStagedByte) {
    if (rawBytes <= 0) {
      return Integer.MIN_VALUE;
    }
    double gain = rawBytes / (rawBytes / rawPerStagedByte + FIXED_BYTES);
    return (int) Math.floor(Math.log(gain) / Math.log(2) * STEPS_PER_DOUBLING);
  }
}
