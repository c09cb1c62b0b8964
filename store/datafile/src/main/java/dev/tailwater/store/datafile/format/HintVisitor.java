package dev.tailwater.store.datafile.format;

import java.io.IOException;

/** Receives the records that a hint names. */
public interface HintVisitor {
  /**
   * One record.
   *
   * @param flags those of {@link RecordHeader}
   * @param unplaced its location, with a meaningless file number
   */
  void record(long hash, int flags, long unplaced) throws IOException;

  /**
   * Receives tags and expiry of the record that was visited last.
   *
   * @param tags as of {@link dev.tailwater.store.files.TagCodec}
   * @param expiresAtMillis 0: never
   */
  default void indexTags(long hash, long sequence, byte[] tags, long expiresAtMillis)
      throws IOException {
    // For visitors of locations only.
  }

  /**
   * Receives a record that has this index tag. Only from hints of the older form, after all
   * records, and also for replaced ones.
   */
  default void indexTag(String indexTag, long hash, long sequence) throws IOException {
    // A visitor that asks for places only.
  }
}
