package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.delivery.SwitchedDestination.Mode;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.status.StatusReport;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SeveralDestinationsTest extends TwoDestinations {
  private static final String OWN_PACKS = "each destination has packs of its own";

  private static byte[] random(int seed, int lengthBytes) {
    byte[] bytes = new byte[lengthBytes];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  @Test
  void twoHealthyDestinationsCostOneSealing() throws Exception {
    assumeFalse(TestAgent.withPacks(), OWN_PACKS);
    int rounds = 30;
    // What is merged is made for each by itself.
    AgentConfig unmerged = place.config().toBuilder().mergeToBytes(OptionalLong.of(0)).build();
    List<AgentDestination> both = List.of(first.required(), second.required());
    try (TestAgent agent = TestAgent.start(unmerged, both, TestAgent.REAL_CALLS)) {
      for (int round = 0; round < rounds; round++) {
        for (int file = 0; file < 4; file++) {
          append("app" + file + ".log", "round " + round + " of file " + file + "\n");
        }
        for (int file = 0; file < 4; file++) {
          agent.awaitDelivered(place.log("app" + file + ".log"));
        }
      }
      TestAgent.await(
          "all that was sealed is counted",
          () ->
              delivered(agent, "first") == sealed(agent)
                  && delivered(agent, "second") == sealed(agent));
      assertTrue(sealed(agent) >= rounds, "segments sealed: " + sealed(agent));
      assertEquals(List.of(), agent.problems);
    }
    // Sealed once, so the very same bytes lie at both.
    assertEquals(first.segments(), second.segments());
    for (int file = 0; file < 4; file++) {
      Path log = place.log("app" + file + ".log");
      assertHolds(first, log, Files.readString(log));
      assertHolds(second, log, Files.readString(log));
    }
  }

  private static long sealed(TestAgent agent) {
    return agent.at("first").sealedSegments() + agent.at("second").sealedSegments();
  }

  private static long delivered(TestAgent agent, String destination) {
    return agent.at(destination).progress().deliveredSegments();
  }

  @Test
  void aDestinationThatIsDownHoldsUpNoneButItselfAndGetsEverythingLater() throws Exception {
    holdsUpNoneButItself(Mode.DOWN);
  }

  @Test
  void aDestinationThatHangsHoldsUpNoneButItselfAndGetsEverythingLater() throws Exception {
    holdsUpNoneButItself(Mode.HANGING);
  }

  @Test
  void aDestinationThatIsFullHoldsUpNoneButItselfAndGetsEverythingLater() throws Exception {
    holdsUpNoneButItself(Mode.FULL);
  }

  private void holdsUpNoneButItself(Mode trouble) throws Exception {
    Path log = append("app.log", "before\n");
    Path big = place.log("big.bin");
    byte[] bytes = random(3, 12 << 20); // More than all staging buffers hold.
    try (TestAgent agent = startBoth()) {
      agent.awaitDelivered(log);
      second.set(trouble);
      Files.write(big, bytes);
      for (int i = 0; i < 40; i++) {
        append("small" + i + ".log", "small " + i + "\n");
      }
      append("app.log", "during\n");
      agent.awaitDelivered(big, "first");
      agent.awaitDelivered(log, "first");
      for (int i = 0; i < 40; i++) {
        agent.awaitDelivered(place.log("small" + i + ".log"), "first");
      }
      assertEquals(0, agent.at("first").progress().atRiskBytes());
      assertTrue(
          agent.at("second").progress().atRiskBytes() > 12 << 20, agent.at("second").toString());
      assertTrue(agent.agent.status().progress().atRiskBytes() > 12 << 20, "both are required");
      assertFalse(agent.agent.status(PosixPath.of(big)).isDelivered());
      second.set(Mode.UP);
      agent.awaitDelivered(big);
      append("app.log", "after\n");
      assertTrue(agent.drain().isComplete());
    }
    for (SwitchedDestination destination : List.of(first, second)) {
      assertHolds(destination, log, "before\nduring\nafter\n");
      assertArrayEquals(bytes, destination.contents().bornAt(big.toString()).getFirst().prefix());
      assertEquals(42, destination.contents().streams().size());
    }
  }

  @Test
  void whoHasFallenOutOfStepComesIntoItAgain() throws Exception {
    assumeFalse(TestAgent.withPacks(), OWN_PACKS);
    Path log = append("app.log", "before\n");
    try (TestAgent agent = startBoth()) {
      agent.awaitDelivered(log);
      second.set(Mode.DOWN);
      for (int i = 0; i < 60; i++) {
        append("app.log", "alone " + i + "\n");
        agent.awaitDelivered(log, "first");
      }
      second.set(Mode.UP);
      agent.awaitDelivered(log);
      int rounds = 20;
      long sealedBefore = sealed(agent);
      for (int i = 0; i < rounds; i++) {
        append("app.log", "together " + i + "\n");
        agent.awaitDelivered(log);
      }
      // Each line was delivered before the next was written, so each was a segment.
      assertEquals(rounds, sealed(agent) - sealedBefore);
    }
    assertHolds(first, log, Files.readString(log));
    assertHolds(second, log, Files.readString(log));
  }

  @Test
  void aDestinationIsNotLedIntoTheNameOfAStreamThatIsOver() throws Exception {
    assumeFalse(TestAgent.withPacks(), OWN_PACKS);
    Path log = append("app.log", "first epoch\n");
    try (TestAgent agent = start(first.required())) {
      agent.awaitDelivered(log);
    }
    // While nobody watches, the first's stream ends; the second begins without knowing it.
    truncate(log);
    append("app.log", "second epoch, and longer\n");
    first.set(Mode.DOWN);
    try (TestAgent agent = startBoth()) {
      agent.awaitDelivered(log, "second");
      first.set(Mode.UP);
      assertTrue(agent.drain().isComplete());
    }
    assertHolds(first, log, "first epoch\n", "second epoch, and longer\n");
    assertHolds(second, log, "second epoch, and longer\n");
    assertEquals(first.segments().lastKey(), second.segments().lastKey());
  }

  @Test
  void startsWithTheOthersWhileOneCannotBeListedAndKeepsItsFilesForIt() throws Exception {
    second.set(Mode.HANGING);
    Path log = append("app.log", "kept\n");
    Path gone = append("gone.log", "deleted before anybody listed the second\n");
    try (TestAgent agent = startBoth()) {
      agent.awaitDelivered(log, "first");
      agent.awaitDelivered(gone, "first");
      assertFalse(agent.at("second").connected());
      Files.delete(gone);
      Path moved = Files.move(log, place.log("app.log.1"));
      append("app.log.1", "and moved\n");
      agent.awaitDelivered(moved, "first");
      assertEquals(56, agent.at("second").progress().atRiskBytes());
      second.set(Mode.DOWN);
      TestAgent.await("the problem is reported", () -> !agent.problems.isEmpty());
      second.set(Mode.UP);
      assertTrue(agent.drain().isComplete());
      assertTrue(agent.at("second").connected());
    }
    for (SwitchedDestination destination : List.of(first, second)) {
      assertHolds(destination, log, "kept\nand moved\n");
      assertHolds(destination, gone, "deleted before anybody listed the second\n");
    }
  }

  @Test
  void theOnlyDestinationIsWaitedForWhenItFailsToBeListedAtFirst() throws Exception {
    Path log = append("app.log", "one\n");
    first.set(Mode.DOWN);
    try (TestAgent agent = start(first.required())) {
      TestAgent.await("the problem is reported", () -> !agent.problems.isEmpty());
      agent.awaitSeen(log);
      assertEquals(4, agent.agent.status().progress().atRiskBytes());
      first.set(Mode.UP);
      agent.awaitDelivered(log);
    }
    assertHolds(first, log, "one\n");
  }

  @Test
  void theOnlyDestinationThatRefusesForGoodIsNoStart() throws Exception {
    append("app.log", "one\n");
    first.set(Mode.REFUSING);
    assertThrows(PermanentDestinationException.class, () -> start(first.required()));
    first.set(Mode.UP);
    try (TestAgent agent = start(first.required())) {
      assertTrue(agent.drain().isComplete());
    }
  }

  @Test
  void aDestinationThatIsAddedLaterGetsEverythingUnderTheSameNames() throws Exception {
    assumeFalse(TestAgent.withPacks(), OWN_PACKS);
    Path log = append("app.log", "one\n");
    Path other = append("other.log", "first epoch\n");
    try (TestAgent agent = start(first.required())) {
      agent.awaitDelivered(log);
      agent.awaitDelivered(other);
      truncate(other);
      append("other.log", "second\n");
      agent.awaitDelivered(other);
    }
    Files.move(log, place.log("app.log.1"));
    try (TestAgent agent = startBoth()) {
      agent.awaitDelivered(place.log("app.log.1"));
      agent.awaitDelivered(other);
      // Until a destination has checked where it is in a file, and while it compares the file, it
      // seals for itself.
      assertTrue(agent.agent().drainAndGoOn(Duration.ofMinutes(1)).isComplete());
      assertEquals(2, sealed(agent), "what the second lacked");
      append("app.log.1", "two\n");
      append("other.log", "more\n");
      agent.awaitDelivered(place.log("app.log.1"));
      agent.awaitDelivered(other);
      TestAgent.await("both are counted", () -> delivered(agent, "first") == 2);
      assertEquals(4, sealed(agent), "and two for both");
      assertTrue(agent.drain().isComplete());
    }
    assertHolds(first, log, "one\ntwo\n");
    assertHolds(second, log, "one\ntwo\n");
    assertHolds(first, other, "first epoch\n", "second\nmore\n");
    assertHolds(second, other, "second\nmore\n");
    assertEquals(
        first.contents().bornAt(other.toString()).getLast().id(),
        second.contents().bornAt(other.toString()).getFirst().id());
  }

  @Test
  void aDestinationThatIsRemovedAndAddedAgainGoesOnWhereItWas() throws Exception {
    Path log = append("app.log", "one\n");
    Path truncated = append("truncated.log", "first\n");
    try (TestAgent agent = startBoth()) {
      assertTrue(agent.drain().isComplete());
    }
    append("app.log", "two\n");
    try (TestAgent agent = start(first.required())) {
      for (String content : List.of("second\n", "third\n")) {
        truncate(truncated);
        append("truncated.log", content);
        agent.awaitDelivered(truncated);
      }
      assertTrue(agent.drain().isComplete());
    }
    append("app.log", "three\n");
    try (TestAgent agent = startBoth()) {
      assertTrue(agent.drain().isComplete());
    }
    assertHolds(first, log, "one\ntwo\nthree\n");
    assertHolds(second, log, "one\ntwo\nthree\n");
    assertHolds(first, truncated, "first\n", "second\n", "third\n");
    assertHolds(second, truncated, "first\n", "third\n");
  }

  @Test
  void truncationsAreSurvivedByThoseWhoAreThereAndByThoseWhoAreNot() throws Exception {
    Path log = append("app.log", "first epoch\n");
    try (TestAgent agent = startBoth()) {
      agent.awaitDelivered(log);
      second.set(Mode.FULL);
      append("app.log", "read, and then truncated\n");
      agent.awaitDelivered(log, "first");
      truncate(log);
      append("app.log", "second\n");
      agent.awaitDelivered(log, "first");
      second.set(Mode.UP);
      agent.awaitDelivered(log);
      append("app.log", "and more\n");
      assertTrue(agent.drain().isComplete());
    }
    assertHolds(first, log, "first epoch\nread, and then truncated\n", "second\nand more\n");
    assertHolds(second, log, "first epoch\nread, and then truncated\n", "second\nand more\n");
  }

  @Test
  void aTruncationThatADestinationWasAwayForLeavesItInStepAndIsToldThere() throws Exception {
    assumeFalse(TestAgent.withPacks(), OWN_PACKS);
    second.set(Mode.DOWN);
    Path log = append("app.log", "first epoch\n");
    try (TestAgent agent = startBoth()) {
      agent.awaitDelivered(log, "first");
      truncate(log);
      append("app.log", "second\n");
      agent.awaitDelivered(log, "first");
      second.set(Mode.UP);
      agent.awaitDelivered(log);
      long sealedBefore = sealed(agent);
      append("app.log", "more\n");
      agent.awaitDelivered(log);
      assertEquals(1, sealed(agent) - sealedBefore);
      assertTrue(agent.drain().isComplete());
    }
    assertHolds(first, log, "first epoch\n", "second\nmore\n");
    assertHolds(second, log, "", "second\nmore\n");
    for (int epoch = 0; epoch < 2; epoch++) {
      assertEquals(
          first.contents().bornAt(log.toString()).get(epoch).id(),
          second.contents().bornAt(log.toString()).get(epoch).id());
    }
    ArchiveContents.StreamContents lost = second.contents().bornAt(log.toString()).getFirst();
    assertTrue(lost.admitsLossOf(new ByteRange(0, 12)), lost.toString());
    assertEquals(List.of(), second.contents().bornAt(log.toString()).getLast().gaps());
  }

  @Test
  void losingTheLocalStateLosesAndRepeatsNothingAtAnyDestination() throws Exception {
    Path log = append("app.log", "one\n");
    try (TestAgent agent = startBoth()) {
      agent.awaitDelivered(log);
      second.set(Mode.DOWN);
      append("app.log", "two\n");
      agent.awaitDelivered(log, "first");
    }
    Files.move(place.state(), place.base().resolve("lost"));
    append("app.log", "three\n");
    try (TestAgent agent = startBoth()) {
      agent.awaitDelivered(log, "first");
      assertFalse(agent.at("second").connected());
      second.set(Mode.UP);
      agent.awaitDelivered(log);
    }
    assertHolds(first, log, "one\ntwo\nthree\n");
    assertHolds(second, log, "one\ntwo\nthree\n");
  }

  @Test
  void aFileThatWasDeletedIsHeldUntilEveryDestinationHasIt() throws Exception {
    Path log = place.log("app.log");
    try (TestAgent agent = startBoth()) {
      Files.createFile(log);
      agent.awaitSeen(log);
      second.set(Mode.DOWN);
      try (OutputStream out = Files.newOutputStream(log, StandardOpenOption.APPEND)) {
        out.write(random(5, 8 << 20));
      }
      agent.awaitDelivered(log, "first");
      Files.delete(log);
      TestAgent.await(
          "the first is done", () -> !first.contents().streams().getFirst().record().isEmpty());
      second.set(Mode.UP);
      assertTrue(agent.drain().isComplete());
      assertEquals(0, agent.agent.status().files().watched(), "no file is held any more");
    }
    for (SwitchedDestination destination : List.of(first, second)) {
      ArchiveContents.StreamContents stream = destination.contents().streams().getFirst();
      assertArrayEquals(random(5, 8 << 20), stream.prefix());
      assertTrue(stream.record().orElseThrow().end().isPresent());
    }
  }

  @Test
  void tellsAtEachDestinationWhatItLacks() throws Exception {
    append("app.log", "left\n");
    second.set(Mode.TAKES_NO_SEGMENTS);
    try (TestAgent agent = startBoth()) {
      agent.agent.awaitFirstScan();
      agent.awaitDelivered(place.log("app.log"), "first");
      DrainReport report = agent.agent.drain(Optional.of(Duration.ofMillis(1500)));
      assertEquals(5, report.leftBehindBytes());
      assertFalse(report.deadlineMet());
    }
    String nothing = first.leftBehind().orElseThrow();
    assertTrue(nothing.contains("\"streams\":[]"), nothing);
    String left = second.leftBehind().orElseThrow();
    assertTrue(left.contains("\"ranges\":[{\"startBytes\":0,\"endBytes\":5}]"), left);
    assertTrue(left.contains("{\"name\":\"first\",\"required\":true"), left);
    assertTrue(left.endsWith("\"leftBehindBytes\":5}]}"), left);
  }

  @Test
  void tellsFromCheckpointsWhatIsAtRiskAtEachDestination() throws Exception {
    Path log = append("app.log", "one\n");
    try (TestAgent agent = start(first.required(), second.bestEffort())) {
      agent.awaitDelivered(log, "second");
      agent.awaitDelivered(log, "first");
      second.set(Mode.DOWN);
      append("app.log", "two\n");
      agent.awaitDelivered(log);
    }
    OfflineStatus offline =
        OfflineStatus.read(TestAgent.REAL_CALLS, PosixPath.of(place.state())).orElseThrow();
    assertTrue(offline.file(PosixPath.of(log)).isDelivered(), "the required one has it");
    StatusReport report = offline.report();
    assertEquals(0, report.progress().atRiskBytes());
    assertEquals(
        List.of(0L, 4L),
        report.destinations().stream().map(at -> at.progress().atRiskBytes()).toList());
    assertEquals(
        List.of(true, false),
        report.destinations().stream().map(StatusReport.AtDestination::required).toList());
  }

  @Test
  void opensEachFileOnce() throws Exception {
    for (int i = 0; i < 50; i++) {
      append("app" + i + ".log", "text\n");
    }
    try (TestAgent agent = startBoth()) {
      for (int i = 0; i < 50; i++) {
        agent.awaitDelivered(place.log("app" + i + ".log"));
      }
      // A look at a name that is known already opens it for a moment.
      TestAgent.await("each file is open once", () -> openLogs() == 50);
    }
    assertEquals(0, openLogs());
  }

  private long openLogs() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.filter(this::isLog).count();
    }
  }

  private boolean isLog(Path fd) {
    try {
      return Files.readSymbolicLink(fd).startsWith(place.logs());
    } catch (IOException closedMeanwhile) {
      return false;
    }
  }

  @Test
  void twoDestinationsAreNotTheSame() {
    assertThrows(IllegalArgumentException.class, () -> start(first.required(), first.bestEffort()));
    assertThrows(IllegalArgumentException.class, () -> start(first.bestEffort()));
  }

  private static void truncate(Path file) throws Exception {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(0);
    }
  }
}
