package dev.tailwater.delivery.seal;

import dev.tailwater.archive.Codec;

/** How the next segments are to be sealed. Asked by all workers of a destination. Thread-safe. */
public interface SealPlan {
  /** Of the same kind of file format, always. */
  Codec codec();

  /** A segment ends when it is so long in staging, or a block longer. */
  int longestStagedBytes();

  /** Whether {@link #sample} is of use. */
  boolean wantsSample();

  /** Takes a look at bytes that are about to be sealed; does not keep them. */
  void sample(byte[] raw, int from, int lengthBytes);

  /**
   * A segment was sealed.
   *
   * @param encodeNanos spent in the codec
   * @param otherNanos spent with reading, encrypting and the rest
   */
  void sealed(Codec codec, long rawBytes, long stagedBytes, long encodeNanos, long otherNanos);
}
