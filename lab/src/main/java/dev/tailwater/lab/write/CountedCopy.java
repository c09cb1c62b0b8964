package dev.tailwater.lab.write;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A trial that copies a file repeatedly, measures time and requests, and checks the copy. */
final class CountedCopy {
  private static final String NAME = "copy.bin";
  private static final double MEBIBYTE = 1 << 20;

  private final CountedMount mount;
  private final Path from;

  CountedCopy(CountedMount mount, Path from) {
    this.mount = mount;
    this.from = from;
  }

  /** Returns WRITE requests for each MiB, and 10⁶ bytes a second. */
  double[] run(SyncWay way) throws IOException {
    Path to = mount.directory().resolve(NAME);
    Files.deleteIfExists(to);
    long before = mount.writeRequests();
    double megabytesPerSecond = timed(way, to);
    long requests = mount.writeRequests() - before;
    check(way, mount.contents().resolve(NAME));
    Files.delete(to);
    return new double[] {requests * MEBIBYTE / Files.size(from), megabytesPerSecond};
  }

  /** Returns the same quantities for a mount whose requests are not counted. */
  double[] runUncounted(SyncWay way, Path to) throws IOException {
    double megabytesPerSecond = timed(way, to);
    check(way, to);
    Files.delete(to);
    return new double[] {Double.NaN, megabytesPerSecond};
  }

  private double timed(SyncWay way, Path to) throws IOException {
    long startNanos = System.nanoTime();
    way.copy().copy(from, to);
    return Files.size(from) * 1e3 / (System.nanoTime() - startNanos);
  }

  private void check(SyncWay way, Path written) throws IOException {
    long differs = Files.mismatch(from, written);
    if (differs != -1) {
      throw new IOException(
          "%s of %s wrote something else than it read, from offset %d on"
              .formatted(way.name(), way.size(), differs));
    }
  }
}
