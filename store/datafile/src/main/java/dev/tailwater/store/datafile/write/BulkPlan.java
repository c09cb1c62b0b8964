package dev.tailwater.store.datafile.write;

import dev.tailwater.store.datafile.format.RecordData;
import dev.tailwater.store.datafile.index.HashBatch;
import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.index.Location;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Puts of a bulk write that are looked up together before they are appended. Grows as needed. Used
 * by one thread.
 */
final class BulkPlan {
  private static final int FIRST_CAPACITY = 32;

  private @Nullable RecordData[] records = new @Nullable RecordData[FIRST_CAPACITY];
  private final HashBatch places = new HashBatch(FIRST_CAPACITY);
  private long indexChanges;

  int size() {
    return places.size();
  }

  void add(RecordData data, long hash) {
    if (places.size() == records.length) {
      records = Arrays.copyOf(records, 2 * records.length);
    }
    records[places.size()] = data;
    places.add(hash, Location.NONE);
  }

  RecordData record(int number) {
    RecordData data = records[number];
    if (data == null) {
      throw new IllegalStateException("no put " + number);
    }
    return data;
  }

  PlannedPut put(int number) {
    return new PlannedPut(record(number), hash(number), from(number));
  }

  long hash(int number) {
    return places.hash(number);
  }

  /**
   * Returns the location of the key's record, if it is the only one of its hash and has no index
   * tags; {@link Location#NONE} when there is none of its hash; else {@link Index#SEVERAL}.
   */
  long from(int number) {
    return places.location(number);
  }

  void setFrom(int number, long location) {
    places.setLocation(number, location);
  }

  /** Returns the hashes, with locations as far as they were looked up. */
  HashBatch places() {
    return places;
  }

  /** Returns {@link Publisher#changes()} from before the puts were looked up. */
  long indexChanges() {
    return indexChanges;
  }

  void lookedUpAfter(long changes) {
    indexChanges = changes;
  }

  /** Keeps a word that was read only to prefetch, so that the read is not optimized away. */
  void keep(long word) {
    places.keep(word);
  }

  void clear() {
    places.clear(); // what is left of the records is soon replaced, or let go with this
  }
}
