package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.status.StatusReport;
import dev.tailwater.posix.PosixPath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The archive is told of a mode that changes, whatever is under way then. */
class ChangedModeTest extends TwoDestinations {
  private static final int CHANGED = 0600;

  private void change(Path file) throws Exception {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  private static int mode(SwitchedDestination destination, Path file) throws Exception {
    ArchiveContents contents = destination.contents();
    ArchiveContents.StreamContents stream = contents.bornAt(file.toString()).getFirst();
    if (TestAgent.withPacks()) {
      return contents.permissionsOf(stream.id());
    }
    // What is sealed for one destination alone may be sealed after the change, and tells it.
    return stream.record().isPresent()
        ? stream.record().get().permissions()
        : stream.sealedPermissions().orElseThrow();
  }

  /** Waits until the agent has seen what came before in the directory. */
  private void awaitSeen(TestAgent agent) throws Exception {
    Path later = append("later", "seen after the change\n");
    TestAgent.await(
        "what came later is seen",
        () -> agent.agent().status(PosixPath.of(later)).stream().isPresent());
  }

  private void changeWhileHeld(SwitchedDestination... held) throws Exception {
    CountDownLatch reached = new CountDownLatch(held.length);
    CountDownLatch changed = new CountDownLatch(1);
    for (SwitchedDestination destination : held) {
      destination.onSegment(
          () -> {
            reached.countDown();
            awaitUninterruptibly(changed);
          });
    }
    Path log = append("log", "one\n");
    try (TestAgent agent = startBoth()) {
      assertTrue(reached.await(1, TimeUnit.MINUTES), "the first range is under way");
      change(log);
      awaitSeen(agent);
      changed.countDown();
      assertTrue(agent.drain().isComplete());
    }
    assertChanged(log);
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns a file that an agent has delivered, which has ended then. */
  private Path shipped(String text) throws Exception {
    Path log = append("log", text);
    try (TestAgent agent = startBoth()) {
      assertTrue(agent.drain().isComplete());
    }
    return log;
  }

  private void assertTheNextAgentTells(Path log) throws Exception {
    try (TestAgent agent = startBoth()) {
      assertTrue(agent.drain().isComplete());
    }
    assertChanged(log);
  }

  private void assertChanged(Path log) throws Exception {
    for (SwitchedDestination destination : List.of(first, second)) {
      assertEquals(CHANGED, mode(destination, log), destination.uri().toString());
    }
  }

  @Test
  void ifEveryDestinationIsSlow() throws Exception {
    changeWhileHeld(first, second);
  }

  @Test
  void ifTheDestinationIsSlowThatTheSegmentsAreSealedFor() throws Exception {
    changeWhileHeld(first);
  }

  @Test
  void ifTheDestinationIsSlowThatFollows() throws Exception {
    changeWhileHeld(second);
  }

  /** Any destination's worker may have sealed it. */
  private static long sealed(TestAgent agent) throws Exception {
    return agent.agent().status().destinations().stream()
        .mapToLong(StatusReport.AtDestination::sealedSegments)
        .sum();
  }

  @Test
  void ifTheFirstAttemptFails() throws Exception {
    Path before = append("before", "delivered before\n");
    try (TestAgent agent = startBoth()) {
      agent.awaitDelivered(before);
      long sealedBefore = sealed(agent);
      first.set(SwitchedDestination.Mode.TAKES_NO_SEGMENTS);
      second.set(SwitchedDestination.Mode.TAKES_NO_SEGMENTS);
      Path log = append("log", "one\n");
      TestAgent.await("the range is sealed", () -> sealed(agent) > sealedBefore);
      change(log);
      awaitSeen(agent);
      first.set(SwitchedDestination.Mode.UP);
      second.set(SwitchedDestination.Mode.UP);
      assertTrue(agent.drain().isComplete());
      assertChanged(log);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "one\n"})
  void ifTheFileIsQuiet(String text) throws Exception {
    Path log = append("log", text);
    try (TestAgent agent = startBoth()) {
      agent.awaitDelivered(log);
      change(log);
      TestAgent.await("the mode is told", () -> isTold(first, log) && isTold(second, log));
      assertTrue(agent.drain().isComplete());
    }
  }

  private static boolean isTold(SwitchedDestination destination, Path file) throws Exception {
    return destination.contents().bornAt(file.toString()).stream()
        .flatMap(stream -> stream.record().stream())
        .anyMatch(record -> record.permissions() == CHANGED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "one\n"})
  void ifTheFileIsQuietSinceTheStart(String text) throws Exception {
    Path log = shipped(text);
    try (TestAgent agent = startBoth()) {
      awaitSeen(agent);
      change(log);
      TestAgent.await("the mode is told", () -> isTold(first, log) && isTold(second, log));
      assertTrue(agent.drain().isComplete());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "one\n"})
  void ifTheFileIsQuietAndTheAgentDrains(String text) throws Exception {
    Path log = append("log", text);
    try (TestAgent agent = startBoth()) {
      agent.awaitDelivered(log);
      change(log);
      assertTrue(agent.drain().isComplete());
    }
    assertChanged(log);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "one\n"})
  void ifNoAgentRuns(String text) throws Exception {
    Path log = shipped(text);
    change(log);
    assertTheNextAgentTells(log);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "one\n"})
  void ifNoAgentRunsAndTheStateIsLost(String text) throws Exception {
    Path log = shipped(text);
    Files.move(place.state(), place.base().resolve("lost"));
    change(log);
    assertTheNextAgentTells(log);
  }
}
