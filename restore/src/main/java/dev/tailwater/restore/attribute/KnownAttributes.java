package dev.tailwater.restore.attribute;

import dev.tailwater.archive.header.SegmentHeader;
import dev.tailwater.restore.list.ArchivedStream;
import java.util.Optional;

/**
 * What is known of the attributes of one file: from its record, and from the headers of segments as
 * they are read. Where only encrypted objects are trusted, a record that no encrypted pack has told
 * can only take permissions away. For one thread.
 */
public final class KnownAttributes {
  private final boolean mayOnlyTake;
  private Optional<FileAttributes> newest;
  private Optional<FileAttributes> newestOfHeaders = Optional.empty();

  /** Begins with the record of a stream, if there is one. */
  public KnownAttributes(ArchivedStream stream) {
    this.mayOnlyTake = stream.plainRefused() && !stream.hasEncryptedMode();
    this.newest =
        stream.record().isPresent()
            ? Optional.of(FileAttributes.of(stream.record().get(), stream.attributesAtMillis()))
            : Optional.empty();
  }

  /** Takes in what the header of a segment tells. */
  public void add(SegmentHeader header) {
    FileAttributes told = FileAttributes.of(header);
    newest = Optional.of(FileAttributes.newest(newest, told));
    newestOfHeaders = Optional.of(FileAttributes.newest(newestOfHeaders, told));
  }

  /** Returns the newest attributes that are known; empty if nothing is. */
  public Optional<FileAttributes> newest() {
    return mayOnlyTake && newest.isPresent() && newestOfHeaders.isPresent()
        ? Optional.of(newest.get().atMost(newestOfHeaders.get()))
        : newest;
  }
}
