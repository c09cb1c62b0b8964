package dev.tailwater.store.datafile.write;

import dev.tailwater.store.datafile.file.IndexTags;
import dev.tailwater.store.datafile.format.RecordData;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A key whose newest record is not visible yet. Used with the append lock held. */
final class PendingKey {
  final long hash;
  final byte[] bytes;

  /** What the index has; {@code Location.NONE} when it has nothing. */
  long visible;

  /** Number of the record that made it so; 0: one from before. */
  long visibleSequence;

  /** Number of the record that the index has. */
  long visibleRecord;

  /** As of {@link IndexTags}, of that record. */
  List<String> visibleTags;

  /** The newest record, seen or not; null while nothing was appended. */
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

  /** Of a put that is pending, and holds it. */
  static PendingKey of(long hash, long visible, RecordData newest, long newestSequence) {
    PendingKey key = new PendingKey(hash, newest.key(), visible, 0, List.of());
    key.newest = newest;
    key.newestSequence = newestSequence;
    key.holders = 1;
    return key;
  }

  /** Whether it stays when the last to hold it releases it. */
  boolean isShared() {
    return holders > 1;
  }
}
