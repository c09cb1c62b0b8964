package dev.tailwater.destination.directory;

import dev.tailwater.posix.value.FileStatus;
import java.util.OptionalLong;

/**
 * Which directory it was that was opened. An NFS mount may come back with another device number, so
 * that counts only where the file system keeps no birth times.
 */
record RootIdentity(long device, long inode, OptionalLong birthTimeNanos) {
  static RootIdentity of(FileStatus status) {
    return new RootIdentity(status.device(), status.inode(), status.birthTimeNanos());
  }

  boolean isSameAs(RootIdentity other) {
    if (birthTimeNanos.isPresent() && other.birthTimeNanos.isPresent()) {
      return inode == other.inode && birthTimeNanos.equals(other.birthTimeNanos);
    }
    return inode == other.inode && device == other.device;
  }

  /** Whether only the device number speaks against it. */
  boolean mayBeSameAs(RootIdentity other) {
    return inode == other.inode
        && (birthTimeNanos.isEmpty()
            || other.birthTimeNanos.isEmpty()
            || birthTimeNanos.equals(other.birthTimeNanos));
  }
}
