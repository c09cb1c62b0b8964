package dev.tailwater.store.datafile.vacuum;

import dev.tailwater.store.datafile.file.IndexTags;
import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.index.KeyHash;
import dev.tailwater.store.datafile.index.TagIndex;

/** The records that the indexes of a store know, for one vacuum at a time. */
public final class LiveRecords {
  private final Index index;
  private final TagIndex tagIndex;
  private final KeyHash hash;
  private long[] same = new long[8];

  public LiveRecords(Index index, TagIndex tagIndex, KeyHash hash) {
    this.index = index;
    this.tagIndex = tagIndex;
    this.hash = hash;
  }

  long hash(byte[] key) {
    return hash.hash(key);
  }

  /** Returns whether the record at this location is the newest of its key. */
  boolean contains(long hashed, long location) {
    long found = index.find(hashed);
    if (found != Index.SEVERAL) {
      return found == location;
    }
    int count = index.findAll(hashed, same);
    while (count > same.length) {
      same = new long[2 * count];
      count = index.findAll(hashed, same);
    }
    for (int i = 0; i < count; i++) {
      if (same[i] == location) {
        return true;
      }
    }
    return false;
  }

  /** Removes an expired record from the tag index; readers treat it as gone already. */
  void removeTags(byte[] tags, long expiresAtMillis, long hashed, long sequence) {
    for (String indexTag : IndexTags.of(tags, expiresAtMillis)) {
      tagIndex.remove(indexTag, hashed, sequence);
    }
  }
}
