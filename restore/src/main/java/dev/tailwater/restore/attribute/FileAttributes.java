package dev.tailwater.restore.attribute;

import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.header.SegmentHeader;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.FileStatus;
import java.util.Optional;

/**
 * Mode, time and owner of a file as they were known at some moment.
 *
 * @param owner empty where it is not told
 * @param knownAtMillis when they were noted, milliseconds since the epoch
 */
public record FileAttributes(
    int permissions, long modificationTimeNanos, Optional<FileOwner> owner, long knownAtMillis) {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** Set-user-id, set-group-id and sticky bits come only with the owner. */
  private static final int ORDINARY_BITS = 0777;

  static FileAttributes of(SegmentHeader header) {
    return new FileAttributes(
        header.permissions(),
        header.modificationTimeNanos(),
        header.owner(),
        header.sealedAtMillis());
  }

  /**
   * @param atMillis when the file had what the record says
   */
  static FileAttributes of(StreamRecord record, long atMillis) {
    return new FileAttributes(
        record.permissions(), record.modificationTimeNanos(), record.owner(), atMillis);
  }

  /** Returns those that a file has now, for when nothing is known of the original. */
  public static FileAttributes ofFile(FileCalls calls, int fd) throws ErrnoException {
    FileStatus status = calls.fstat(fd);
    return new FileAttributes(
        status.permissions(), status.modificationTimeNanos(), Optional.empty(), 0);
  }

  /**
   * The one noted later; the given one when both were noted at the same time. If it does not tell
   * the owner, the other one may.
   */
  static FileAttributes newest(Optional<FileAttributes> one, FileAttributes other) {
    FileAttributes newer =
        one.filter(known -> known.knownAtMillis > other.knownAtMillis).orElse(other);
    Optional<FileOwner> told = newer.owner.or(() -> one.flatMap(FileAttributes::owner));
    return newer.withOwner(told.or(other::owner));
  }

  private FileAttributes withOwner(Optional<FileOwner> told) {
    return new FileAttributes(permissions, modificationTimeNanos, told, knownAtMillis);
  }

  /** The same with the owner of the other, and without permissions that it does not have. */
  FileAttributes atMost(FileAttributes other) {
    return new FileAttributes(
        permissions & other.permissions, modificationTimeNanos, other.owner, knownAtMillis);
  }

  /** Without set-user-id, set-group-id and sticky bits: an archive may come from anywhere. */
  private FileAttributes withoutSpecialBits() {
    return new FileAttributes(
        permissions & ORDINARY_BITS, modificationTimeNanos, owner, knownAtMillis);
  }

  /**
   * Gives them to a file. Set-user-id and set-group-id bits come only with the owner: with another
   * one they would mean something else.
   */
  public void applyTo(FileCalls calls, int fd, Owners owners) throws ErrnoException {
    boolean owned = owners.give(calls, fd, owner);
    calls.changeMode(fd, owned ? permissions : withoutSpecialBits().permissions);
    calls.changeModificationTime(
        fd,
        Math.floorDiv(modificationTimeNanos, NANOS_PER_SECOND),
        (int) Math.floorMod(modificationTimeNanos, NANOS_PER_SECOND));
  }
}
