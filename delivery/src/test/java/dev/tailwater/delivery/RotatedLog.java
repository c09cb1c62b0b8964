package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.pack.DirectoryStatement;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;

/** A log that is there, grows, and is renamed; and what an archive must hold of it in the end. */
final class RotatedLog {
  private static final byte[] SECOND = random(2, 300);

  /** Any two packs together are longer. */
  private static final int MERGE_TO = 100;

  /** How the log travels. */
  enum Way {
    SEGMENTS(70_000, 1, 1 << 20),
    PACKS(70_000, 1, 1 << 20),
    /** In a segment of which two workers compress blocks. */
    SHARED_BLOCKS(2_500_000, 2, 4 << 20),
    /** In segments, beside directories that are told. */
    TREE(2_000, 1, 1 << 20);

    private final int firstBytes;
    private final int workers;
    private final int segmentBytes;

    Way(int firstBytes, int workers, int segmentBytes) {
      this.firstBytes = firstBytes;
      this.workers = workers;
      this.segmentBytes = segmentBytes;
    }
  }

  /** The time of a directory, whenever it was changed. */
  private static final FileTime TREE_TIME = FileTime.fromMillis(1_700_000_000_000L);

  private final TestAgent.Place place;
  private final Way way;
  private final byte[] first;
  private final boolean packs;

  private RotatedLog(TestAgent.Place place, Way way) {
    this.place = place;
    this.way = way;
    this.first = random(1, way.firstBytes);
    this.packs = way == Way.PACKS;
  }

  static RotatedLog begin(Path base, String name) throws IOException {
    return begin(base, name, Way.SEGMENTS);
  }

  static RotatedLog begin(Path base, String name, Way way) throws IOException {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath().resolve(name));
    RotatedLog log = new RotatedLog(place, way);
    Files.write(place.log("app.log"), log.first);
    if (way == Way.TREE) {
      Files.createDirectory(place.log("inside"));
      Files.createSymbolicLink(place.log("latest"), Path.of("app.log"));
      log.changeTreeBack();
    }
    return log;
  }

  private static byte[] random(int seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  TestAgent.Place place() {
    return place;
  }

  /** Returns the configuration of an agent that takes its time. */
  AgentConfig config() {
    AgentConfig.Builder config =
        place.config().toBuilder()
            .workers(way.workers)
            .segmentBytes(way.segmentBytes)
            .packs(packs ? PackUse.ALWAYS : PackUse.NEVER)
            .directories(way == Way.TREE);
    return packs ? config.mergeToBytes(OptionalLong.of(MERGE_TO)).build() : config.build();
  }

  /** Returns the configuration of the next agent, which may have been told to make no packs. */
  AgentConfig nextConfig(String when) {
    return config().toBuilder()
        .packs(packs && when.hashCode() % 2 == 0 ? PackUse.ALWAYS : PackUse.NEVER)
        .build();
  }

  /** Returns the configuration of an agent that does everything at once. */
  AgentConfig hastyConfig() {
    return config().toBuilder().maxAge(Duration.ofMillis(2)).goneGrace(Duration.ZERO).build();
  }

  /** Runs an agent that delivers the log, sees it grow and be renamed, and drains. */
  void deliver(TestAgent agent, MortalProcess process) throws Exception {
    process.awaitUnlessDead(() -> isDelivered(agent, "app.log"));
    Path log = place.log("app.log");
    if (Files.size(log) == first.length) {
      Files.write(log, SECOND, StandardOpenOption.APPEND);
      Files.move(log, place.log("app.log.1"));
    }
    if (way == Way.TREE) {
      process.awaitUnlessDead(() -> !ToldTree.read(place, List.of()).isEmpty());
      Files.setPosixFilePermissions(
          place.log("inside"), PosixFilePermissions.fromString("rwx------"));
      Files.createDirectory(place.log("inside/more"));
    }
    process.awaitUnlessDead(() -> isDelivered(agent, "app.log.1"));
    process.awaitUnlessDead(() -> !packs || isMerged(agent));
    if (!process.isDead()) {
      agent.agent.drain(Optional.of(Duration.ofSeconds(20)));
    }
  }

  private static boolean isMerged(TestAgent agent) {
    return agent.agent.status().destinations().getFirst().merged().supersededSegments() >= 2;
  }

  private boolean isDelivered(TestAgent agent, String name) throws IOException {
    Path file = place.log(name);
    return Files.exists(file) && agent.agent.status(PosixPath.of(file)).isDelivered();
  }

  /** Does what an agent that died has not seen, so that all runs end alike. */
  void finish() throws IOException {
    Path log = place.log("app.log");
    if (Files.exists(log)) {
      if (Files.size(log) == first.length) {
        Files.write(log, SECOND, StandardOpenOption.APPEND);
      }
      Files.move(log, place.log("app.log.1"));
    }
    if (way == Way.TREE) {
      Files.deleteIfExists(place.log("inside/more"));
      changeTreeBack();
    }
  }

  /** Makes the tree what it was, so that it is as an agent that died may have noted. */
  private void changeTreeBack() throws IOException {
    Files.setPosixFilePermissions(
        place.log("inside"), PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setLastModifiedTime(place.log("inside"), TREE_TIME);
    Files.setLastModifiedTime(place.logs(), TREE_TIME);
  }

  /** Asserts that the archive tells the tree that is there. */
  void assertTreeIsTold(String when) throws IOException {
    if (way == Way.TREE) {
      Map<PosixPath, DirectoryStatement.Contents> told =
          ToldTree.last(ToldTree.read(place, List.of()));
      PosixPath top = PosixPath.of(place.logs());
      PosixPath inside = top.resolve(PosixPath.of("inside"));
      assertEquals(Set.of(top, inside), told.keySet(), when + ": directories");
      assertEquals(List.of(PosixPath.of("inside")), ToldTree.of(told, top).directories(), when);
      assertEquals(
          List.of(PosixPath.of("app.log")),
          ToldTree.of(told, top).links().stream().map(DirectoryStatement.Link::target).toList(),
          when + ": links");
      assertEquals(0755, ToldTree.of(told, inside).attributes().permissions(), when + ": mode");
    }
  }

  /** Asserts that the archive has every byte once, under its last name. */
  void assertWhole(ArchiveContents contents, String when) {
    List<ArchiveContents.StreamContents> streams = contents.streams();
    assertEquals(1, streams.size(), when + ": streams");
    ArchiveContents.StreamContents stream = streams.getFirst();
    byte[] whole = new byte[first.length + SECOND.length];
    System.arraycopy(first, 0, whole, 0, first.length);
    System.arraycopy(SECOND, 0, whole, first.length, SECOND.length);
    assertArrayEquals(whole, stream.prefix(), when + ": content");
    assertFalse(stream.holdsBytesTwice(), when + ": bytes held twice");
    assertTrue(stream.gaps.isEmpty(), when + ": gaps");
    assertEquals(
        place.log("app.log.1").toString(),
        stream.record().map(r -> r.lastPath().toString()).orElse(stream.birthPath),
        when + ": last path");
  }
}
