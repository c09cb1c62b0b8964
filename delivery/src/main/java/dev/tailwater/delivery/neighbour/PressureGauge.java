package dev.tailwater.delivery.neighbour;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * For which part of the last second or so other programs had to wait, looked at when somebody asks.
 *
 * <p>Our own work makes pressure too. A thread of ours that waits for a processor is one that
 * yields already, so that time is taken off; what is left is time in which somebody else waited.
 * The kernel tells no such thing about disks and memory: there our own waiting counts, which makes
 * for rests that nobody needed, but never for a late byte. Thread-safe.
 */
final class PressureGauge {
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Older than that, a reading says nothing of now. */
  private static final long STALE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final List<Source> sources = new ArrayList<>();
  private final LongSupplier ownWaitNanos;
  private final LongSupplier nanoClock;

  @GuardedBy("this")
  private long readAtNanos;

  @GuardedBy("this")
  private long ownWaitBeforeNanos;

  @GuardedBy("this")
  private Map<Resource, Double> shares = new EnumMap<>(Resource.class);

  private static final class Source {
    private final Resource resource;
    private final PressureFile file;
    private long beforeMicros;

    Source(Resource resource, PressureFile file, long beforeMicros) {
      this.resource = resource;
      this.file = file;
      this.beforeMicros = beforeMicros;
    }
  }

  /**
   * @param files those that cannot be read are left out
   * @param ownWaitNanos for how long threads of ours have waited for a processor, since some moment
   */
  PressureGauge(
      Map<Resource, List<PressureFile>> files, LongSupplier ownWaitNanos, LongSupplier nanoClock) {
    this.ownWaitNanos = ownWaitNanos;
    this.nanoClock = nanoClock;
    files.forEach(
        (resource, several) -> {
          for (PressureFile file : several) {
            file.someMicros().ifPresent(micros -> sources.add(new Source(resource, file, micros)));
          }
        });
    this.readAtNanos = nanoClock.getAsLong();
    this.ownWaitBeforeNanos = ownWaitNanos.getAsLong();
  }

  /** Whether there is anything to look at. */
  boolean isBlind() {
    return sources.isEmpty();
  }

  /** The part of the time, 0 to 1, by resource; where there are several files, the most. */
  synchronized Map<Resource, Double> shares() {
    long now = nanoClock.getAsLong();
    long periodNanos = now - readAtNanos;
    if (periodNanos >= PERIOD_NANOS) {
      readAtNanos = now;
      shares = read(periodNanos);
    }
    return shares;
  }

  @GuardedBy("this")
  private Map<Resource, Double> read(long periodNanos) {
    long ownWait = ownWaitNanos.getAsLong();
    long ownNanos = Math.max(0, ownWait - ownWaitBeforeNanos);
    ownWaitBeforeNanos = ownWait;
    Map<Resource, Double> read = new EnumMap<>(Resource.class);
    for (Source source : sources) {
      OptionalLong micros = source.file.someMicros();
      if (micros.isEmpty()) {
        continue; // Its cgroup may be gone; the others go on.
      }
      long waitedNanos = TimeUnit.MICROSECONDS.toNanos(micros.getAsLong() - source.beforeMicros);
      source.beforeMicros = micros.getAsLong();
      if (source.resource == Resource.CPU) {
        waitedNanos -= ownNanos;
      }
      double share = Math.clamp(waitedNanos / (double) periodNanos, 0, 1);
      read.merge(source.resource, share, Math::max);
    }
    // What was summed up over a long time without work is no news.
    return periodNanos > STALE_NANOS ? new EnumMap<>(Resource.class) : read;
  }
}
