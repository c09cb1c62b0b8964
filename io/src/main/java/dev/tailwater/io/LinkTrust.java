package dev.tailwater.io;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.FileStatus;

/**
 * Tells which names only this process's user and root can have made: those in directories that
 * belong to one of the two and that nobody else may write.
 */
public final class LinkTrust {
  private static final long ROOT = 0;
  private static final int WRITABLE_BY_OTHERS = 022;
  private static final int STICKY = 01000;

  private final long userId;

  public LinkTrust(FileCalls calls) {
    this.userId = calls.effectiveUserId();
  }

  /** Whether it belongs to this process's user or to root. */
  public boolean owns(FileStatus status) {
    return status.ownerId() == ROOT || status.ownerId() == userId;
  }

  /** Whether nobody else can make, rename or remove a name in the directory. */
  public boolean alone(FileStatus directory) {
    return owns(directory) && !isWritableByOthers(directory);
  }

  /**
   * Whether a file with several names may have got the one in this directory from somebody who does
   * not own it: unless nobody else can write to the directory, or only the file's owner can.
   */
  public boolean mayBeForeignLink(FileStatus directory, FileStatus file) {
    boolean ownersAlone = directory.ownerId() == file.ownerId() && !isWritableByOthers(directory);
    return !alone(directory) && !ownersAlone;
  }

  /** Whether anybody but the owner may write to it. */
  private static boolean isWritableByOthers(FileStatus directory) {
    return (directory.permissions() & WRITABLE_BY_OTHERS) != 0;
  }

  /**
   * Whether nobody else can replace a name that is in the directory: in one such as {@code /tmp},
   * only the owner of what it leads to can.
   */
  boolean keeps(FileStatus directory, FileStatus entry) {
    return alone(directory)
        || (owns(directory) && (directory.permissions() & STICKY) != 0 && owns(entry));
  }
}
