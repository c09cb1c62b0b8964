package dev.tailwater.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tailwater.delivery.config.AgentConfig;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes of which the kernel tells another name than the file has; no scan is near. */
class WritesElsewhereTest {
  private TestAgent.Place place;
  private Path first;

  @BeforeEach
  void choosePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    first = Files.writeString(place.log("first.log"), "begun\n");
  }

  @Test
  void aFileGrowsAfterItsFirstNameWasReplacedByALink() throws Exception {
    writesAfter(place.log("second.log"));
  }

  @Test
  void aFileGrowsAfterItsFirstNameWasReplacedByALinkInAnotherDirectory() throws Exception {
    Path directory = Files.createDirectory(place.log("directory"));
    writesAfter(directory.resolve("second.log"));
  }

  private void writesAfter(Path second) throws Exception {
    AgentConfig config = place.config().toBuilder().reconcile(Duration.ofHours(1)).build();
    try (TestAgent agent = TestAgent.start(place, config, TestAgent.REAL_CALLS);
        FileChannel writer = FileChannel.open(first, StandardOpenOption.APPEND)) {
      agent.awaitDelivered(first);
      Files.createLink(second, first);
      Files.delete(first);
      for (int i = 0; i < 3; i++) {
        writer.write(ByteBuffer.wrap("more\n".getBytes(UTF_8)));
        // Not awaitDelivered: to be asked about a file has the agent look at it.
        TestAgent.await("all is in the archive", () -> archivedBytes() == Files.size(second));
      }
    }
  }

  private long archivedBytes() throws Exception {
    return place.contents().streams().stream().mapToLong(each -> each.prefix().length).sum();
  }
}
