package dev.tailwater.restore.attribute;

import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.header.SegmentHeader;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.io.attribute.ExtendedAttributes;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.util.Optional;

/**
 * Mode, time and owner of a file as they were known at some moment.
 *
 * @param owner empty where it is not told
 * @param extended extended attributes; none before it is known which file it is
 * @param knownAtMillis when they were noted, milliseconds since the epoch
 */
public record FileAttributes(
    int permissions,
    long modificationTimeNanos,
    Optional<FileOwner> owner,
    ExtendedAttributes extended,
    long knownAtMillis) {
  /** Set-user-id, set-group-id and sticky bits come only with the owner. */
  private static final int ORDINARY_BITS = 0777;

  static FileAttributes of(SegmentHeader header) {
    return new FileAttributes(
        header.permissions(),
        header.modificationTimeNanos(),
        header.owner(),
        ExtendedAttributes.NONE,
        header.sealedAtMillis());
  }

  /**
   * @param atMillis when the file had what the record says
   */
  static FileAttributes of(StreamRecord record, long atMillis) {
    return new FileAttributes(
        record.permissions(),
        record.modificationTimeNanos(),
        record.owner(),
        ExtendedAttributes.NONE,
        atMillis);
  }

  /** Returns those that a file has now, for when nothing is known of the original. */
  public static FileAttributes ofFile(FileCalls calls, int fd) throws ErrnoException {
    FileStatus status = calls.fstat(fd);
    return new FileAttributes(
        status.permissions(),
        status.modificationTimeNanos(),
        Optional.empty(),
        ExtendedAttributes.NONE,
        0);
  }

  /**
   * The one noted later; the given one when both were noted at the same time. If it does not tell
   * the owner, the other one may.
   */
  static FileAttributes newest(Optional<FileAttributes> one, FileAttributes other) {
    if (one.isEmpty()) {
      return other;
    }
    FileAttributes known = one.get();
    boolean isKnownLater = known.knownAtMillis > other.knownAtMillis;
    FileAttributes newer = isKnownLater ? known : other;
    FileAttributes older = isKnownLater ? other : known;
    return newer.owner.isPresent() || older.owner.isEmpty() ? newer : newer.withOwner(older.owner);
  }

  private FileAttributes withOwner(Optional<FileOwner> told) {
    return new FileAttributes(permissions, modificationTimeNanos, told, extended, knownAtMillis);
  }

  /** The same with these extended attributes. */
  public FileAttributes withExtended(ExtendedAttributes told) {
    return new FileAttributes(permissions, modificationTimeNanos, owner, told, knownAtMillis);
  }

  /**
   * The same without permissions that the other does not have. If the other has another owner, none
   * is known: that of the other may have given the file away.
   */
  FileAttributes atMost(FileAttributes other) {
    return new FileAttributes(
        permissions & other.permissions,
        modificationTimeNanos,
        owner.isEmpty() || owner.equals(other.owner) ? other.owner : Optional.empty(),
        extended,
        knownAtMillis);
  }

  boolean hasModeAndOwnerOf(FileAttributes other) {
    return permissions == other.permissions && owner.equals(other.owner);
  }

  /**
   * Gives them to a file that is made. Set-user-id and set-group-id bits come only with the owner:
   * with another one they would mean something else.
   *
   * @param path as it is archived
   */
  public void applyTo(FileCalls calls, int fd, PosixPath path, AttributeTools tools)
      throws ErrnoException {
    boolean owned = tools.owners().give(calls, fd, owner);
    tools.extended().give(calls, fd, extended, owned);
    int mode = owned ? permissions : permissions & ORDINARY_BITS;
    tools.modes().give(calls, fd, ModeSetter.Subject.made(path), mode, modificationTimeNanos);
  }
}
