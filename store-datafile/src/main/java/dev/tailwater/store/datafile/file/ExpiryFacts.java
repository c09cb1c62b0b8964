package dev.tailwater.store.datafile.file;

import dev.tailwater.store.datafile.index.EntryBuffer;
import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.index.LabelIndex;
import java.util.Optional;

/**
 * How much of a file ends when, so that the vacuum can tell without reading it how much has ended:
 * between the first and the last end it is taken to end evenly. Thread-safe.
 */
public final class ExpiryFacts {
  private static final int PAIRS_AT_ONCE = 1024;

  private long units;
  private long firstMillis = Long.MAX_VALUE;
  private long lastMillis;

  /** Tells each file when its records end, as far as the index knows. Reads no file. */
  public static void learn(LabelIndex labels, Index index, DataFiles files) {
    EntryBuffer pairs = new EntryBuffer(PAIRS_AT_ONCE);
    Optional<String> label = labels.firstFrom(Labels.firstExpiry());
    while (label.isPresent() && Labels.isExpiry(label.get())) {
      long endMillis = Labels.lastMillis(label.get());
      long fromHash = 0;
      do {
        labels.pairs(label.get(), fromHash, pairs);
        for (int i = 0; i < pairs.size(); i++) {
          learn(index, pairs.hash(i), endMillis, files);
        }
        fromHash = pairs.nextHash();
      } while (!pairs.isAtEnd());
      label = labels.firstFrom(Labels.behind(label.get()));
    }
  }

  private static void learn(Index index, long hash, long endMillis, DataFiles files) {
    long[] all = new long[4]; // of more keys with one hash, some are forgotten
    int count = Math.min(all.length, index.findAll(hash, all));
    for (int i = 0; i < count; i++) {
      files.owning(all[i]).expiry().add(endMillis, DataFile.unitsOf(all[i]));
    }
  }

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
  public synchronized void add(ExpiryFacts others) {
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
