package dev.tailwater.store.datafile.write;

import dev.tailwater.store.datafile.file.IndexTags;
import dev.tailwater.store.datafile.format.RecordData;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A key whose newest record is not visible yet. Used with the append lock held. */
final class PendingKey {
  final long hash;
  final byte[] bytes;

  /** Location that the index has; {@code Location.NONE} when it has none. */
  long visible;

  /** Number of the record that {@link #visible} was set for; 0: an earlier one. */
  long visibleSequence;

  /** Number of the record that the index has. */
  long visibleRecord;

  /** {@link IndexTags} of that record. */
  List<String> visibleTags;

  /** The newest record, visible or not; null while nothing was appended. */
  @Nullable RecordData newest;

  long newestSequence;
  int holders;
  @Nullable PendingKey next;

  PendingKey(long hash, byte[] bytes, long visible, long visibleRecord, List<String> visibleTags) {
    this.hash = hash;
    this.bytes = bytes.clone();
    this.visible = visible;
    this.visibleRecord = visibleRecord;
    this.visibleTags = visibleTags;
  }

  /** Returns the key of a pending put, which holds it. */
  static PendingKey of(long hash, long visible, RecordData newest, long newestSequence) {
    PendingKey key = new PendingKey(hash, newest.key(), visible, 0, List.of());
    key.newest = newest;
    key.newestSequence = newestSequence;
    key.holders = 1;
    return key;
  }

  /** Returns whether it has more than one holder. */
  boolean isShared() {
    return holders > 1;
  }
}
