package dev.tailwater.restore.place;

import dev.tailwater.archive.header.SegmentHeader;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.FileStatus;
import java.util.Optional;

/**
 * Mode and time of a file as they were known at some moment.
 *
 * @param knownAtMillis when they were noted, milliseconds since the epoch
 */
record FileAttributes(int permissions, long modificationTimeNanos, long knownAtMillis) {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final int ORDINARY_BITS = 0777;

  static FileAttributes of(SegmentHeader header) {
    return new FileAttributes(
        header.permissions(), header.modificationTimeNanos(), header.sealedAtMillis());
  }

  /** The time is that of the event that made the agent write the record. */
  static FileAttributes of(StreamRecord record) {
    long ended = record.end().map(StreamRecord.End::atMillis).orElse(Long.MIN_VALUE);
    long renamed = record.paths().isEmpty() ? ended : record.paths().getLast().sinceMillis();
    return new FileAttributes(
        record.permissions(), record.modificationTimeNanos(), Math.max(ended, renamed));
  }

  /** Returns those that a file has now, for when nothing is known of the original. */
  static FileAttributes ofFile(FileCalls calls, int fd) throws ErrnoException {
    FileStatus status = calls.fstat(fd);
    return new FileAttributes(status.permissions(), status.modificationTimeNanos(), 0);
  }

  /** The one noted later; the given one when both were noted at the same time. */
  static FileAttributes newest(Optional<FileAttributes> one, FileAttributes other) {
    return one.filter(known -> known.knownAtMillis > other.knownAtMillis).orElse(other);
  }

  /** The same without permissions that the other does not have. */
  FileAttributes atMost(FileAttributes other) {
    return new FileAttributes(
        permissions & other.permissions, modificationTimeNanos, knownAtMillis);
  }

  /** Without set-user-id, set-group-id and sticky bits: an archive may come from anywhere. */
  FileAttributes withoutSpecialBits() {
    return new FileAttributes(permissions & ORDINARY_BITS, modificationTimeNanos, knownAtMillis);
  }

  void applyTo(FileCalls calls, int fd) throws ErrnoException {
    calls.changeMode(fd, permissions);
    calls.changeModificationTime(
        fd,
        Math.floorDiv(modificationTimeNanos, NANOS_PER_SECOND),
        (int) Math.floorMod(modificationTimeNanos, NANOS_PER_SECOND));
  }
}
