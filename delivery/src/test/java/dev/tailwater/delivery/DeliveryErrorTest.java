package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.log.StoreOptions;
import dev.tailwater.store.log.TransactionLogStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes whose delivery ends by an Error stay at risk, for everybody to see. */
class DeliveryErrorTest {
  private final SwitchedDestination archive = SwitchedDestination.inMemory("archive");
  private TestAgent.Place place;
  private Path log;

  @BeforeEach
  void choosePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    log = Files.writeString(place.log("app.log"), "one\n");
  }

  private static void awaitReport(TestAgent agent, String error) throws Exception {
    TestAgent.await(
        error + " is reported",
        () -> agent.problems.stream().anyMatch(p -> p.message().contains(error)));
  }

  private void failsOnce(Error error) {
    AtomicBoolean failed = new AtomicBoolean();
    archive.onSegment(
        () -> {
          if (failed.compareAndSet(false, true)) {
            throw error;
          }
        });
  }

  @Test
  void aSegmentForWhichThereWasNoMemoryIsReportedAndTriedAgain() throws Exception {
    failsOnce(new OutOfMemoryError("says a test"));
    try (TestAgent agent = TestAgent.start(place.config(), archive, TestAgent.REAL_CALLS)) {
      awaitReport(agent, "OutOfMemoryError");
      agent.awaitDelivered(log);
    }
  }

  @Test
  void aSegmentForWhichAClassWasMissingIsReportedAndADrainTriesItAgain() throws Exception {
    failsOnce(new NoClassDefFoundError("says a test"));
    try (TestAgent agent = TestAgent.start(place.config(), archive, TestAgent.REAL_CALLS)) {
      awaitReport(agent, "NoClassDefFoundError");
      assertEquals(0, agent.agent().drainAndGoOn(Duration.ofSeconds(20)).leftBehindBytes());
    }
  }

  @Test
  void aRunThatLeftASegmentUndeliveredByAnErrorIsNotTakenForACleanOne() throws Exception {
    archive.onSegment(
        () -> {
          throw new NoClassDefFoundError("says a test");
        });
    try (TestAgent agent = TestAgent.startOnce(place.config(), archive)) {
      assertFalse(agent.agent().drain(Optional.empty()).isComplete());
    }
    try (KeyValueStore store =
        TransactionLogStore.open(
            TestAgent.REAL_CALLS, PosixPath.of(place.state()), StoreOptions.defaults())) {
      assertEquals(
          CheckpointStore.PreviousRun.INTERRUPTED,
          new CheckpointStore(store, store, archive.uri().toString()).begin());
    }
  }
}
