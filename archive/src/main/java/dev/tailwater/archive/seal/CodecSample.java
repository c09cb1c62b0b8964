package dev.tailwater.archive.seal;

import dev.tailwater.archive.Codec;
import java.util.function.LongSupplier;

/** Compresses a sample, to see what codecs make of it. Not thread-safe. */
public final class CodecSample {
  /** Longer samples tell little more: units of segments are independent of each other. */
  public static final int MAX_BYTES = 256 * 1024;

  /** The first time pays for memory, and either may be interrupted by other work. */
  private static final int TIMES = 2;

  private final byte[] raw;
  private final int from;
  private final int lengthBytes;
  private final LongSupplier nanoClock;
  private byte[] target = {};

  /**
   * What a codec made of it.
   *
   * @param nanos the shortest time
   */
  public record Result(int encodedBytes, long nanos) {}

  /** Of so many bytes of the array, but at most {@value #MAX_BYTES}. */
  public CodecSample(byte[] raw, int from, int lengthBytes, LongSupplier nanoClock) {
    this.raw = raw;
    this.from = from;
    this.lengthBytes = Math.min(lengthBytes, MAX_BYTES);
    this.nanoClock = nanoClock;
  }

  public int lengthBytes() {
    return lengthBytes;
  }

  /** Compresses it. */
  public Result encode(Codec codec) {
    try (BlockEncoder encoder = BlockEncoders.create(codec, System::arraycopy)) {
      int room = encoder.maxEncodedBytes(lengthBytes);
      if (target.length < room) {
        target = new byte[room];
      }
      int encodedBytes = 0;
      long shortestNanos = Long.MAX_VALUE;
      for (int i = 0; i < TIMES; i++) {
        long startNanos = nanoClock.getAsLong();
        encodedBytes = encoder.encode(raw, from, lengthBytes, target, 0);
        shortestNanos = Math.min(shortestNanos, nanoClock.getAsLong() - startNanos);
      }
      return new Result(encodedBytes, shortestNanos);
    }
  }
}
