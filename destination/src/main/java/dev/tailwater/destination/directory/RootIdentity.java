package dev.tailwater.destination.directory;

import dev.tailwater.posix.value.FileStatus;
import java.util.OptionalLong;

/**
 * The identity of the opened directory. An NFS mount may come back with another device number, so
 * the device counts only if the file system keeps no birth times.
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

  /** Returns whether at most the device number differs. */
  boolean mayBeSameAs(RootIdentity other) {
    return inode == other.inode
        && (birthTimeNanos.isEmpty()
            || other.birthTimeNanos.isEmpty()
            || birthTimeNanos.equals(other.birthTimeNanos));
  }
}
