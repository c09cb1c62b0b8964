package dev.tailwater.store.datafile.vacuum;

import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.file.ExpiryEstimate;

/** The counts of a file that is being written and is not part of the store yet. */
final class FileCounts {
  private long records;
  private long units;
  private long removalUnits;
  private long lastSequence;
  private final ExpiryEstimate expiry = new ExpiryEstimate();

  void added(long location, boolean removes) {
    records++;
    units += DataFile.unitsOf(location);
    removalUnits += removes ? DataFile.unitsOf(location) : 0;
  }

  void expires(long expiresAtMillis, long unitCount) {
    expiry.add(expiresAtMillis, unitCount);
  }

  void endsWith(long sequence) {
    lastSequence = Math.max(lastSequence, sequence);
  }

  long lastSequence() {
    return lastSequence;
  }

  /** Adds the counts to the data file, in which nothing is live yet. */
  void tell(DataFile file) {
    file.addedBefore(records, units, 0);
    file.addedRemovals(removalUnits);
    file.expiry().add(expiry);
    file.endsWith(lastSequence);
  }
}
