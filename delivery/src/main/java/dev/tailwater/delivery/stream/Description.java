package dev.tailwater.delivery.stream;

import dev.tailwater.archive.record.GapRecord;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.posix.PosixPath;
import java.util.List;

/**
 * What the archive should say of a stream beside its segments.
 *
 * @param facts how many facts were known when it was made
 * @param corrections which of it must be said even where it is what a reader would assume
 */
public record Description(
    StreamRecord record,
    List<GapRecord> gaps,
    PosixPath path,
    long facts,
    Corrections corrections) {

  /**
   * What readers of the archive may believe until they are told otherwise.
   *
   * @param path that the file has another path
   * @param ended that the stream has ended
   * @param changed that bytes were changed in place, or that none were
   */
  public record Corrections(boolean path, boolean ended, boolean changed) {}

  /** Returns when the file was seen as the record says, milliseconds since 1970. */
  public long seenAtMillis() {
    return record.paths().getLast().sinceMillis();
  }
}
