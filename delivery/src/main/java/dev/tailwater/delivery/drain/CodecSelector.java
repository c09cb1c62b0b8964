package dev.tailwater.delivery.drain;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.seal.CodecSample;
import dev.tailwater.delivery.measure.CodecSpeeds;
import dev.tailwater.delivery.measure.LaneMeter;
import dev.tailwater.delivery.seal.SealPlan;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Selects, at full speed, the codec and the length of segments that make the time until nothing is
 * at risk shortest; in steady state, the configured ones. Sealing and delivering run concurrently,
 * so the cost of each byte of a file is that of the slower one:
 *
 * <pre>
 * max( time of one thread / threads,  compressed size / uplink )
 * </pre>
 *
 * The best codec is the one where a stronger codec would make sealing the bottleneck, and a faster
 * one the uplink. The time of sealing is measured by compressing a sample with each codec, and then
 * by the segments that are sealed; the uplink by what arrives. Thread-safe.
 */
public final class CodecSelector implements SealPlan {
  /** The factor by which a codec must beat the present one to be selected. */
  private static final double WORTH_IT = 0.95;

  /** When all is done this soon, the configured codec is kept. */
  private static final double SOON_SECONDS = 0.1;

  /** How long the transfer of a segment should take: what is under way at the deadline is lost. */
  private static final double SECONDS_ON_THE_WAY = 0.5;

  /** The part of their time that workers wait for staging when the uplink is the bottleneck. */
  private static final double UPLINK_IS_LIMIT = 0.2;

  /** The factor by which the uplink is assumed to be faster while it is not the bottleneck. */
  private static final double OPTIMISM = 2;

  private static final double MOST_OPTIMISM = 64;
  private static final long FIRST_DOUBT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** The length of segments before the uplink's speed is known, and the least length. */
  private static final int SHORT_SEGMENT_BYTES = 1 << 20;

  private final Settings settings;
  private final LaneMeter meter;
  private final CodecSpeeds speeds;

  @GuardedBy("this")
  private boolean selecting;

  private volatile boolean wantsSample;
  private volatile Codec codec;
  private volatile int longestStagedBytes;

  @GuardedBy("this")
  private long tunedNanos;

  @GuardedBy("this")
  private long busyNanos;

  @GuardedBy("this")
  private long awaitingNanos;

  @GuardedBy("this")
  private double optimism = 1;

  @GuardedBy("this")
  private long doubtNanos;

  @GuardedBy("this")
  private long doubtUntilNanos;

  /**
   * What a selector works with.
   *
   * @param codec the configured one; the others write the same file format
   * @param segmentBytes the configured length of segments
   * @param unreadBytes how many bytes wait to be sealed
   */
  public record Settings(
      Codec codec, int segmentBytes, LongSupplier unreadBytes, LongSupplier nanoClock) {}

  public CodecSelector(Settings settings, LaneMeter meter) {
    this(settings, meter, new CodecSpeeds());
  }

  CodecSelector(Settings settings, LaneMeter meter, CodecSpeeds speeds) {
    this.settings = settings;
    this.meter = meter;
    this.speeds = speeds;
    this.codec = settings.codec();
    this.longestStagedBytes = settings.segmentBytes();
  }

  /** Begins to select, or returns to what is configured. */
  public synchronized void select(boolean select) {
    selecting = select;
    wantsSample = select;
    speeds.clear();
    codec = settings.codec();
    longestStagedBytes = settings.segmentBytes();
    tunedNanos = settings.nanoClock().getAsLong();
    busyNanos = measuredBusyNanos();
    awaitingNanos = meter.awaitingStaging().sumNanos();
    optimism = 1;
    doubtNanos = FIRST_DOUBT_NANOS;
    doubtUntilNanos = tunedNanos;
    if (select) {
      chooseLength();
    }
  }

  private long measuredBusyNanos() {
    return meter.sealing().sumNanos() + meter.awaitingStaging().sumNanos();
  }

  @Override
  public Codec codec() {
    return codec;
  }

  @Override
  public int longestStagedBytes() {
    return longestStagedBytes;
  }

  @Override
  public boolean wantsSample() {
    return wantsSample;
  }

  @Override
  public void sample(byte[] raw, int from, int lengthBytes) {
    synchronized (this) {
      if (!wantsSample) {
        return;
      }
      wantsSample = false; // One worker takes it; the others go on meanwhile.
    }
    CodecSample sample = new CodecSample(raw, from, lengthBytes, settings.nanoClock());
    for (Codec candidate : CodecLevels.around(settings.codec())) {
      CodecSample.Result result = sample.encode(candidate);
      speeds.sampled(candidate, sample.lengthBytes(), result.encodedBytes(), result.nanos());
    }
    tune();
  }

  @Override
  public void sealed(
      Codec used, long rawBytes, long stagedBytes, long encodeNanos, long otherNanos) {
    speeds.sealed(used, rawBytes, stagedBytes, encodeNanos, otherNanos);
  }

  /** Selects again, by what was measured since the last time. */
  public synchronized void tune() {
    if (!selecting) {
      return;
    }
    long now = settings.nanoClock().getAsLong();
    long busy = measuredBusyNanos();
    double threads = now == tunedNanos ? 1 : (double) (busy - busyNanos) / (now - tunedNanos);
    long awaiting = meter.awaitingStaging().sumNanos();
    adjustOptimism(now, busy - busyNanos, awaiting - awaitingNanos);
    tunedNanos = now;
    busyNanos = busy;
    awaitingNanos = awaiting;
    chooseLength();
    OptionalDouble uplink = meter.uplink().bytesPerSecond();
    if (uplink.isPresent()) {
      choose(Math.max(1, threads), uplink.getAsDouble() * optimism);
    }
  }

  /**
   * Adjusts by how much the uplink may be faster than measured. One that nobody waits for may carry
   * more than it is given, and only a faster codec can show that. Once workers wait for it, its
   * measured speed is all there is, and each time it takes twice as long until that is doubted
   * again.
   */
  @GuardedBy("this")
  private void adjustOptimism(long now, long busy, long awaiting) {
    if (busy == 0) {
      return;
    }
    if (awaiting < UPLINK_IS_LIMIT * busy) {
      if (now - doubtUntilNanos >= 0) {
        optimism = Math.min(MOST_OPTIMISM, optimism * OPTIMISM);
      }
    } else {
      if (optimism > 1) {
        doubtUntilNanos = now + doubtNanos;
        doubtNanos *= 2;
      }
      optimism = 1;
    }
  }

  @GuardedBy("this")
  private void chooseLength() {
    double bytes =
        meter.uplink().bytesPerSecond().orElse(SHORT_SEGMENT_BYTES / SECONDS_ON_THE_WAY)
            * SECONDS_ON_THE_WAY;
    longestStagedBytes =
        (int)
            Math.clamp(
                bytes,
                Math.min(SHORT_SEGMENT_BYTES, settings.segmentBytes()),
                settings.segmentBytes());
  }

  @GuardedBy("this")
  private void choose(double threads, double uplinkBytesPerSecond) {
    Optional<Double> asConfigured = secondsPerByte(settings.codec(), threads, uplinkBytesPerSecond);
    Optional<Double> present = secondsPerByte(codec, threads, uplinkBytesPerSecond);
    if (asConfigured.isEmpty() || present.isEmpty()) {
      return;
    }
    Codec best = settings.codec();
    double least = asConfigured.get();
    if (least * settings.unreadBytes().getAsLong() > SOON_SECONDS) {
      for (Codec candidate : CodecLevels.around(settings.codec())) {
        double time =
            secondsPerByte(candidate, threads, uplinkBytesPerSecond)
                .orElse(Double.POSITIVE_INFINITY);
        if (time < least * WORTH_IT) {
          best = candidate;
          least = time;
        }
      }
    }
    if (least < present.get() * WORTH_IT || best.equals(settings.codec())) {
      codec = best;
    }
  }

  private Optional<Double> secondsPerByte(
      Codec candidate, double threads, double uplinkBytesPerSecond) {
    return speeds
        .of(candidate)
        .map(
            speed ->
                Math.max(
                    speed.nanosPerRawByte() / 1e9 / threads,
                    speed.stagedPerRawByte() / uplinkBytesPerSecond));
  }
}
