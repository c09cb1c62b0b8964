package dev.tailwater.delivery.seal;

import dev.tailwater.archive.Codec;

/** How a destination's workers seal their next segments. Thread-safe. */
public interface SealPlan {
  /** Returns the codec; all of them write the same file format. */
  Codec codec();

  /** Returns the length in staging at which a segment ends, give or take a block. */
  int longestStagedBytes();

  /** Returns whether {@link #sample} is of use. */
  boolean wantsSample();

  /** Samples bytes that are about to be sealed; does not keep them. */
  void sample(byte[] raw, int from, int lengthBytes);

  /**
   * Notes how a segment was sealed.
   *
   * @param encodeNanos the time in the codec
   * @param otherNanos the time for reading, encrypting and the rest
   */
  void sealed(Codec codec, long rawBytes, long stagedBytes, long encodeNanos, long otherNanos);
}
