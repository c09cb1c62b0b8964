package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.pack.PackUse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that were moved away, and so have ended for the archive, and come back. */
final class ReturnedFileTest {
  private final TestAgent.Place place;
  private final Path file;

  ReturnedFileTest(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    file = place.log("log");
  }

  private Optional<StreamRecord.End> end() throws Exception {
    return archived().record().flatMap(StreamRecord::end);
  }

  private ArchiveContents.StreamContents archived() throws Exception {
    return place.contents().bornAt(file.toString()).getFirst();
  }

  private void awaitEnd(StreamRecord.EndReason reason) throws Exception {
    TestAgent.await(
        "the stream ends: " + reason,
        () -> end().filter(end -> end.reason() == reason).isPresent());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, Integer.MAX_VALUE})
  void endsWithAllItsBytesWhenItIsDeletedAtLast(int leastFilesForPacks) throws Exception {
    Path elsewhere = place.base().resolve("elsewhere");
    AgentConfig config = place.config().toBuilder().packs(new PackUse(leastFilesForPacks)).build();
    Files.writeString(file, "b".repeat(60_000));
    try (TestAgent agent = TestAgent.start(place, config, TestAgent.REAL_CALLS)) {
      agent.awaitDelivered(file);
      for (int round = 0; round < 5; round++) {
        Files.move(file, elsewhere);
        awaitEnd(StreamRecord.EndReason.MOVED_AWAY);
        Path back = place.log("back-" + round);
        Files.move(elsewhere, back);
        Files.writeString(back, "more".repeat(1000), StandardOpenOption.APPEND);
        agent.awaitDelivered(back);
        TestAgent.await("it goes on", () -> end().isEmpty());
        Files.move(back, file);
      }
      Files.move(file, elsewhere);
      awaitEnd(StreamRecord.EndReason.MOVED_AWAY);
      Files.move(elsewhere, file);
      Files.writeString(file, "last", StandardOpenOption.APPEND);
      byte[] all = Files.readAllBytes(file);
      agent.awaitDelivered(file);
      Files.delete(file);
      awaitEnd(StreamRecord.EndReason.DELETED);
      assertEquals(all.length, end().orElseThrow().sizeBytes());
      assertArrayEquals(all, archived().prefix());
      assertTrue(agent.drain().isComplete());
    }
  }
}
