package dev.tailwater.io.mount;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.util.Optional;

/** Finds the mount of a descriptor. */
final class MountLookup {
  private static final String MOUNT_ID = "mnt_id:";

  private final ProcFiles proc;

  MountLookup(ProcFiles proc) {
    this.proc = proc;
  }

  /** Empty without /proc, and where the mount is out of this process's view. */
  Optional<MountEntry> entry(int fd, FileStatus status) throws ErrnoException {
    Optional<String> text = proc.mountInfo();
    if (text.isEmpty()) {
      return Optional.empty();
    }
    MountTable table = MountTable.of(text.get());
    Optional<MountEntry> found = table.byId(mountId(fd, status));
    if (found.isPresent()) {
      return found;
    }
    Optional<PosixPath> path = proc.pathOf(fd);
    return path.isPresent() ? table.byPath(path.get(), status.device()) : Optional.empty();
  }

  private long mountId(int fd, FileStatus status) throws ErrnoException {
    // Before Linux 5.8 statx does not tell; /proc does since 3.15.
    return status.mountId() != 0 ? status.mountId() : mountId(proc.descriptor(fd).orElse(""));
  }

  /** The id in the text of /proc/self/fdinfo/FD; 0 when it is not there. */
  static long mountId(String descriptorText) {
    return descriptorText
        .lines()
        .filter(line -> line.startsWith(MOUNT_ID))
        .mapToLong(line -> Long.parseLong(line.substring(MOUNT_ID.length()).strip()))
        .findFirst()
        .orElse(0);
  }
}
