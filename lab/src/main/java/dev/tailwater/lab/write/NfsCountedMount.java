package dev.tailwater.lab.write;

import dev.tailwater.io.mount.MountInfo;
import dev.tailwater.io.mount.NfsRequests;
import dev.tailwater.posix.FileCalls;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A directory on an NFS mount. The kernel counts the requests of all programs that use the mount,
 * so writes of other programs are counted too.
 */
record NfsCountedMount(Path directory, FileCalls calls, MountInfo mount) implements CountedMount {
  @Override
  public String name() {
    return mount.synchronous()
        ? WriteSizeSyncTable.SYNCHRONOUS
        : WriteSizeSyncTable.NOT_SYNCHRONOUS;
  }

  @Override
  public String description() {
    return mount.synchronous() ? "NFS, synchronous" : "NFS, not synchronous";
  }

  @Override
  public Path contents() {
    return directory;
  }

  @Override
  public int maxRequestBytes() {
    return mount.preferredWriteBytes();
  }

  @Override
  public long writeRequests() throws IOException {
    return NfsRequests.of(calls, mount.mountPoint())
        .orElseThrow(() -> new IOException(mount.mountPoint() + " is no longer mounted"))
        .writes();
  }

  @Override
  public void beSlow() {
    // A real mount has its own speed.
  }

  @Override
  public void close() {
    // This class did not mount it, so it does not unmount it.
  }
}
