package dev.tailwater.io;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.FileStatus;

/**
 * Decides which names only this process's user or root can have made: those in directories that
 * belong to one of the two and that nobody else may write to.
 */
public final class LinkTrust {
  private static final long ROOT = 0;
  private static final int WRITABLE_BY_OTHERS = 022;
  private static final int STICKY = 01000;

  private final long userId;

  public LinkTrust(FileCalls calls) {
    this.userId = calls.effectiveUserId();
  }

  /** Returns whether the file belongs to this process's user or to root. */
  public boolean owns(FileStatus status) {
    return status.ownerId() == ROOT || status.ownerId() == userId;
  }

  /** Returns whether nobody else can create, rename or remove a name in the directory. */
  public boolean alone(FileStatus directory) {
    return owns(directory) && !isWritableByOthers(directory);
  }

  /**
   * Returns whether somebody who does not own a file may have linked it into this directory: false
   * if nobody else, or only the file's owner, can write to the directory.
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
   * Returns whether nobody else can replace a name in the directory. In a sticky directory such as
   * {@code /tmp}, only the owner of the file can.
   */
  boolean keeps(FileStatus directory, FileStatus entry) {
    return alone(directory)
        || (owns(directory) && (directory.permissions() & STICKY) != 0 && owns(entry));
  }
}
