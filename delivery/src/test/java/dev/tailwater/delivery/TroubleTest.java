package dev.tailwater.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.record.LastDrain;
import dev.tailwater.archive.record.StreamRecord.EndReason;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.ContentCheck;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import dev.tailwater.destination.testkit.InMemoryDestination;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.store.StoreLockedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TroubleTest {
  private TestAgent.Place place;

  @BeforeEach
  void makePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
  }

  private Path write(String name, String text) throws Exception {
    return Files.writeString(
        place.log(name), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static void truncate(Path file) throws Exception {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(0);
    }
  }

  private static List<String> texts(ArchiveContents contents, Path born) {
    return contents.bornAt(born.toString()).stream()
        .map(s -> new String(s.prefix(), UTF_8))
        .toList();
  }

  @Test
  void triesAgainUntilATransientFailureIsOver() throws Exception {
    Path log = write("app.log", "kept\n");
    AtomicBoolean down = new AtomicBoolean(true);
    InMemoryDestination memory = InMemoryDestination.create(InstantSource.system());
    try (TestAgent agent =
        TestAgent.start(
            place.config(),
            FaultyDestination.wrap(
                memory,
                DestinationFaultPlan.when(
                    call -> down.get() && call.is("putSegment"), DestinationFault.FAIL_TRANSIENT)),
            TestAgent.REAL_CALLS)) {
      TestAgent.await("a problem is reported", () -> !agent.problems.isEmpty());
      assertFalse(agent.problems.getFirst().permanent());
      assertEquals(5, agent.agent.status().progress().atRiskBytes());
      down.set(false);
      agent.awaitDelivered(log);
      TestAgent.await("the problem is over", () -> agent.agent.status().problems().isEmpty());
    }
  }

  @Test
  void deliversOnceWhenTheAnswerToAPutIsLost() throws Exception {
    Path log = write("app.log", "once\n");
    InMemoryDestination memory = InMemoryDestination.create(InstantSource.system());
    try (TestAgent agent =
        TestAgent.start(
            place.config(),
            FaultyDestination.wrap(
                memory, DestinationFaultPlan.once("putSegment", DestinationFault.LOSE_ANSWER)),
            TestAgent.REAL_CALLS)) {
      agent.awaitDelivered(log);
    }
    assertEquals(List.of("once\n"), texts(ArchiveContents.load(memory, List.of()), log));
  }

  @Test
  void aRunThatMustEndReportsWhatADestinationRefused() throws Exception {
    write("app.log", "refused\n");
    try (TestAgent agent =
        TestAgent.startOnce(
            place.config(),
            FaultyDestination.wrap(
                InMemoryDestination.create(InstantSource.system()),
                DestinationFaultPlan.all("putSegment", DestinationFault.FAIL_PERMANENT)))) {
      agent.agent.awaitFirstScan();
      DrainReport report = agent.agent.drain(Optional.empty());
      assertEquals(8, report.leftBehindBytes());
      assertEquals(List.of(new ByteRange(0, 8)), report.leftBehind().getFirst().ranges());
      assertTrue(report.problems().getFirst().permanent());
    }
    // The next run finds the bytes where they were: in the file.
    try (TestAgent agent = TestAgent.start(place)) {
      assertTrue(agent.drain().isComplete());
    }
    assertEquals(List.of("refused\n"), texts(place.contents(), place.log("app.log")));
  }

  @Test
  void lastGaspListsToTheByteWhatIsLeftBehindAlsoAtTheDestination() throws Exception {
    write("app.log", "left\n");
    InMemoryDestination memory = InMemoryDestination.create(InstantSource.system());
    try (TestAgent agent =
        TestAgent.start(
            place.config(),
            FaultyDestination.wrap(
                memory, DestinationFaultPlan.all("putSegment", DestinationFault.FAIL_TRANSIENT)),
            TestAgent.REAL_CALLS)) {
      agent.agent.awaitFirstScan();
      DrainReport report = agent.agent.drain(Optional.of(Duration.ofMillis(300)));
      assertFalse(report.deadlineMet());
      assertEquals(5, report.leftBehindBytes());
    }
    LastDrain told = lastDrain(memory);
    assertEquals(List.of(new ByteRange(0, 5)), told.streams().getFirst().ranges());
    assertEquals(PosixPath.of(place.log("app.log")), told.streams().getFirst().path());
    assertEquals(Set.of(), told.complete());
  }

  private static LastDrain lastDrain(Destination destination) throws Exception {
    try (InputStream told =
        destination.read(ArchiveNames.lastDrain(TestAgent.NAME), 0, Long.MAX_VALUE)) {
      return LastDrain.fromJson(told.readAllBytes(), TestAgent.NAME);
    }
  }

  @Test
  void theEndTellsTheDestinationWhichStreamsAreCompleteThere() throws Exception {
    write("app.log", "all of it\n");
    write("empty.log", "");
    InMemoryDestination memory = InMemoryDestination.create(InstantSource.system());
    try (TestAgent agent = TestAgent.start(place.config(), memory, TestAgent.REAL_CALLS)) {
      agent.agent.awaitFirstScan();
      assertTrue(agent.drain().isComplete());
    }
    LastDrain told = lastDrain(memory);
    assertEquals(List.of(), told.streams());
    assertEquals(2, told.complete().size());
  }

  @Test
  void anUnreadableFileIsReportedAndTheRestGoesOn() throws Exception {
    write("bad.log", "bad\n");
    Path good = write("good.log", "good\n");
    AtomicBoolean unreadable = new AtomicBoolean(true);
    FaultyFileCalls faulty =
        FaultyFileCalls.wrap(
            TestAgent.REAL_CALLS,
            FaultPlan.when(
                call ->
                    unreadable.get()
                        && call.is("open")
                        && call.arguments().toString().contains("bad.log"),
                new Fault.Fail(Errno.EACCES)));
    try (TestAgent agent = TestAgent.start(place, place.config(), faulty.calls())) {
      agent.awaitDelivered(good);
      TestAgent.await("a problem is reported", () -> !agent.problems.isEmpty());
      assertTrue(agent.problems.getFirst().message().contains("EACCES"));
      assertTrue(agent.problems.getFirst().subject().endsWith("bad.log"));
      unreadable.set(false);
      assertTrue(agent.drain().isComplete());
    }
    assertEquals(List.of("bad\n"), texts(place.contents(), place.log("bad.log")));
  }

  @Test
  void aReadErrorKeepsTheFileAtRiskAndIsTriedAgain() throws Exception {
    AtomicBoolean broken = new AtomicBoolean();
    FaultyFileCalls faulty =
        FaultyFileCalls.wrap(
            TestAgent.REAL_CALLS,
            FaultPlan.when(
                call -> broken.get() && call.method().startsWith("pread"),
                new Fault.Fail(Errno.EIO)));
    try (TestAgent agent = TestAgent.start(place, place.config(), faulty.calls())) {
      agent.agent.awaitFirstScan();
      broken.set(true); // the start reads too, of /proc
      Path log = write("app.log", "readable at last\n");
      TestAgent.await("a problem is reported", () -> !agent.problems.isEmpty());
      assertTrue(agent.problems.getFirst().message().contains("EIO"));
      broken.set(false);
      agent.awaitDelivered(log);
    }
    assertEquals(List.of("readable at last\n"), texts(place.contents(), place.log("app.log")));
  }

  @Test
  void aSecondAgentOnTheSameStateRefusesAndNamesTheFirst() throws Exception {
    try (TestAgent first = TestAgent.start(place)) {
      first.agent.awaitFirstScan();
      StoreLockedException refusal =
          assertThrows(StoreLockedException.class, () -> TestAgent.start(place));
      assertEquals(ProcessHandle.current().pid(), refusal.holderPid().orElseThrow());
    }
  }

  @Test
  void recordsAGapWhenSeenBytesAreDestroyedBeforeTheyAreRead() throws Exception {
    Path log = write("app.log", "");
    AgentConfig slow =
        place.config().toBuilder()
            .maxAge(Duration.ofMinutes(10))
            .goneGrace(Duration.ofMillis(50))
            .build();
    try (TestAgent agent = TestAgent.start(place, slow, TestAgent.REAL_CALLS)) {
      agent.agent.awaitFirstScan();
      write("app.log", "destroyed\n");
      TestAgent.await(
          "bytes are at risk", () -> agent.agent.status().progress().atRiskBytes() == 10);
      truncate(log);
      TestAgent.await(
          "the truncation is seen", () -> agent.agent.status().progress().atRiskBytes() != 10);
      write("app.log", "next\n");
      assertTrue(agent.drain().isComplete());
    }
    List<ArchiveContents.StreamContents> streams = place.contents().bornAt(log.toString());
    assertEquals(List.of("", "next\n"), texts(place.contents(), log));
    assertEquals(new ByteRange(0, 10), streams.getFirst().gaps.getFirst().range());
  }

  @Test
  void noticesATruncationAlthoughStateIsLostAndTheArchiveCannotBeRead() throws Exception {
    KeyPair keys = KeyPair.generate(new SecureRandom());
    AgentConfig encrypted =
        place.config().toBuilder()
            .codec(new Codec.Zstd(1))
            .recipients(List.of(keys.recipient()))
            .contentCheck(ContentCheck.with(ContentKey.of(new byte[ContentKey.KEY_BYTES])))
            .build();
    Path same = write("same.log", "stays as it was\n");
    Path other = write("other.log", "first epoch\n");
    try (TestAgent agent = TestAgent.start(place, encrypted, TestAgent.REAL_CALLS)) {
      agent.awaitDelivered(same);
      agent.awaitDelivered(other);
    }
    Files.move(place.state(), place.base().resolve("lost"));
    truncate(other);
    write("other.log", "second epoch, and longer\n");
    write("same.log", "and grows\n");
    try (TestAgent agent = TestAgent.start(place, encrypted, TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
    }
    ArchiveContents contents =
        ArchiveContents.load(
            place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ), List.of(keys.identity()));
    assertEquals(List.of("stays as it was\nand grows\n"), texts(contents, same));
    assertEquals(List.of("first epoch\n", "second epoch, and longer\n"), texts(contents, other));
  }

  @Test
  void countsBytesOnTheirWayThoughTheirFileWasTruncatedSince() throws Exception {
    Path log = write("app.log", "on its way\n");
    try (TestAgent agent =
        TestAgent.start(
            place.config(),
            FaultyDestination.wrap(
                InMemoryDestination.create(InstantSource.system()),
                DestinationFaultPlan.all("putSegment", DestinationFault.FAIL_TRANSIENT)),
            TestAgent.REAL_CALLS)) {
      TestAgent.await("a delivery is under way", () -> !agent.problems.isEmpty());
      truncate(log);
      TestAgent.await(
          "the truncation is seen", () -> agent.agent.status().files().atRisk().isEmpty());
      assertEquals(11, agent.agent.status().progress().atRiskBytes());
      DrainReport report = agent.agent.drain(Optional.of(Duration.ofMillis(300)));
      assertEquals(11, report.leftBehindBytes());
    }
  }

  @Test
  void saysThatAFileVanishedWhileNobodyWatched() throws Exception {
    Path log = write("app.log", "here\n");
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(log);
    }
    Files.delete(log);
    try (TestAgent agent = TestAgent.start(place)) {
      assertTrue(agent.drain().isComplete());
    }
    ArchiveContents.StreamContents stream = place.contents().streams().getFirst();
    assertEquals(EndReason.VANISHED, stream.record().orElseThrow().end().orElseThrow().reason());
  }

  @Test
  void deliversSparseFilesByteForByte() throws Exception {
    Path log = place.log("sparse.bin");
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
      file.seek(3_000_000);
      file.write("end".getBytes(UTF_8));
    }
    try (TestAgent agent = TestAgent.start(place)) {
      assertTrue(agent.drain().isComplete());
    }
    byte[] restored = place.contents().streams().getFirst().prefix();
    assertEquals(3_000_003, restored.length);
    assertEquals("end", new String(restored, 3_000_000, 3, UTF_8));
  }

  @Test
  void keepsDeliveringWhenTheStateDirectoryFailsAndFindsEverythingAgain() throws Exception {
    AtomicBoolean broken = new AtomicBoolean();
    FaultyFileCalls faulty =
        FaultyFileCalls.wrap(
            TestAgent.REAL_CALLS,
            FaultPlan.when(
                call -> broken.get() && call.is("fdatasync") && isState(call.arguments()),
                new Fault.Fail(Errno.EIO)));
    Path log = write("app.log", "one\n");
    try (TestAgent agent = TestAgent.start(place, place.config(), faulty.calls())) {
      agent.awaitDelivered(log);
      broken.set(true);
      write("app.log", "two\n");
      agent.awaitDelivered(log);
      TestAgent.await(
          "the state directory is reported",
          () -> agent.problems.stream().anyMatch(p -> p.subject().equals("state directory")));
    } catch (IOException stateCannotBeClosedCleanly) {
      assertTrue(broken.get());
    } finally {
      faulty.kill();
    }
    write("app.log", "three\n");
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(log);
    }
    assertEquals(List.of("one\ntwo\nthree\n"), texts(place.contents(), log));
    assertFalse(place.contents().streams().getFirst().holdsBytesTwice());
  }

  @Test
  void whatIsDeliveredUnderAnOldAgentNameGoesOnUnderIt() throws Exception {
    Path log = write("app.log", "before\n");
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(log);
    }
    write("app.log", "after\n");
    AgentConfig renamed = place.config().toBuilder().agent("renamed").build();
    try (TestAgent agent = TestAgent.start(place, renamed, TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
    }
    assertEquals(List.of("before\nafter\n"), texts(place.contents(), log));
  }

  @Test
  void aFileTruncatedWhileNoAgentRunsIsNotCalledDelivered() throws Exception {
    Path log = write("app.log", "long and delivered\n");
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(log);
    }
    OfflineStatus before =
        OfflineStatus.read(TestAgent.REAL_CALLS, PosixPath.of(place.state())).orElseThrow();
    assertTrue(before.file(PosixPath.of(log)).isDelivered());
    truncate(log);
    write("app.log", "short\n");
    assertFalse(before.file(PosixPath.of(log)).isDelivered());
  }

  @Test
  void noticesThatBytesDeliveredAfterTheLastCheckpointAreOthersNow() throws Exception {
    Path log = write("app.log", "one\n");
    Path older = place.base().resolve("older");
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(log);
      TestAgent.await("the first scan", () -> agent.agent.status().files().watched() == 1);
      agent.agent.awaitFirstScan();
      place.copyState(older);
      write("app.log", "two\n");
      agent.awaitDelivered(log);
    }
    // As after a power cut: the last checkpoint and the last bytes of the file are gone.
    place.restoreState(older);
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
      channel.truncate(4);
    }
    write("app.log", "other\n");
    try (TestAgent agent = TestAgent.start(place)) {
      assertTrue(agent.drain().isComplete());
    }
    assertEquals(List.of("one\ntwo\n", "one\nother\n"), texts(place.contents(), log));
  }

  private boolean isState(List<Object> arguments) {
    return isBelow(place.state(), arguments);
  }

  private static boolean isBelow(Path place, List<Object> arguments) {
    try {
      Path file = Path.of("/proc/self/fd/" + arguments.getFirst()).toRealPath();
      return file.startsWith(place);
    } catch (IOException gone) {
      return false;
    }
  }
}
