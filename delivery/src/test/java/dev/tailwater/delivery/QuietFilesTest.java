package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import dev.tailwater.delivery.pack.PackUse;

/** Files that have left memory, since they are quiet, keep every promise. */
class QuietFilesTest {
  private TestAgent.Place place;

  @BeforeEach
  void makePlace(@TempDir Path base) throws IOException {
    place = new TestAgent.Place(base.toRealPath());
  }

  private TestAgent start(PackUse packs) throws IOException {
    AgentConfig config =
        place.config().toBuilder()
            .quietFilesInMemory(0)
            .packs(packs)
            .mergeToBytes(OptionalLong.of(0))
            .build();
    return TestAgent.start(place, config, TestAgent.REAL_CALLS);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(
        place.log(name), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** Waits until the file is delivered and has left memory, with its descriptor. */
  private static void awaitAway(TestAgent agent, Path file) throws Exception {
    agent.awaitDelivered(file);
    TestAgent.await(file + " is closed", () -> !isOpen(file));
    assertTrue(agent.agent.status(PosixPath.of(file)).isDelivered(), "as the table says");
  }

  private static boolean isOpen(Path file) throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      for (Path descriptor : descriptors.toList()) {
        try {
          if (Files.readSymbolicLink(descriptor).equals(file)) {
            return true;
          }
        } catch (IOException closed) {
          // It was open when the directory was listed.
        }
      }
    }
    return false;
  }

  private ArchiveContents.StreamContents only() throws IOException {
    List<ArchiveContents.StreamContents> streams = place.contents().streams();
    assertEquals(1, streams.size(), streams.toString());
    assertFalse(streams.getFirst().holdsBytesTwice(), "bytes held twice");
    assertEquals(List.of(), streams.getFirst().gaps());
    return streams.getFirst();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @EnumSource(value = PackUse.class, names = {"ALWAYS", "NEVER"})
  void aFileGoesOnInItsStream(PackUse packs) throws Exception {
    Path log = write("a.log", "one\n");
    StringBuilder expected = new StringBuilder("one\n");
    try (TestAgent agent = start(packs)) {
      for (int i = 0; i < 5; i++) {
        awaitAway(agent, log);
        assertEquals(1, agent.agent.status().files().watched());
        write("a.log", "more " + i + "\n");
        expected.append("more ").append(i).append('\n');
        agent.awaitDelivered(log);
      }
      assertTrue(agent.drain().isComplete());
    }
    assertArrayEquals(bytes(expected.toString()), only().prefix());
  }

  @ParameterizedTest
  @EnumSource(value = PackUse.class, names = {"ALWAYS", "NEVER"})
  void aNewNameIsRecordedAndTheOldOneIsFreeForAnotherFile(PackUse packs) throws Exception {
    Path log = write("a.log", "one\n");
    try (TestAgent agent = start(packs)) {
      awaitAway(agent, log);
      Path rotated = Files.move(log, place.log("a.log.1"));
      Path next = write("a.log", "two\n");
      awaitAway(agent, rotated);
      awaitAway(agent, next);
      assertEquals(2, agent.agent.status().files().watched());
      assertTrue(agent.drain().isComplete());
    }
    List<ArchiveContents.StreamContents> streams = place.contents().streams();
    assertEquals(2, streams.size());
    for (ArchiveContents.StreamContents stream : streams) {
      boolean first = new String(stream.prefix(), StandardCharsets.UTF_8).equals("one\n");
      assertEquals(
          place.log(first ? "a.log.1" : "a.log").toString(),
          stream.record().map(r -> r.lastPath().toString()).orElse(stream.birthPath));
    }
  }

  @ParameterizedTest
  @EnumSource(value = PackUse.class, names = {"ALWAYS", "NEVER"})
  void aFileThatIsDeletedEnds(PackUse packs) throws Exception {
    Path log = write("a.log", "one\n");
    try (TestAgent agent = start(packs)) {
      awaitAway(agent, log);
      Files.delete(log);
      TestAgent.await("it is gone", () -> agent.agent.status().files().watched() == 0);
      assertTrue(agent.drain().isComplete());
    }
    assertTrue(only().record().flatMap(StreamRecord::end).isPresent(), "the archive knows");
    try (TestAgent next = start(packs)) {
      assertTrue(next.drain().isComplete());
    }
    var _ = only();
  }

  @Test
  void aTruncatedFileBeginsAnotherStream() throws Exception {
    Path log = write("a.log", "one one one\n");
    try (TestAgent agent = start(PackUse.NEVER)) {
      awaitAway(agent, log);
      Files.writeString(log, "two\n");
      awaitAway(agent, log);
      assertTrue(agent.drain().isComplete());
    }
    assertEquals(
        List.of("one one one\n", "two\n"),
        place.contents().streams().stream()
            .map(stream -> new String(stream.prefix(), StandardCharsets.UTF_8))
            .sorted()
            .toList());
  }

  @Test
  void rewrittenBytesAreFound() throws Exception {
    byte[] content = new byte[200_000];
    Path file = Files.write(place.log("data"), content);
    try (TestAgent agent = start(PackUse.ALWAYS)) {
      awaitAway(agent, file);
      content[1_000] = 1;
      Files.write(file, content, StandardOpenOption.WRITE);
      TestAgent.await(
          "it is seen", () -> !agent.agent.status(PosixPath.of(file)).isDelivered() || isOpen(file));
      awaitAway(agent, file);
      assertTrue(agent.drain().isComplete());
    }
    assertEquals(List.of(), place.contents().streams().getFirst().gaps());
  }

  @Test
  void aFileWithASecondNameKeepsItWhenTheFirstGoes() throws Exception {
    Path log = write("a.log", "one\n");
    Path link = place.log("b.log");
    try (TestAgent agent = start(PackUse.NEVER)) {
      awaitAway(agent, log);
      Files.createLink(link, log);
      TestAgent.await("the link is seen", () -> isOpen(log) || isOpen(link));
      Files.delete(log);
      write("b.log", "two\n");
      agent.awaitDelivered(link);
      assertTrue(agent.drain().isComplete());
    }
    assertArrayEquals(bytes("one\ntwo\n"), only().prefix());
    assertTrue(only().record().flatMap(StreamRecord::end).isEmpty(), "it did not end");
  }

  @Test
  void theNextStartKnowsFilesThatWereAway() throws Exception {
    Path log = write("a.log", "one\n");
    try (TestAgent agent = start(PackUse.NEVER)) {
      awaitAway(agent, log);
    }
    write("a.log", "two\n");
    Files.move(log, place.log("a.log.1"));
    try (TestAgent agent = start(PackUse.NEVER)) {
      awaitAway(agent, place.log("a.log.1"));
      assertTrue(agent.drain().isComplete());
    }
    assertArrayEquals(bytes("one\ntwo\n"), only().prefix());
  }
}
