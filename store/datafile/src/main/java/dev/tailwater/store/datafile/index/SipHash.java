package dev.tailwater.store.datafile.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * SipHash-1-3 with a secret key, so that nobody who chooses keys can make them collide.
 *
 * @param k0 first half of the secret
 * @param k1 second half
 * @see <a href="https://www.aumasson.jp/siphash/siphash.pdf">SipHash: a fast short-input PRF</a>
 */
public record SipHash(long k0, long k1) implements KeyHash {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** The hash of these bytes. */
  @Override
  public long hash(byte[] key) {
    long v0 = k0 ^ 0x736f6d6570736575L;
    long v1 = k1 ^ 0x646f72616e646f6dL;
    long v2 = k0 ^ 0x6c7967656e657261L;
    long v3 = k1 ^ 0x7465646279746573L;
    int whole = key.length & -Long.BYTES;
    int rounds = 1;
    for (int i = 0; ; i += Long.BYTES) {
      long word;
      if (i < whole) {
        word = (long) LONG.get(key, i);
        v3 ^= word;
      } else if (i == whole) {
        word = lastWord(key, whole);
        v3 ^= word;
      } else {
        word = 0;
        v2 ^= 0xff;
        rounds = 3;
      }
      for (int round = 0; round < rounds; round++) {
        v0 += v1;
        v2 += v3;
        v1 = Long.rotateLeft(v1, 13) ^ v0;
        v3 = Long.rotateLeft(v3, 16) ^ v2;
        v0 = Long.rotateLeft(v0, 32);
        v2 += v1;
        v0 += v3;
        v1 = Long.rotateLeft(v1, 17) ^ v2;
        v3 = Long.rotateLeft(v3, 21) ^ v0;
        v2 = Long.rotateLeft(v2, 32);
      }
      if (rounds == 3) {
        return v0 ^ v1 ^ v2 ^ v3;
      }
      v0 ^= word;
    }
  }

  private static long lastWord(byte[] key, int whole) {
    long word = (long) key.length << 56;
    for (int i = whole; i < key.length; i++) {
      word |= (key[i] & 0xFFL) << (8 * (i - whole));
    }
    return word;
  }
}
