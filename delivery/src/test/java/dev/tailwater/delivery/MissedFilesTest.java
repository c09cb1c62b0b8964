package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.watch.Losses;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of which something was seen, and that were gone before they could be opened. */
class MissedFilesTest {
  private TestAgent.Place place;
  private Path file;

  @BeforeEach
  void choosePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    file = place.log("short.log");
  }

  /** For certain or perhaps. */
  private static long missed(TestAgent agent) {
    return missed(agent.agent().status().files().losses());
  }

  private static long missed(Losses.Report losses) {
    return losses.missedFiles() + losses.perhapsMissedFiles();
  }

  @Test
  void filesThatComeAndGoUnseenAreCountedAndSaid() throws Exception {
    int count = 120;
    int hidden = 105;
    // Nobody can be sure to miss a file, so some are as if they had been gone.
    FileCalls calls =
        FaultyFileCalls.wrap(
                TestAgent.REAL_CALLS,
                call ->
                    call.method().startsWith("open")
                            && call.arguments().toString().contains("hidden-")
                        ? new Fault.Fail(Errno.ENOENT)
                        : Fault.PROCEED)
            .calls();
    try (TestAgent agent = TestAgent.start(place, place.config(), calls)) {
      agent.agent().awaitFirstScan();
      for (int i = 0; i < count; i++) {
        Path each = place.log((i < hidden ? "hidden-" : "short-") + i);
        Files.writeString(each, "gone\n");
        Files.delete(each);
      }
      // Those that were opened in time are delivered, the others are missed, and none is neither.
      TestAgent.await(
          "each file is accounted for",
          () -> {
            assertTrue(agent.agent().drainAndGoOn(java.time.Duration.ofSeconds(60)).deadlineMet());
            return missed(agent) + place.contents().streams().size() == count;
          });
      assertTrue(missed(agent) >= hidden, "missed " + missed(agent));
      DrainReport report = agent.drain();
      assertFalse(report.isComplete());
      assertEquals(missed(agent), missed(report.losses()));
      assertTrue(agent.problems.size() <= 2, "said once of each kind: " + agent.problems);
      assertTrue(report.losses().missed().size() <= 100);
    }
    String told = Files.readString(place.archive().resolve("test-agent/~left-behind.json"));
    assertTrue(told.contains("\"missedFiles\":"), told);
    assertTrue(told.contains("\"perhapsMissedFiles\":"), told);
  }

  @Test
  void aFileThatCouldNotBeOpenedUntilItWasGoneIsMissed() throws Exception {
    // It is opened by its name in its directory.
    FileCalls calls =
        FaultyFileCalls.wrap(
                TestAgent.REAL_CALLS,
                call ->
                    call.method().startsWith("open")
                            && call.arguments().contains(PosixPath.of(file).fileName())
                        ? new Fault.Fail(Errno.EACCES)
                        : Fault.PROCEED)
            .calls();
    Files.writeString(file, "nobody may read this\n");
    try (TestAgent agent = TestAgent.start(place, place.config(), calls)) {
      TestAgent.await("it is a problem", () -> !agent.problems.isEmpty());
      assertEquals(0, missed(agent), "it is still there");
      Files.delete(file);
      TestAgent.await("it is missed", () -> missed(agent) == 1);
      assertEquals(List.of(PosixPath.of(file)), agent.agent().status().files().losses().missed());
      assertFalse(agent.drain().isComplete());
    }
  }

  /** As when its directory is exchanged with a link while it is opened. */
  @Test
  void aFileThatWasNotThereForAMomentIsDelivered() throws Exception {
    AtomicBoolean there = new AtomicBoolean();
    FileCalls calls =
        FaultyFileCalls.wrap(
                TestAgent.REAL_CALLS,
                call ->
                    call.method().startsWith("open")
                            && call.arguments().contains(PosixPath.of(file).fileName())
                            && there.compareAndSet(false, true)
                        ? new Fault.Fail(Errno.ENOTDIR)
                        : Fault.PROCEED)
            .calls();
    Files.writeString(file, "still there\n");
    try (TestAgent agent = TestAgent.start(place, place.config(), calls)) {
      agent.awaitDelivered(file);
      assertTrue(there.get());
      assertEquals(0, missed(agent));
      assertTrue(agent.drain().isComplete());
    }
  }

  @Test
  void filesThatAreRenamedIntoPlaceAndRotatedAwayAreNotMissed() throws Exception {
    try (TestAgent agent = TestAgent.start(place)) {
      agent.agent().awaitFirstScan();
      for (int i = 0; i < 50; i++) {
        Path part = Files.writeString(place.log("new.part"), "round " + i + "\n");
        Files.move(part, file);
        agent.awaitSeen(file);
        Path rotated = place.log("short.log.1");
        Files.move(file, rotated);
        Files.delete(rotated);
      }
      DrainReport report = agent.drain();
      assertTrue(report.isComplete(), report.toString());
      assertEquals(0, missed(agent));
    }
    assertEquals(50, place.contents().streams().size());
  }
}
