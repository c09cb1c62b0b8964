package dev.tailwater.lab.measure;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The time of an experiment, and what it left out to keep to it. An experiment asks between its
 * samples, since a sample that was cut short would be none. So it exceeds its time by less than one
 * sample.
 *
 * <p>There are two bounds. After its share, an experiment takes no more samples than conclusions
 * need, so that others get their shares too. At the end, it takes none at all.
 *
 * <p>For one thread.
 */
public final class TimeBudget {
  private final LongSupplier nanoTime;
  private final long beginNanos;
  private final Optional<Duration> share;
  private final Optional<Duration> end;
  private final Set<String> leftOut = new LinkedHashSet<>();

  private TimeBudget(LongSupplier nanoTime, Optional<Duration> share, Optional<Duration> end) {
    this.nanoTime = nanoTime;
    this.beginNanos = nanoTime.getAsLong();
    this.share = share;
    this.end = end;
  }

  /** Returns a budget without bounds. */
  public static TimeBudget unlimited() {
    return new TimeBudget(System::nanoTime, Optional.empty(), Optional.empty());
  }

  /**
   * Returns a budget that begins now.
   *
   * @param nanoTime a clock like {@link System#nanoTime}
   * @param share how long the experiment may take for as many samples as it wants
   * @param end how long it may take at all
   */
  public static TimeBudget of(LongSupplier nanoTime, Duration share, Duration end) {
    return new TimeBudget(nanoTime, Optional.of(share), Optional.of(end));
  }

  /** Returns whether something that takes this long ends within the share. */
  public boolean isInShare(Duration next) {
    return isBefore(share, next);
  }

  /** Returns whether something that takes this long ends before the end. */
  public boolean isInTime(Duration next) {
    return isBefore(end, next);
  }

  private boolean isBefore(Optional<Duration> bound, Duration next) {
    long elapsedNanos = nanoTime.getAsLong() - beginNanos;
    return bound.isEmpty() || elapsedNanos + next.toNanos() < bound.get().toNanos();
  }

  /**
   * Ends the experiment if its time is up.
   *
   * @param doing what is going on: {@code warming up}
   */
  public void requireTime(String doing) throws OutOfTimeException {
    if (!isInTime(Duration.ZERO)) {
      throw new OutOfTimeException(doing);
    }
  }

  /**
   * Notes what an experiment did not measure because its time was up.
   *
   * @param what {@code 2 of 5 rounds}
   */
  public void leaveOut(String what) {
    leftOut.add(what);
  }

  /** Returns everything that was left out; empty if it was nothing. */
  public Optional<String> leftOut() {
    return leftOut.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", leftOut));
  }
}
