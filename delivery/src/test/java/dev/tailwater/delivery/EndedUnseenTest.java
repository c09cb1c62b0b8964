package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.FaultPlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A file is gone before an agent that knows it from the state alone has told anything of it. */
@ExtendWith(CrashTrials.class)
class EndedUnseenTest {
  @TempDir Path base;

  @Test
  void aStreamThatATruncationBeganHasModeAndOwnerThoughItsFileIsGone() throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Path log = Files.writeString(place.log("app.log"), "some");
    Files.setPosixFilePermissions(log, PosixFilePermissions.fromString("rw-r-----"));
    AtomicBoolean isAway = new AtomicBoolean();
    MortalProcess process = new MortalProcess(FaultPlan.none());
    process.live(
        () -> {
          Destination archive =
              FaultyDestination.wrap(
                  place.openArchive(process.calls(), OpenIntent.WRITE),
                  DestinationFaultPlan.when(_ -> isAway.get(), DestinationFault.FAIL_TRANSIENT));
          try (TestAgent agent = TestAgent.start(place.config(), archive, process.calls())) {
            agent.awaitDelivered(log);
            isAway.set(true);
            Files.write(log, new byte[0], StandardOpenOption.TRUNCATE_EXISTING);
            TestAgent.await("the next stream begins", () -> epoch(agent, log) == 1);
            process.faulty().kill();
          }
        });
    Files.delete(log);

    try (TestAgent agent = TestAgent.start(place)) {
      TestAgent.await("the end is told", () -> recordOfTheNextStream(place).isPresent());
      assertTrue(agent.drain().isComplete());
    }
    StreamRecord record = recordOfTheNextStream(place).orElseThrow();
    assertEquals(0640, record.permissions());
    assertTrue(record.owner().isPresent());
  }

  private static Optional<StreamRecord> recordOfTheNextStream(TestAgent.Place place)
      throws Exception {
    return place.contents().streams().stream()
        .filter(stream -> stream.id().epoch() == 1)
        .findFirst()
        .flatMap(ArchiveContents.StreamContents::record);
  }

  private static int epoch(TestAgent agent, Path file) throws Exception {
    return agent.agent.status(PosixPath.of(file)).stream()
        .map(id -> new StreamId(id).epoch())
        .orElse(0);
  }
}
