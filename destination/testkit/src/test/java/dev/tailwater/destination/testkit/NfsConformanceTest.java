package dev.tailwater.destination.testkit;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.Destinations;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.nfs.NfsFileSystem;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The conformance tests for a directory of a real NFS server. Skipped if there is none. */
class NfsConformanceTest extends DestinationConformance {
  private static Optional<NfsFileSystem> mounted = Optional.empty();

  private final String place = UUID.randomUUID().toString();

  @BeforeAll
  static void mount() throws IOException {
    mounted = Optional.of(NfsFileSystem.mount("hard"));
  }

  @AfterAll
  static void unmount() throws IOException {
    if (mounted.isPresent()) {
      // Fails if the destination left a file open.
      mounted.get().close();
    }
  }

  @Override
  protected Destination open() throws IOException {
    return Destinations.open(
        mounted.orElseThrow().root().resolve(place).toString(),
        OpenIntent.WRITE,
        new DestinationContext(LinuxFileCalls.create(), InstantSource.system(), new Random()));
  }
}
