package dev.tailwater.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.archive.record.StreamRecord.EndReason;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.Source;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.posix.PosixPath;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentTest {
  private TestAgent.Place place;

  @BeforeEach
  void makePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
  }

  private static void append(Path file, String text) throws Exception {
    Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private ArchiveContents.StreamContents onlyStreamOf(Path file) throws Exception {
    List<ArchiveContents.StreamContents> streams = place.contents().bornAt(file.toString());
    assertEquals(1, streams.size(), "streams born at " + file);
    assertFalse(streams.getFirst().holdsBytesTwice(), "bytes held twice");
    return streams.getFirst();
  }

  private void assertHolds(Path file, String text) throws Exception {
    assertEquals(text, new String(onlyStreamOf(file).prefix(), UTF_8));
  }

  @Test
  void followsASymbolicLinkToTheSourceButNoneBelowIt() throws Exception {
    append(place.log("app.log"), "behind a link\n");
    Path elsewhere = Files.createDirectory(place.base().resolve("elsewhere"));
    append(elsewhere.resolve("secret"), "not a source\n");
    Files.createSymbolicLink(place.log("out"), elsewhere);
    Path link = Files.createSymbolicLink(place.base().resolve("link"), place.logs());
    AgentConfig linked =
        place.config().toBuilder()
            .sources(List.of(new Source(PosixPath.of(link), List.of(), List.of())))
            .build();
    try (TestAgent agent = TestAgent.start(place, linked, TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
    }
    assertHolds(link.resolve("app.log"), "behind a link\n");
    assertEquals(1, place.contents().streams().size());
  }

  @Test
  void deliversWhatIsThereAndWhatIsAppended() throws Exception {
    Path log = place.log("app.log");
    append(log, "one\n");
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(log);
      append(log, "two\n");
      agent.awaitDelivered(log);
      append(log, "no newline");
      agent.awaitDelivered(log);
      assertEquals(List.of(), agent.problems);
    }
    assertHolds(log, "one\ntwo\nno newline");
  }

  @Test
  void deliversLargeIncompressibleFilesInSeveralSegments() throws Exception {
    Path log = place.log("big.bin");
    byte[] bytes = new byte[5 << 20];
    new Random(7).nextBytes(bytes);
    Files.write(log, bytes);
    try (TestAgent agent = TestAgent.start(place)) {
      assertTrue(agent.drain().isComplete());
    }
    assertArrayEquals(bytes, onlyStreamOf(log).prefix());
    assertTrue(onlyStreamOf(log).segments >= 5);
  }

  @Test
  void deliversFilesThatAreLongerThanAnArray() throws Exception {
    Path log = place.log("sparse.bin");
    long sizeBytes = (2L << 30) + 1;
    try (FileChannel channel =
        FileChannel.open(log, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {1}), sizeBytes - 1);
    }
    try (TestAgent agent = TestAgent.start(place)) {
      assertTrue(agent.drain().isComplete());
      assertEquals(List.of(), agent.problems);
      assertEquals(sizeBytes, agent.agent.status(PosixPath.of(log)).durableBytes());
    }
  }

  @Test
  void recordsEmptyFiles() throws Exception {
    Path log = place.log("empty");
    Files.createFile(log);
    try (TestAgent agent = TestAgent.start(place)) {
      assertTrue(agent.drain().isComplete());
    }
    assertEquals(0, onlyStreamOf(log).record().orElseThrow().sizeBytes());
  }

  @Test
  void anEmptyFileIsNotCalledDeliveredBeforeTheArchiveHasIt() throws Exception {
    Path log = Files.createFile(place.log("empty"));
    AgentConfig patient =
        place.config().toBuilder().maxAge(Duration.ofHours(1)).packs(PackUse.NEVER).build();
    try (TestAgent agent = TestAgent.start(place, patient, TestAgent.REAL_CALLS)) {
      TestAgent.await(
          "the agent knows the file",
          () -> agent.agent().status(PosixPath.of(log)).stream().isPresent());
      assertFalse(agent.agent().status(PosixPath.of(log)).isDelivered());
      assertEquals(List.of(), place.contents().bornAt(log.toString()));
      assertTrue(agent.drain().isComplete());
      assertTrue(agent.agent().status(PosixPath.of(log)).isDelivered());
    }
    assertEquals(0, onlyStreamOf(log).record().orElseThrow().sizeBytes());
  }

  @Test
  void recordsWhenAnEmptyFileWasChangedLast() throws Exception {
    Path log = Files.createFile(place.log("empty"));
    try (TestAgent agent = TestAgent.start(place)) {
      while (place.contents().bornAt(log.toString()).stream()
          .noneMatch(s -> s.record().isPresent())) {
        Thread.sleep(5);
      }
      changeAt(log, 1_600_000_000);
      assertTrue(agent.drain().isComplete());
    }
    assertEquals(1_600_000_000_000_000_000L, recordOf(log).modificationTimeNanos());
    changeAt(log, 1_600_000_001);
    try (TestAgent agent = TestAgent.start(place)) {
      assertTrue(agent.drain().isComplete());
    }
    assertEquals(1_600_000_001_000_000_000L, recordOf(log).modificationTimeNanos());
  }

  @Test
  void recordsAnotherModeOfAnEmptyFile() throws Exception {
    Path log = Files.createFile(place.log("empty"));
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(log);
      Files.setAttribute(log, "unix:mode", 0750);
      assertTrue(agent.drain().isComplete());
    }
    assertEquals(0750, recordOf(log).permissions());
  }

  private static void changeAt(Path file, long epochSeconds) throws Exception {
    Files.setLastModifiedTime(file, FileTime.from(epochSeconds, TimeUnit.SECONDS));
  }

  private StreamRecord recordOf(Path file) throws Exception {
    return onlyStreamOf(file).record().orElseThrow();
  }

  @Test
  void aFileThatHasItsFirstNameAgainIsKnownByItThoughTheStateIsLost() throws Exception {
    Path log = place.log("app.log");
    Path other = place.log("other.log");
    append(log, "one\n");
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(log);
      Files.move(log, other);
      assertTrue(agent.drain().isComplete());
    }
    assertEquals(PosixPath.of(other), recordOf(log).lastPath());
    Files.move(other, log);
    Files.move(place.state(), place.base().resolve("lost"));
    try (TestAgent agent = TestAgent.start(place)) {
      assertTrue(agent.drain().isComplete());
    }
    assertEquals(PosixPath.of(log), recordOf(log).lastPath());
    assertHolds(log, "one\n");
  }

  @Test
  void goesOnAfterARestartWithoutSendingAnythingTwice() throws Exception {
    Path log = place.log("app.log");
    append(log, "one\n");
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(log);
    }
    append(log, "two\n");
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(log);
    }
    assertHolds(log, "one\ntwo\n");
    assertEquals(2, onlyStreamOf(log).segments);
  }

  @Test
  void losingTheLocalStateLosesAndRepeatsNothing() throws Exception {
    Path log = place.log("app.log");
    append(log, "one\n");
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(log);
    }
    place.state().toFile().renameTo(place.base().resolve("lost").toFile());
    append(log, "two\n");
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(log);
    }
    assertHolds(log, "one\ntwo\n");
    assertEquals(2, onlyStreamOf(log).segments);
  }

  @Test
  void followsRotationChains() throws Exception {
    Path log = place.log("app.log");
    try (TestAgent agent = TestAgent.start(place)) {
      for (int generation = 0; generation < 5; generation++) {
        append(log, "generation " + generation + "\n");
        agent.awaitSeen(log);
        for (int i = 4; i > 0; i--) {
          Path from = place.log(i == 1 ? "app.log" : "app.log." + (i - 1));
          if (Files.exists(from)) {
            Files.move(from, place.log("app.log." + i), StandardCopyOption.REPLACE_EXISTING);
          }
        }
      }
      assertTrue(agent.drain().isComplete());
    }
    List<String> contents =
        place.contents().bornAt(log.toString()).stream()
            .map(s -> new String(s.prefix(), UTF_8))
            .sorted()
            .toList();
    assertEquals(
        List.of(
            "generation 0\n",
            "generation 1\n",
            "generation 2\n",
            "generation 3\n",
            "generation 4\n"),
        contents);
    ArchiveContents.StreamContents last =
        place.contents().bornAt(log.toString()).stream()
            .filter(s -> new String(s.prefix(), UTF_8).equals("generation 4\n"))
            .findFirst()
            .orElseThrow();
    assertEquals(
        place.log("app.log.1").toString(), last.record().orElseThrow().lastPath().toString());
  }

  @Test
  void knowsTheLastNameOfEachFileHoweverFastTheChainMoves() throws Exception {
    int generations = 40;
    try (TestAgent agent = TestAgent.start(place)) {
      for (int generation = 0; generation < generations; generation++) {
        for (int i = generation; i > 0; i--) {
          Files.move(place.log("chain." + (i - 1)), place.log("chain." + i));
        }
        append(place.log("chain.0"), "generation " + generation + "\n");
        Thread.sleep(generation % 7);
      }
      assertTrue(agent.drain().isComplete());
    }
    for (ArchiveContents.StreamContents stream : place.contents().streams()) {
      String lastName = stream.record().map(r -> r.lastPath().toString()).orElse(stream.birthPath);
      assertEquals(
          Files.readString(Path.of(lastName)), new String(stream.prefix(), UTF_8), lastName);
    }
    assertEquals(generations, place.contents().streams().size());
  }

  @Test
  void deliversBytesOfAFileThatIsDeletedUnread() throws Exception {
    Path log = place.log("app.log");
    try (TestAgent agent = TestAgent.start(place)) {
      Files.createFile(log);
      agent.awaitSeen(log);
      try (OutputStream out = Files.newOutputStream(log, StandardOpenOption.APPEND)) {
        out.write("before\n".getBytes(UTF_8));
        Files.delete(log);
        out.write("after\n".getBytes(UTF_8));
      }
      assertTrue(agent.drain().isComplete());
    }
    assertHolds(log, "before\nafter\n");
    assertEquals(
        EndReason.DELETED, onlyStreamOf(log).record().orElseThrow().end().orElseThrow().reason());
  }

  @Test
  void startsANewStreamAfterTruncationAndSaysWhatWasLost() throws Exception {
    Path log = place.log("app.log");
    try (TestAgent agent = TestAgent.start(place)) {
      append(log, "first epoch\n");
      agent.awaitDelivered(log);
      try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
        channel.truncate(0);
      }
      append(log, "second\n");
      agent.awaitDelivered(log);
      assertTrue(agent.drain().isComplete());
    }
    List<ArchiveContents.StreamContents> streams = place.contents().bornAt(log.toString());
    assertEquals(
        List.of("first epoch\n", "second\n"),
        streams.stream().map(s -> new String(s.prefix(), UTF_8)).toList());
    assertEquals(
        EndReason.TRUNCATED,
        streams.getFirst().record().orElseThrow().end().orElseThrow().reason());
  }

  @Test
  void noticesATruncationThatHappenedWhileNoAgentWatchedEvenIfTheFileHasGrownSince()
      throws Exception {
    Path log = place.log("app.log");
    append(log, "first epoch\n");
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(log);
    }
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
      channel.truncate(0);
    }
    append(log, "second epoch, and longer\n");
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(log);
    }
    assertEquals(
        List.of("first epoch\n", "second epoch, and longer\n"),
        place.contents().bornAt(log.toString()).stream()
            .map(s -> new String(s.prefix(), UTF_8))
            .toList());
  }

  @Test
  void takesHardLinksForOneStream() throws Exception {
    Path log = place.log("app.log");
    append(log, "linked\n");
    Files.createLink(place.log("link.log"), log);
    try (TestAgent agent = TestAgent.start(place)) {
      assertTrue(agent.drain().isComplete());
    }
    assertEquals(1, place.contents().streams().size());
  }

  @Test
  void noticesAFileThatIsWrittenAnewWithTheSizeItHad() throws Exception {
    Path log = place.log("state.txt");
    append(log, "0123456789");
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(log);
      Files.writeString(log, "abcdefghij");
      assertFalse(
          agent.agent.status(PosixPath.of(log)).isDelivered()
              && place.contents().bornAt(log.toString()).size() == 1,
          "what is there now is not delivered yet");
      agent.awaitDelivered(log);
    }
    List<ArchiveContents.StreamContents> streams = place.contents().bornAt(log.toString());
    assertEquals(2, streams.size());
    assertEquals("abcdefghij", new String(streams.getLast().prefix(), UTF_8));
  }

  @Test
  void recordsModeAndTimeOfAFileThatWasEmptied() throws Exception {
    Path log = place.log("app.log");
    append(log, "one\n");
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(log);
      Files.write(log, new byte[0]);
      assertTrue(agent.drain().isComplete());
    }
    StreamRecord record = place.contents().bornAt(log.toString()).getLast().record().orElseThrow();
    assertEquals(0, record.sizeBytes());
    assertEquals(
        Files.getAttribute(log, "unix:mode"), 0100000 | record.permissions(), "permissions");
  }
}
