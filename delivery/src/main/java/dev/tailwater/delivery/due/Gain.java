package dev.tailwater.delivery.due;

import dev.tailwater.delivery.tail.Tail;

/**
 * The bytes of its file that a tail's next segment makes durable per unit of cost, on a logarithmic
 * scale. A segment costs the transfer of its compressed bytes, and a fixed amount however short it
 * is:
 *
 * <pre>
 * gain = raw / (raw / ratio + fixed)
 * </pre>
 *
 * So of two tails that compress alike the longer one comes first, and of two equally long ones the
 * one that compresses better. This is Smith's rule: serving the most gain first minimises the bytes
 * at risk, summed over the time until all are durable (W. E. Smith, "Various optimizers for
 * single-stage production", Naval Research Logistics Quarterly 3, 1956). As with a knapsack that is
 * filled greedily, no other order has made more bytes durable by the time it is cut off, except for
 * a part of one segment.
 */
final class Gain {
  /**
   * The fixed cost of a segment, in bytes that the uplink could transfer meanwhile. It decides only
   * how much length weighs against compressibility.
   */
  static final long FIXED_BYTES = 128 * 1024;

  /** Adjacent values on the scale differ by a quarter of a doubling. */
  private static final double STEPS_PER_DOUBLING = 4;

  private Gain() {}

  /**
   * Returns the gain of a tail's next segment; larger is better. A tail without unread bytes, which
   * only has something to be settled, has the least.
   */
  static int of(Tail tail) {
    return of(tail.work().unreadBytes(), tail.scheduling().rawPerStagedByte());
  }

  static int of(long rawBytes, double rawPerStagedByte) {
    if (rawBytes <= 0) {
      return Integer.MIN_VALUE;
    }
    double gain = rawBytes / (rawBytes / rawPerStagedByte + FIXED_BYTES);
    return (int) Math.floor(Math.log(gain) / Math.log(2) * STEPS_PER_DOUBLING);
  }
}
