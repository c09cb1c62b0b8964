package dev.tailwater.store.datafile.write;

import dev.tailwater.store.datafile.format.RecordData;
import dev.tailwater.store.datafile.index.HashBatch;
import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.index.Location;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Puts of a bulk that are looked up together before they are appended; it takes any number of them.
 * Used by one thread.
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
   * Where the index has the key's record, which has no indexTags, and no other of this hash; {@link
   * Location#NONE} when it has none of this hash; else {@link Index#SEVERAL}.
   */
  long from(int number) {
    return places.location(number);
  }

  void setFrom(int number, long location) {
    places.setLocation(number, location);
  }

  /** To be looked up, or as far as that was done. */
  HashBatch places() {
    return places;
  }

  /** {@link Publisher#changes()} as it was before the puts were looked up. */
  long indexChanges() {
    return indexChanges;
  }

  void lookedUpAfter(long changes) {
    indexChanges = changes;
  }

  /** Keeps what was read for nothing but to have it near. */
  void keep(long word) {
    places.keep(word);
  }

  void clear() {
    places.clear(); // what is left of the records is soon replaced, or let go with this
  }
}
