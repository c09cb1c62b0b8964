package dev.tailwater.delivery.measure;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.Codec;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How fast each codec compresses the bytes that are being sealed, and how well. A sample tells how
 * the codecs compare; the segments that are sealed tell how much slower they are under load, and
 * how much the bytes differ from the sample. Thread-safe.
 */
public final class CodecSpeeds {
  /** The weight of the latest segment. */
  private static final double NEWS = 0.3;

  @GuardedBy("this")
  private final Map<Codec, Speed> samples = new HashMap<>();

  @GuardedBy("this")
  private double slowness = 1;

  @GuardedBy("this")
  private double sizeFactor = 1;

  @GuardedBy("this")
  private double otherNanosPerRawByte;

  @GuardedBy("this")
  private boolean sealedAny;

  /**
   * What sealing a byte of a file takes.
   *
   * @param nanosPerRawByte the time of one thread
   * @param stagedPerRawByte the compressed size; less than 1 for what can be compressed
   */
  public record Speed(double nanosPerRawByte, double stagedPerRawByte) {}

  /** Forgets everything, since other bytes are sealed from now on. */
  public synchronized void clear() {
    samples.clear();
    slowness = 1;
    sizeFactor = 1;
    sealedAny = false;
  }

  /** Notes how a sample was compressed. */
  public synchronized void sampled(Codec codec, long rawBytes, long encodedBytes, long nanos) {
    samples.put(codec, new Speed((double) nanos / rawBytes, (double) encodedBytes / rawBytes));
  }

  /**
   * Notes how a segment was sealed.
   *
   * @param encodeNanos the time in the codec
   * @param otherNanos the time for reading, encrypting and the rest
   */
  public synchronized void sealed(
      Codec codec, long rawBytes, long stagedBytes, long encodeNanos, long otherNanos) {
    double news = sealedAny ? NEWS : 1;
    sealedAny = true;
    otherNanosPerRawByte += news * ((double) otherNanos / rawBytes - otherNanosPerRawByte);
    Speed sample = samples.get(codec);
    // A codec that only copies says nothing about those that compress.
    if (sample != null && !(codec instanceof Codec.Store)) {
      double slower = (double) encodeNanos / rawBytes / Math.max(1e-3, sample.nanosPerRawByte());
      double larger = (double) stagedBytes / rawBytes / Math.max(1e-6, sample.stagedPerRawByte());
      slowness += news * (Math.clamp(slower, 0.5, 8) - slowness);
      sizeFactor += news * (Math.clamp(larger, 0.05, 20) - sizeFactor);
    }
  }

  /** Returns the speed that is expected of a codec; empty before there was a sample. */
  public synchronized Optional<Speed> of(Codec codec) {
    Speed sample = samples.get(codec);
    if (sample == null) {
      return Optional.empty();
    }
    boolean copies = codec instanceof Codec.Store;
    return Optional.of(
        new Speed(
            sample.nanosPerRawByte() * (copies ? 1 : slowness) + otherNanosPerRawByte,
            copies ? 1 : Math.min(1.01, sample.stagedPerRawByte() * sizeFactor)));
  }
}
