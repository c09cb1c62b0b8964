package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.Source;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A disk that is taken away while an agent has its files open, and comes back as another device:
 * attached anew, or as a copy. Its files have the identities that they had.
 */
class DiskReplacedTest {
  private static final int IMAGE_BYTES = 16 << 20;

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"", "after the copy\n", "after the copy, and long\n"})
  void whatIsWrittenAfterThatIsDelivered(String lost) throws Exception {
    TestAgent.Place place = new TestAgent.Place(directory.toRealPath());
    try (MountedFileSystem disk = TestFileSystems.ext4(IMAGE_BYTES, 4096)) {
      Path logs = Files.createDirectories(disk.root().resolve("logs"));
      Path file = Files.writeString(logs.resolve("a.log"), "before\n");
      AgentConfig config =
          place.config().toBuilder()
              .sources(List.of(new Source(PosixPath.of(logs), List.of(), List.of())))
              .goneGrace(Duration.ofMinutes(1))
              .build();
      try (TestAgent agent = TestAgent.start(place, config, TestAgent.REAL_CALLS)) {
        agent.awaitDelivered(file);
        Path copy = disk.copyDisk();
        append(file, lost);
        agent.awaitDelivered(file);
        disk.takeDisk();
        disk.mountCopy(copy);
        append(file, "after the disk\n");
        assertTrue(agent.drain().isComplete());
        assertArrayEquals(
            Files.readAllBytes(file), place.contents().bornAt(file.toString()).getLast().prefix());
      }
    }
  }

  private static void append(Path file, String text) throws IOException {
    Files.writeString(file, text, StandardOpenOption.APPEND);
  }
}
