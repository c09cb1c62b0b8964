package dev.tailwater.destination.testkit;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.Destinations;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;

/**
 * The conformance tests for the root of an ext4 file system of its own, with blocks of 1 KiB and a
 * lost+found directory.
 */
class SmallBlocksConformanceTest extends DestinationConformance {
  private Optional<MountedFileSystem> mounted = Optional.empty();

  @Override
  protected Destination open() throws IOException {
    if (mounted.isEmpty()) {
      mounted = Optional.of(TestFileSystems.ext4(64 << 20, 1024));
    }
    return Destinations.open(
        mounted.get().root().toString(),
        OpenIntent.WRITE,
        new DestinationContext(LinuxFileCalls.create(), InstantSource.system(), new Random()));
  }

  @AfterEach
  void unmount() throws IOException {
    if (mounted.isPresent()) {
      // Fails if the destination left a file open.
      mounted.get().close();
    }
  }
}
