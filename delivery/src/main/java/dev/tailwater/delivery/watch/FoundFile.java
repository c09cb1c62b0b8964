package dev.tailwater.delivery.watch;

import dev.tailwater.delivery.open.TailOpener;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.value.FileStatus;
import java.util.Optional;

/**
 * A file that a scan has found.
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
}
