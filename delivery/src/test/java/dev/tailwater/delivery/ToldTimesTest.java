package dev.tailwater.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.CrashError;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The archive is told of a modification time that changes without any byte. */
@ExtendWith(CrashTrials.class)
class ToldTimesTest extends TwoDestinations {
  private static final FileTime LONG_AGO = FileTime.from(Instant.parse("2001-02-03T04:05:06.789Z"));
  private static final FileTime LATER = FileTime.from(Instant.parse("2002-03-04T05:06:07.891Z"));

  private static long timeNanos(FileTime time) {
    return time.to(TimeUnit.NANOSECONDS);
  }

  private static boolean isTold(SwitchedDestination destination, Path file, FileTime time)
      throws Exception {
    return destination.contents().bornAt(file.toString()).stream()
        .anyMatch(stream -> stream.toldTimeNanos() == timeNanos(time));
  }

  private void assertTold(Path file, FileTime time) throws Exception {
    for (SwitchedDestination destination : List.of(first, second)) {
      assertTrue(isTold(destination, file, time), destination.uri().toString());
    }
  }

  private void awaitTold(Path file, FileTime time) throws Exception {
    TestAgent.await(
        "the time is told", () -> isTold(first, file, time) && isTold(second, file, time));
  }

  private static void drain(TestAgent agent) throws Exception {
    assertTrue(agent.drain().isComplete());
  }

  /** Returns a file that an agent has delivered, which has ended then. */
  private Path shipped() throws Exception {
    Path log = append("log", "one\n");
    try (TestAgent agent = startBoth()) {
      drain(agent);
    }
    return log;
  }

  private void assertTheNextAgentTells(Path log, FileTime time) throws Exception {
    try (TestAgent agent = startBoth()) {
      drain(agent);
    }
    assertTold(log, time);
  }

  @Test
  void whenTheFileIsCompared() throws Exception {
    Path log = append("log", "one\n");
    try (TestAgent agent = startBoth()) {
      agent.awaitDelivered(log);
      Files.setLastModifiedTime(log, LONG_AGO);
      awaitTold(log, LONG_AGO);
      drain(agent);
    }
  }

  @Test
  void whenTheAgentDrains() throws Exception {
    Path log = append("log", "one\n");
    try (TestAgent agent = startBoth()) {
      agent.awaitDelivered(log);
      Files.setLastModifiedTime(log, LONG_AGO);
      drain(agent);
    }
    assertTold(log, LONG_AGO);
  }

  @Test
  void whenTheAgentDrainsThoughAnotherOneWasToldJustBefore() throws Exception {
    Path log = append("log", "one\n");
    try (TestAgent agent = startBoth()) {
      agent.awaitDelivered(log);
      Files.setLastModifiedTime(log, LONG_AGO);
      awaitTold(log, LONG_AGO);
      Files.setLastModifiedTime(log, LATER);
      drain(agent);
    }
    assertTold(log, LATER);
  }

  @Test
  void whenTheFileHadLeftMemory() throws Exception {
    Path log = shipped();
    try (TestAgent agent = startBoth()) {
      TestAgent.await("it is found", () -> agent.agent().status().files().watched() == 1);
      assertEquals(0, agent.agent().filesInMemory());
      Files.setLastModifiedTime(log, LONG_AGO);
      awaitTold(log, LONG_AGO);
      drain(agent);
    }
  }

  @Test
  void whenTheFileHasAnotherName() throws Exception {
    Path log = append("log", "one\n");
    Path link = Files.createLink(place.log("link"), log);
    try (TestAgent agent = startBoth()) {
      agent.awaitDelivered(log);
      Files.delete(log);
      Files.setLastModifiedTime(link, LONG_AGO);
      TestAgent.await("a name is gone", () -> agent.agent().status().files().watched() == 1);
      drain(agent);
    }
    ArchiveContents.StreamContents stream = first.contents().streams().iterator().next();
    assertEquals(timeNanos(LONG_AGO), stream.toldTimeNanos());
  }

  @Test
  void whenNoAgentRuns() throws Exception {
    Path log = shipped();
    Files.setLastModifiedTime(log, LONG_AGO);
    assertTheNextAgentTells(log, LONG_AGO);
  }

  @Test
  void whenNoAgentRunsAndTheStateIsLost() throws Exception {
    Path log = shipped();
    Files.move(place.state(), place.base().resolve("lost"));
    Files.setLastModifiedTime(log, LONG_AGO);
    assertTheNextAgentTells(log, LONG_AGO);
  }

  @Test
  void notOnceMoreByAnAgentThatFindsNothingNew() throws Exception {
    Path log = shipped();
    Files.setLastModifiedTime(log, LONG_AGO);
    assertTheNextAgentTells(log, LONG_AGO);
    String before = first.contents().streams() + " " + first.contents().packs();
    assertTheNextAgentTells(log, LONG_AGO);
    assertEquals(before, first.contents().streams() + " " + first.contents().packs());
  }

  /** The killed one has saved what it saw, and nobody has taken what it was about to tell. */
  @Test
  void whenTheAgentIsKilledBeforeItCanTell() throws Exception {
    Path log = append("log", "one\n");
    FaultyFileCalls calls = FaultyFileCalls.wrap(TestAgent.REAL_CALLS, FaultPlan.none());
    TestAgent killed =
        TestAgent.start(
            place.config(), List.of(first.required(), second.required()), calls.calls());
    killed.awaitDelivered(log);
    first.set(SwitchedDestination.Mode.FULL);
    second.set(SwitchedDestination.Mode.FULL);
    Files.setPosixFilePermissions(log, PosixFilePermissions.fromString("rw-------"));
    Files.setLastModifiedTime(log, LONG_AGO);
    killed.agent().drainAndGoOn(Duration.ofSeconds(2)); // It compares, and saves that.
    kill(killed, calls);

    first.set(SwitchedDestination.Mode.UP);
    second.set(SwitchedDestination.Mode.UP);
    assertTheNextAgentTells(log, LONG_AGO);
    for (SwitchedDestination destination : List.of(first, second)) {
      ArchiveContents contents = destination.contents();
      ArchiveContents.StreamContents stream = contents.bornAt(log.toString()).getFirst();
      assertEquals(0600, stream.record().orElseThrow().permissions());
    }
  }

  private static void kill(TestAgent agent, FaultyFileCalls calls) throws IOException {
    calls.kill();
    try {
      agent.close();
    } catch (CrashError | IOException | RuntimeException e) {
      // It is dead.
    }
  }

  @Test
  void neverBesideBytesThatAreToBeDelivered() throws Exception {
    Path log = append("log", "one\n");
    try (TestAgent agent = startBoth()) {
      agent.awaitDelivered(log);
      Files.writeString(log, "two\n");
      Files.setLastModifiedTime(log, LONG_AGO);
      agent.awaitDelivered(log);
      assertTrue(agent.agent().status(PosixPath.of(log)).isDelivered());
      drain(agent);
    }
    ArchiveContents.StreamContents last = first.contents().bornAt(log.toString()).getLast();
    assertEquals("two\n", new String(last.prefix(), UTF_8));
    assertEquals(timeNanos(LONG_AGO), last.toldTimeNanos());
  }
}
