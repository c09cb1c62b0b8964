package dev.tailwater.restore.attribute;

import dev.tailwater.archive.header.SegmentHeader;
import dev.tailwater.restore.list.ArchivedStream;
import java.util.Optional;

/**
 * What is known of the attributes of one file: from its record, and from the headers of segments as
 * they are read. Where only encrypted objects are trusted, a record that neither an encrypted pack
 * nor a signature vouches for can only take permissions away. For one thread.
 */
public final class KnownAttributes {
  private final boolean mayOnlyTake;
  private Optional<FileAttributes> newest;
  private Optional<FileAttributes> newestOfHeaders = Optional.empty();

  /** Begins with the record of a stream, if there is one. */
  public KnownAttributes(ArchivedStream stream) {
    this.mayOnlyTake = stream.plainRefused() && !stream.isModeVouchedFor();
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
    return newest.map(this::vouchedFor);
  }

  /** Returns whether newer permissions or another owner are told, and nothing vouches for them. */
  public boolean isWithheld() {
    return newest.isPresent() && !newest.get().hasModeAndOwnerOf(vouchedFor(newest.get()));
  }

  private FileAttributes vouchedFor(FileAttributes told) {
    return mayOnlyTake ? newestOfHeaders.map(told::atMost).orElse(told) : told;
  }
}
