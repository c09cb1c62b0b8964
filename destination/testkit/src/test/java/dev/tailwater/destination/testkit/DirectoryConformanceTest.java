package dev.tailwater.destination.testkit;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.Destinations;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;

/** The conformance tests for a directory. */
class DirectoryConformanceTest extends DestinationConformance {
  @TempDir Path directory;

  @Override
  protected Destination open() throws IOException {
    return Destinations.open(
        directory.resolve("new/archive").toString(),
        OpenIntent.WRITE,
        new DestinationContext(LinuxFileCalls.create(), InstantSource.system(), new Random()));
  }
}
