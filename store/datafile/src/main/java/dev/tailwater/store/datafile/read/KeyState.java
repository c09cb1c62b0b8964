package dev.tailwater.store.datafile.read;

import dev.tailwater.store.datafile.file.IndexTags;
import dev.tailwater.store.datafile.format.RecordData;
import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.index.Location;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a key as it was found without a lock.
 *
 * @param seen all locations that the index had for the hash
 * @param own index of the key's own location in {@code seen}; -1: none
 * @param data its record, if it was asked for and exists
 * @param sequence the number of its record; 0 when there is none
 * @param indexTags as of {@link IndexTags}; fewer when the record is damaged
 */
@SuppressWarnings("ArrayRecordComponent") // carried, never compared
public record KeyState(
    byte[] key,
    long hash,
    long[] seen,
    int own,
    @Nullable RecordData data,
    long sequence,
    List<String> indexTags) {
  public KeyState {
    indexTags = List.copyOf(indexTags);
  }

  /** Returns the location of the key's newest visible record. */
  public long location() {
    return own < 0 ? Location.NONE : seen[own];
  }

  /** Returns whether the index still has the same locations. */
  public boolean isCurrent(Index index) {
    if (seen.length <= 1) {
      return index.find(hash) == (seen.length == 0 ? Location.NONE : seen[0]);
    }
    long[] now = new long[seen.length];
    return index.findAll(hash, now) == seen.length && Arrays.equals(now, seen);
  }
}
