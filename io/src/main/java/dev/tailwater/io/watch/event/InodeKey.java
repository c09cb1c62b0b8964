package dev.tailwater.io.watch.event;

import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.value.FileStatus;

/**
 * Which inode a name stood for when it was looked at, as far as statx(2) by name can tell. Good
 * enough to follow a rename; who a stream is decides {@link FileIdentity} of an open descriptor.
 *
 * @param birthTimeNanos {@link #NO_BIRTH_TIME} where the file system keeps none
 */
public record InodeKey(long device, long inode, long birthTimeNanos) {
  static final long NO_BIRTH_TIME = Long.MIN_VALUE;

  public static InodeKey of(FileStatus status) {
    return new InodeKey(
        status.device(), status.inode(), status.birthTimeNanos().orElse(NO_BIRTH_TIME));
  }

  public boolean isOf(FileStatus status) {
    return inode == status.inode()
        && device == status.device()
        && birthTimeNanos == status.birthTimeNanos().orElse(NO_BIRTH_TIME);
  }

  public boolean hasBirthTime() {
    return birthTimeNanos != NO_BIRTH_TIME;
  }
}
