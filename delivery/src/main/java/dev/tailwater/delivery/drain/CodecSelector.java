package dev.tailwater.delivery.drain;

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
 * Chooses, while a drain is in a hurry, how segments are compressed and how long they are, so that
 * the time until nothing is at risk is shortest. Sealing and delivering go on side by side, so for
 * each byte of a file the slower of both counts:
 *
 * <pre>
 * max( time of one thread / threads,  compressed size / uplink )
 * </pre>
 *
 * That is the least where a stronger codec would make sealing, and a faster one the uplink, take
 * longer. The first is measured by compressing a sample with each codec and by the segments since,
 * the second by what arrives. In steady state it says what the user has said. Thread-safe.
 */
public final class CodecSelector implements SealPlan {
  /** Nothing changes for a smaller gain. */
  private static final double WORTH_IT = 0.95;

  /** What is done that soon is not worth a thought. */
  private static final double SOON_SECONDS = 0.1;

  /** On its way, a segment takes about as long: what has not arrived at the deadline is lost. */
  private static final double SECONDS_ON_THE_WAY = 0.5;

  /** Workers wait for the uplink at least such a part of their time when it is the limit. */
  private static final double UPLINK_IS_LIMIT = 0.2;

  /** While it is not, it may be faster than what is seen of it: each time by so much. */
  private static final double OPTIMISM = 2;

  private static final double MOST_OPTIMISM = 64;
  private static final long FIRST_DOUBT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Before it is known how fast the uplink is, and at least. */
  private static final int SHORT_SEGMENT_BYTES = 1 << 20;

  private final Settings settings;
  private final LaneMeter meter;
  private final CodecSpeeds speeds;
  private boolean engaged;
  private volatile boolean wantsSample;
  private volatile Codec codec;
  private volatile int longestStagedBytes;
  private long steeredNanos;
  private long busyNanos;
  private long awaitingNanos;
  private double optimism = 1;
  private long doubtNanos;
  private long doubtUntilNanos;

  /**
   * What is given.
   *
   * @param codec in steady state; the others are of the same file format
   * @param unreadBytes that wait to be sealed
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

  /** Begins to choose; or again does as the user says. */
  public synchronized void engage(boolean engage) {
    engaged = engage;
    wantsSample = engage;
    speeds.clear();
    codec = settings.codec();
    longestStagedBytes = settings.segmentBytes();
    steeredNanos = settings.nanoClock().getAsLong();
    busyNanos = busyNanos();
    awaitingNanos = meter.awaitingStaging().sumNanos();
    optimism = 1;
    doubtNanos = FIRST_DOUBT_NANOS;
    doubtUntilNanos = steeredNanos;
    if (engage) {
      chooseLength();
    }
  }

  private long busyNanos() {
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
      wantsSample = false; // By one worker; the others go on meanwhile.
    }
    CodecSample sample = new CodecSample(raw, from, lengthBytes, settings.nanoClock());
    for (Codec candidate : CodecLevels.around(settings.codec())) {
      CodecSample.Result result = sample.encode(candidate);
      speeds.sampled(candidate, sample.lengthBytes(), result.encodedBytes(), result.nanos());
    }
    steer();
  }

  @Override
  public void sealed(
      Codec used, long rawBytes, long stagedBytes, long encodeNanos, long otherNanos) {
    speeds.sealed(used, rawBytes, stagedBytes, encodeNanos, otherNanos);
  }

  /** Chooses anew by what was measured since the last time. */
  public synchronized void steer() {
    if (!engaged) {
      return;
    }
    long now = settings.nanoClock().getAsLong();
    long busy = busyNanos();
    double threads = now == steeredNanos ? 1 : (double) (busy - busyNanos) / (now - steeredNanos);
    long awaiting = meter.awaitingStaging().sumNanos();
    hope(now, busy - busyNanos, awaiting - awaitingNanos);
    steeredNanos = now;
    busyNanos = busy;
    awaitingNanos = awaiting;
    chooseLength();
    OptionalDouble uplink = meter.uplink().bytesPerSecond();
    if (uplink.isPresent()) {
      choose(Math.max(1, threads), uplink.getAsDouble() * optimism);
    }
  }

  /**
   * An uplink that nobody waits for may carry more than it is given, and only a faster codec can
   * show that. When the workers have to wait for it, what is seen is all, and it takes longer and
   * longer until that is doubted again.
   */
  private void hope(long now, long busy, long awaiting) {
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

  private void choose(double threads, double uplinkBytesPerSecond) {
    Optional<Double> asTold = secondsPerByte(settings.codec(), threads, uplinkBytesPerSecond);
    Optional<Double> present = secondsPerByte(codec, threads, uplinkBytesPerSecond);
    if (asTold.isEmpty() || present.isEmpty()) {
      return;
    }
    Codec best = settings.codec();
    double least = asTold.get();
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
