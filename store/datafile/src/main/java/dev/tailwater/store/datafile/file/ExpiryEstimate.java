package dev.tailwater.store.datafile.file;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * An estimate of how much of a file has expired, for the vacuum, without reading the file: between
 * the first and the last expiry, records are assumed to expire evenly. Thread-safe.
 */
public final class ExpiryEstimate {
  @GuardedBy("this")
  private long units;

  @GuardedBy("this")
  private long firstMillis = Long.MAX_VALUE;

  @GuardedBy("this")
  private long lastMillis;

  /** Adds a record; 0: it never expires. */
  public synchronized void add(long expiresAtMillis, long unitCount) {
    if (expiresAtMillis != 0) {
      addAll(unitCount, expiresAtMillis, expiresAtMillis);
    }
  }

  @GuardedBy("this")
  private void addAll(long unitCount, long first, long last) {
    units += unitCount;
    firstMillis = Math.min(firstMillis, first);
    lastMillis = Math.max(lastMillis, last);
  }

  /** Adds everything that another estimate has gathered. */
  public void add(ExpiryEstimate other) {
    long otherUnits;
    long otherFirst;
    long otherLast;
    synchronized (other) {
      otherUnits = other.units;
      otherFirst = other.firstMillis;
      otherLast = other.lastMillis;
    }
    synchronized (this) {
      addAll(otherUnits, otherFirst, otherLast);
    }
  }

  /** Returns whether anything has expired. */
  public synchronized boolean hasExpired(long nowMillis) {
    return units > 0 && firstMillis <= nowMillis;
  }

  /** Returns about how much has expired. */
  public synchronized long expiredUnits(long nowMillis) {
    if (!hasExpired(nowMillis)) {
      return 0;
    }
    if (nowMillis >= lastMillis) {
      return units;
    }
    return (long) (units * ((double) (nowMillis - firstMillis) / (lastMillis - firstMillis)));
  }
}
