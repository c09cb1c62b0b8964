package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.record.GapRecord;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.FaultPlan;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes that an agent had seen and not delivered are gone before the next one starts. */
@ExtendWith(CrashTrials.class)
@Timeout(180)
class LostBeforeStartTest {
  private final AtomicBoolean isAway = new AtomicBoolean();
  private TestAgent.Place place;
  private Path log;

  @BeforeEach
  void choosePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    log = place.log("app.log");
  }

  private AgentConfig config(boolean packs) {
    return place.config().toBuilder()
        .packs(packs ? PackUse.ALWAYS : PackUse.NEVER)
        .mergeToBytes(OptionalLong.of(0))
        .build();
  }

  /** What is done to the file. */
  enum Change {
    EMPTIED(""),
    SHORTER("2\n"),
    DELETED("");

    final String text;

    Change(String text) {
      this.text = text;
    }

    void apply(Path file) throws Exception {
      if (this == DELETED) {
        Files.delete(file);
      } else {
        Files.writeString(file, text);
      }
    }
  }

  private Destination archive(MortalProcess process) throws Exception {
    return FaultyDestination.wrap(
        place.openArchive(process.calls(), OpenIntent.WRITE),
        DestinationFaultPlan.when(_ -> isAway.get(), DestinationFault.FAIL_TRANSIENT));
  }

  private static void awaitAtRisk(TestAgent agent, long bytes) throws Exception {
    TestAgent.await(
        bytes + " bytes are at risk",
        () -> agent.agent().status().progress().atRiskBytes() == bytes);
  }

  /** Stops an agent whose destination is away: of 13 bytes it has delivered the first six. */
  private void leaveSevenBytesBehind(boolean packs) throws Exception {
    Files.writeString(log, "first\n");
    MortalProcess process = new MortalProcess(FaultPlan.none());
    try (TestAgent agent = TestAgent.start(config(packs), archive(process), process.calls())) {
      agent.awaitDelivered(log);
      isAway.set(true);
      Files.writeString(log, "second\n", StandardOpenOption.APPEND);
      awaitAtRisk(agent, 7);
    }
  }

  /** All that was delivered of the file is in the stream that it has had from the first. */
  private void requireOneStreamWithoutGaps() throws Exception {
    List<ArchiveContents.StreamContents> streams = place.contents().bornAt(log.toString());
    assertEquals(1, streams.size());
    assertEquals(List.of(), streams.getFirst().gaps());
  }

  @ParameterizedTest
  @CsvSource({
    "false,EMPTIED", "false,SHORTER", "false,DELETED",
    "true,EMPTIED", "true,SHORTER", "true,DELETED"
  })
  void bytesThatAnAgentLeftBehindWhenItStoppedAreAGap(boolean packs, Change change)
      throws Exception {
    leaveSevenBytesBehind(packs);
    change.apply(log);
    if (change == Change.EMPTIED || change == Change.SHORTER) {
      List<Problem> problems =
          OfflineStatus.read(TestAgent.REAL_CALLS, PosixPath.of(place.state()))
              .orElseThrow()
              .report()
              .problems();
      assertEquals(
          "7 bytes that were seen and not delivered are gone from " + log,
          problems.getFirst().message());
    }
    requireGap(packs, new ByteRange(6, 13));
  }

  /** As a log that is rotated just while an agent starts. */
  @Test
  void nothingIsCalledLostInAFileThatTheFirstScanHasMissed() throws Exception {
    leaveSevenBytesBehind(false);
    Path outside = Files.move(log, place.base().resolve("outside"));
    try (TestAgent agent = TestAgent.start(place, config(false), TestAgent.REAL_CALLS)) {
      agent.agent().awaitFirstScan();
      Path rotated = Files.move(outside, place.log("app.log.1"));
      agent.awaitDelivered(rotated);
      assertTrue(agent.drain().isComplete());
    }
    requireOneStreamWithoutGaps();
  }

  /** As {@code ship --once} drains as soon as it has scanned. */
  @Test
  void nothingIsCalledLostInAFileThatTheFirstScanHasMissedBeforeADrain() throws Exception {
    leaveSevenBytesBehind(false);
    Path outside = Files.move(log, place.base().resolve("outside"));
    try (TestAgent agent = TestAgent.start(place, config(false), TestAgent.REAL_CALLS)) {
      agent.agent().awaitFirstScan();
      var _ = agent.agent().drainAndGoOn(Duration.ofMillis(300));
      Path rotated = Files.move(outside, place.log("app.log.1"));
      agent.awaitDelivered(rotated);
      assertTrue(agent.drain().isComplete());
    }
    requireOneStreamWithoutGaps();
  }

  /** As databases do, whose files may have grown as well. */
  @ParameterizedTest
  @ValueSource(strings = {"written over\n", "written over, and longer\n"})
  void nothingIsCalledLostInAFileThatWasOverwrittenAndIsNoShorter(String text) throws Exception {
    leaveSevenBytesBehind(false);
    Files.writeString(log, text, StandardOpenOption.WRITE);
    try (TestAgent agent = TestAgent.start(place, config(false), TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
    }
    List<ArchiveContents.StreamContents> streams = place.contents().bornAt(log.toString());
    assertEquals(List.of(), streams.getFirst().gaps());
    assertEquals(text, new String(streams.getLast().prefix(), StandardCharsets.US_ASCII));
  }

  @ParameterizedTest
  @CsvSource({"false,false", "false,true", "true,false", "true,true"})
  void bytesAreAGapThatARunSawWhoseDestinationNeverAnswered(boolean packs, boolean drained)
      throws Exception {
    Files.writeString(log, "first\n");
    try (TestAgent agent = TestAgent.start(place, config(packs), TestAgent.REAL_CALLS)) {
      agent.awaitDelivered(log);
      if (drained) {
        assertTrue(agent.drain().isComplete());
      }
    }
    isAway.set(true);
    Files.writeString(log, "second\n", StandardOpenOption.APPEND);
    MortalProcess process = new MortalProcess(FaultPlan.none());
    try (TestAgent agent = TestAgent.start(config(packs), archive(process), process.calls())) {
      awaitAtRisk(agent, 7);
    }
    Change.SHORTER.apply(log);
    requireGap(packs, new ByteRange(6, 13));
  }

  @ParameterizedTest
  @CsvSource({"false,SHORTER", "true,SHORTER", "false,DELETED", "true,EMPTIED"})
  void bytesOfAFileThatAKilledAgentHadRecordedAreAGap(boolean packs, Change change)
      throws Exception {
    Files.writeString(place.log("other.log"), "some");
    try (TestAgent agent = TestAgent.start(place, config(packs), TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
    }
    MortalProcess process = new MortalProcess(FaultPlan.none());
    process.live(
        () -> {
          try (TestAgent agent =
              TestAgent.start(config(packs), archive(process), process.calls())) {
            agent.agent().awaitFirstScan();
            agent.awaitDelivered(place.log("other.log"));
            isAway.set(true);
            Path outside = Files.writeString(place.base().resolve("app"), "first\nsecond\n");
            Files.move(outside, log); // So that its first look sees all of it.
            awaitAtRisk(agent, 13);
            Files.writeString(place.log("later.log"), "1");
            awaitAtRisk(agent, 13 + 1); // The file that came before is recorded now.
            process.faulty().kill();
          }
        });
    change.apply(log);
    requireGap(packs, new ByteRange(0, 13));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFileThatGrewIsGoneOnWith(boolean kill) throws Exception {
    Files.writeString(log, "first\n");
    MortalProcess process = new MortalProcess(FaultPlan.none());
    process.live(
        () -> {
          try (TestAgent agent =
              TestAgent.start(config(false), archive(process), process.calls())) {
            agent.awaitDelivered(log);
            isAway.set(true);
            Files.writeString(log, "second\n", StandardOpenOption.APPEND);
            awaitAtRisk(agent, 7);
            if (kill) {
              process.faulty().kill();
            }
          }
        });
    Files.writeString(log, "third\n", StandardOpenOption.APPEND);
    try (TestAgent agent = TestAgent.start(place, config(false), TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
    }
    List<ArchiveContents.StreamContents> streams = place.contents().bornAt(log.toString());
    assertEquals(1, streams.size());
    assertEquals(List.of(), streams.getFirst().gaps());
    assertEquals(19, streams.getFirst().prefix().length);
  }

  /** The state knows which name is taken: no later run counts what is there as the file's bytes. */
  @ParameterizedTest
  @CsvSource({
    "false,false,SHORTER", "false,true,SHORTER", "true,false,SHORTER", "true,true,SHORTER",
    "false,false,DELETED", "false,true,DELETED", "true,false,DELETED", "true,true,EMPTIED"
  })
  void bytesWhoseNameIsTakenAreReportedByTheNextRun(boolean running, boolean kill, Change change)
      throws Exception {
    Files.writeString(log, "first\n");
    MortalProcess process = new MortalProcess(FaultPlan.none());
    process.live(
        () -> {
          Destination archive = archive(process);
          try (TestAgent agent = TestAgent.start(config(false), archive, process.calls())) {
            agent.awaitDelivered(log);
            ForeignSegment.put(archive, ForeignSegment.all(archive).getFirst(), 6, 7);
            Files.writeString(log, "second\n", StandardOpenOption.APPEND);
            TestAgent.await("the name is taken", () -> !agent.problems.isEmpty());
            if (running) {
              change.apply(log);
              assertFalse(agent.agent().drainAndGoOn(Duration.ofSeconds(1)).isComplete());
            }
            TestAgent.await("that is saved", agent::isStateSaved);
            if (kill) {
              process.faulty().kill();
            }
          }
        });
    if (!running) {
      change.apply(log);
    }
    try (TestAgent agent = TestAgent.start(place, config(false), TestAgent.REAL_CALLS)) {
      assertFalse(agent.drain().isComplete());
      assertEquals(1, agent.agent().status().problems().size(), agent.problems::toString);
      String message = agent.problems.getFirst().message();
      assertTrue(message.contains("bytes [6, 13) of " + log), message);
    }
    requireGap(false, new ByteRange(6, 13));
  }

  /** A new name is found for it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nothingIsLostWhereANameIsTakenAndTheFileIsThere(boolean kill) throws Exception {
    Files.writeString(log, "first\n");
    MortalProcess process = new MortalProcess(FaultPlan.none());
    process.live(
        () -> {
          Destination archive = archive(process);
          try (TestAgent agent = TestAgent.start(config(false), archive, process.calls())) {
            agent.awaitDelivered(log);
            ForeignSegment.put(archive, ForeignSegment.all(archive).getFirst(), 6, 7);
            Files.writeString(log, "second\n", StandardOpenOption.APPEND);
            TestAgent.await("the name is taken", () -> !agent.problems.isEmpty());
            TestAgent.await("that is saved", agent::isStateSaved);
            if (kill) {
              process.faulty().kill();
            }
          }
        });
    try (TestAgent agent = TestAgent.start(place, config(false), TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete(), agent.problems::toString);
    }
    List<ArchiveContents.StreamContents> streams = place.contents().bornAt(log.toString());
    assertEquals(List.of(), streams.getFirst().gaps());
    assertEquals(
        "first\nsecond\n", new String(streams.getLast().prefix(), StandardCharsets.US_ASCII));
  }

  private void requireGap(boolean packs, ByteRange lost) throws Exception {
    for (int run = 0; run < 2; run++) {
      try (TestAgent agent = TestAgent.start(place, config(packs), TestAgent.REAL_CALLS)) {
        assertTrue(agent.drain().isComplete());
      }
    }
    List<ArchiveContents.StreamContents> streams = place.contents().bornAt(log.toString());
    assertEquals(
        List.of(lost),
        streams.getFirst().gaps().stream().map(GapRecord::range).toList(),
        log::toString);
    if (streams.size() > 1) {
      assertEquals(List.of(), streams.getLast().gaps());
    }
  }
}
