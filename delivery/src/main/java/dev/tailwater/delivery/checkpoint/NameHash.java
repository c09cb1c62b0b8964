package dev.tailwater.delivery.checkpoint;

import dev.tailwater.posix.PosixPath;
import java.util.random.RandomGenerator;

/**
 * Hashes of names, of 64 bits. Each run has others, so that nobody who makes files can choose names
 * with the same one.
 */
public final class NameHash {
  private static final int BYTES = Long.BYTES;

  private final long seed;

  public NameHash(RandomGenerator random) {
    this.seed = random.nextLong();
  }

  public long of(PosixPath name) {
    int length = name.lengthBytes();
    long hash = mix(seed ^ length);
    for (int from = 0; from < length; from += BYTES) {
      long word = 0;
      for (int i = from; i < Math.min(from + BYTES, length); i++) {
        word = word << 8 | (name.byteAt(i) & 0xFF);
      }
      hash = mix(hash ^ word) + seed;
    }
    return hash;
  }

  /** The finalizer of MurmurHash3. */
  public static long mix(long value) {
    long mixed = (value ^ (value >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ (mixed >>> 33);
  }
}
