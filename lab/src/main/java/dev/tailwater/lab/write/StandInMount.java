package dev.tailwater.lab.write;

import dev.tailwater.lab.measure.ChildClassPath;
import dev.tailwater.posix.testkit.fuse.FuseFileSystem;
import dev.tailwater.posix.testkit.fuse.FuseOptions;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A stand-in for a synchronous NFS mount: FUSE with direct I/O. There too the kernel sends requests
 * of at most 128 KiB for each write(2), and each request waits as it would for a server.
 */
record StandInMount(FuseFileSystem mounted, long delayMicros) implements CountedMount {
  static StandInMount below(Path parent, long delayMicros) throws IOException {
    // The server is a JVM of its own, which needs the JARs of the lab.
    try (ChildClassPath.Lease _ = ChildClassPath.lease()) {
      return new StandInMount(
          Uninterrupted.call(() -> FuseFileSystem.mountBelow(parent, FuseOptions.direct())),
          delayMicros);
    }
  }

  @Override
  public String name() {
    return WriteSizeSyncTable.STAND_IN;
  }

  @Override
  public String description() {
    return "stand-in (FUSE, direct I/O, %d µs a request)".formatted(delayMicros);
  }

  @Override
  public Path directory() {
    return mounted.root();
  }

  @Override
  public Path contents() {
    return mounted.files();
  }

  @Override
  public int maxRequestBytes() {
    return FuseOptions.DEFAULT_MAX_WRITE_BYTES;
  }

  @Override
  public long writeRequests() throws IOException {
    return mounted.counts().writeRequests();
  }

  @Override
  public void beSlow() throws IOException {
    mounted.delayWrites(delayMicros);
  }

  @Override
  public void close() throws IOException {
    Uninterrupted.run(mounted::close);
  }
}
