package dev.tailwater.archive.seal;

import dev.tailwater.archive.Codec;
import java.util.function.LongSupplier;

/** A sample of data, with which codecs can be compared. Not thread-safe. */
public final class CodecSample {
  /**
   * The maximum length. Longer samples add little, because the units of a segment are independent.
   */
  public static final int MAX_BYTES = 256 * 1024;

  /**
   * The number of runs. The first one also allocates memory, and other work may interrupt either.
   */
  private static final int TIMES = 2;

  private final byte[] raw;
  private final int from;
  private final int lengthBytes;
  private final LongSupplier nanoClock;
  private byte[] target = {};

  /**
   * The result of compressing the sample.
   *
   * @param encodedBytes the compressed length
   * @param nanos the shortest time
   */
  public record Result(int encodedBytes, long nanos) {}

  /** Creates a sample of this many bytes of the array, but at most {@value #MAX_BYTES}. */
  public CodecSample(byte[] raw, int from, int lengthBytes, LongSupplier nanoClock) {
    this.raw = raw;
    this.from = from;
    this.lengthBytes = Math.min(lengthBytes, MAX_BYTES);
    this.nanoClock = nanoClock;
  }

  public int lengthBytes() {
    return lengthBytes;
  }

  /** Compresses the sample with a codec. */
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
