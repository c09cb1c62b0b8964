package dev.tailwater.delivery.watch;

import dev.tailwater.delivery.open.TailOpener;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.value.FileStatus;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * A file that a scan or a look has found.
 *
 * @param identity of one that is not open, the one that it most likely has
 * @param descriptor of one that is open; whoever opened it closes it
 */
record FoundFile(FileIdentity identity, FileStatus status, Optional<Descriptor> descriptor) {
  static FoundFile of(TailOpener.Opened opened) {
    return new FoundFile(opened.identity(), opened.status(), Optional.of(opened.descriptor()));
  }

  static FoundFile of(FileIdentity likely, TailOpener.Seen seen) {
    return new FoundFile(likely, seen.status(), Optional.empty());
  }

  /**
   * Returns whether the change time tells that the file holds what was read of it. FAT, FUSE and
   * the like make it up from the modification time, which anybody can set; file systems whose
   * inodes have generations keep it.
   *
   * @param vouches returns whether a file with this change time does
   */
  boolean isVouchedFor(LongPredicate vouches) {
    return identity.generation().isPresent() && vouches.test(status.changeTimeNanos());
  }

  /**
   * Returns whether the file, which is open, still has the end that was read of it: somebody may
   * have written other bytes, and have set the time that the file had before.
   *
   * @param marker of what is before the offset; empty if that is not known
   */
  boolean endsAsRead(long offsetBytes, Optional<Marker> marker) {
    if (descriptor.isEmpty()) {
      return false;
    }
    if (offsetBytes == 0) {
      return true;
    }
    Optional<Marker> known = marker.filter(some -> some.lengthBytes() > 0);
    Descriptor file = descriptor.get();
    try {
      return known.isPresent() && known.get().matches(file.calls(), file.fd(), offsetBytes);
    } catch (ErrnoException e) {
      return false; // Whoever reads the file finds out what is wrong.
    }
  }
}
