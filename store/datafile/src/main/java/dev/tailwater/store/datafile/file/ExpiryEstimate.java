package dev.tailwater.store.datafile.file;

/**
 * How much of a file ends when, so that the vacuum can tell without reading it how much has ended:
 * between the first and the last end it is taken to end evenly. Thread-safe.
 */
public final class ExpiryEstimate {
  private long units;
  private long firstMillis = Long.MAX_VALUE;
  private long lastMillis;

  /** A record; 0: it never ends. */
  public synchronized void add(long expiresAtMillis, long unitCount) {
    if (expiresAtMillis != 0) {
      addAll(unitCount, expiresAtMillis, expiresAtMillis);
    }
  }

  private void addAll(long unitCount, long first, long last) {
    units += unitCount;
    firstMillis = Math.min(firstMillis, first);
    lastMillis = Math.max(lastMillis, last);
  }

  /** Everything that somebody else has gathered. */
  public synchronized void add(ExpiryEstimate others) {
    addAll(others.units, others.firstMillis, others.lastMillis);
  }

  /** Whether something has ended. */
  public synchronized boolean hasExpired(long nowMillis) {
    return units > 0 && firstMillis <= nowMillis;
  }

  /** About how much has ended. */
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
