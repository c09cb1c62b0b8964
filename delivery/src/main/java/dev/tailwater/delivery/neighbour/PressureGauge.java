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
 * For which part of the last second or so other programs had to wait, measured on demand.
 *
 * <p>Our own work causes pressure too. A thread of ours that waits for a processor yields already,
 * so its waiting is subtracted; what is left is time in which somebody else waited. The kernel does
 * not tell the two apart for disks and memory: there our own waiting counts, which causes needless
 * rests, but never a late byte. Thread-safe.
 */
final class PressureGauge {
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A reading that is older says nothing about the present. */
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
   * Creates a gauge.
   *
   * @param files those that cannot be read are left out
   * @param ownWaitNanos returns for how long our own threads have waited for a processor in all
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

  /** Returns whether there is nothing to measure. */
  boolean isBlind() {
    return sources.isEmpty();
  }

  /** Returns the part of the time, 0 to 1, by resource; of several files, the largest. */
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
    // A sum over a long time without work says nothing about the present.
    return periodNanos > STALE_NANOS ? new EnumMap<>(Resource.class) : read;
  }
}
