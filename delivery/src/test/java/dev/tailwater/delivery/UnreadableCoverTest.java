package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.Signing;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.FaultyDestination;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A longer segment that the agent may not read, while it has lost its state. */
class UnreadableCoverTest {
  private static final int APPENDS = 2;
  private static final int APPENDED_BYTES = 200;

  /** As one that a rule of the bucket has moved to a class of storage that must be restored. */
  @Test
  @Timeout(180)
  void aLongerSegmentThatCannotBeReadHoldsUpNoStart(@TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    AgentConfig config =
        place.config().toBuilder().packs(PackUse.NEVER).signing(Signing.WITH_KEY_IN_STATE).build();
    Path log = place.log("app.log");
    try (TestAgent agent = TestAgent.start(place, config, TestAgent.REAL_CALLS)) {
      for (int i = 0; i < APPENDS; i++) {
        Files.write(
            log, new byte[APPENDED_BYTES], StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        agent.awaitDelivered(log);
      }
    }
    Files.move(place.state(), place.base().resolve("lost"));
    Files.delete(log); // As a rotated log is, later.
    Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE);
    String longer = putLonger(archive);
    Destination refusing =
        FaultyDestination.wrap(
            archive,
            call ->
                call.method().equals("read") && call.key().equals(longer)
                    ? DestinationFault.FAIL_PERMANENT
                    : DestinationFault.PROCEED);
    try (TestAgent agent = TestAgent.start(config, refusing, TestAgent.REAL_CALLS)) {
      agent.awaitDelivered(Files.write(place.log("other.log"), new byte[APPENDED_BYTES]));
      assertTrue(agent.drain().isComplete());
    }
  }

  private static String putLonger(Destination archive) throws Exception {
    ArchiveObject.Segment first = ForeignSegment.all(archive).getFirst();
    return ForeignSegment.put(archive, first, 0, APPENDS * APPENDED_BYTES);
  }
}
