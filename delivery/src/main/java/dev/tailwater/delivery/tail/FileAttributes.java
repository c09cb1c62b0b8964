package dev.tailwater.delivery.tail;

import dev.tailwater.archive.FileOwner;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.posix.value.FileStatus;
import java.util.OptionalInt;

/** The attributes of a file that left memory, as a number that tells whether one has changed. */
public final class FileAttributes {
  private FileAttributes() {}

  /** Returns a hash of the attributes of a file as it is. */
  public static int hash(FileStatus status) {
    return hash(
        status.sizeBytes(),
        status.modificationTimeNanos(),
        status.permissions(),
        Math.min(status.ownerId(), FileOwner.MAX_ID),
        Math.min(status.groupId(), FileOwner.MAX_ID));
  }

  /** Returns a hash of the attributes with which a file was last seen; empty if it was not. */
  public static OptionalInt hash(long sizeBytes, StreamProgress.Attributes seen) {
    if (seen.owner().isEmpty()) {
      return OptionalInt.empty();
    }
    FileOwner owner = seen.owner().get();
    return OptionalInt.of(
        hash(
            sizeBytes,
            seen.modificationTimeNanos(),
            seen.permissions(),
            owner.userId(),
            owner.groupId()));
  }

  /** Returns a hash: of two different files or moments, one in four billion has the same. */
  public static int hash(
      long sizeBytes, long modificationTimeNanos, int permissions, long userId, long groupId) {
    long hash = mix(sizeBytes);
    hash = mix(hash ^ modificationTimeNanos);
    hash = mix(hash ^ permissions);
    hash = mix(hash ^ userId);
    return (int) mix(hash ^ groupId);
  }

  /** The finalizer of MurmurHash3. */
  private static long mix(long value) {
    long mixed = (value ^ (value >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ (mixed >>> 33);
  }
}
