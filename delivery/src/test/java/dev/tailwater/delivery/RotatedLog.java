package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;

/** A log that is there, grows, and is renamed; and what an archive must hold of it in the end. */
final class RotatedLog {
  private static final byte[] FIRST = random(1, 70_000);
  private static final byte[] SECOND = random(2, 300);

  /** Any two packs together are longer. */
  private static final int MERGE_TO = 100;

  private final TestAgent.Place place;
  private final boolean packs;

  private RotatedLog(TestAgent.Place place, boolean packs) {
    this.place = place;
    this.packs = packs;
  }

  static RotatedLog begin(Path base, String name) throws IOException {
    return begin(base, name, false);
  }

  /** Begins a log that is delivered in packs, or in segments. */
  static RotatedLog begin(Path base, String name, boolean packs) throws IOException {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath().resolve(name));
    Files.write(place.log("app.log"), FIRST);
    return new RotatedLog(place, packs);
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
        place.config().toBuilder().packs(packs ? PackUse.ALWAYS : PackUse.NEVER);
    return packs ? config.mergeToBytes(OptionalLong.of(MERGE_TO)).build() : config.build();
  }

  /** Returns the configuration of the next agent, which may have been told to make no packs. */
  AgentConfig nextConfig(String when) {
    return config().toBuilder()
        .packs(packs && when.hashCode() % 2 == 0 ? PackUse.ALWAYS : PackUse.NEVER)
        .quietFilesInMemory(when.hashCode() % 3 == 0 ? 0 : 1_000)
        .build();
  }

  /** Returns the configuration of an agent that does everything at once. */
  AgentConfig hastyConfig() {
    return config().toBuilder()
        .maxAge(Duration.ofMillis(2))
        .goneGrace(Duration.ZERO)
        .quietFilesInMemory(place.base().toString().hashCode() % 2 == 0 ? 0 : 1_000)
        .build();
  }

  /** Runs an agent that delivers the log, sees it grow and be renamed, and drains. */
  void deliver(TestAgent agent, MortalProcess process) throws Exception {
    process.awaitUnlessDead(() -> isDelivered(agent, "app.log"));
    Path log = place.log("app.log");
    if (Files.size(log) == FIRST.length) {
      Files.write(log, SECOND, StandardOpenOption.APPEND);
      Files.move(log, place.log("app.log.1"));
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
      if (Files.size(log) == FIRST.length) {
        Files.write(log, SECOND, StandardOpenOption.APPEND);
      }
      Files.move(log, place.log("app.log.1"));
    }
  }

  /** Asserts that the archive has every byte once, under its last name. */
  void assertWhole(ArchiveContents contents, String when) {
    List<ArchiveContents.StreamContents> streams = contents.streams();
    assertEquals(1, streams.size(), when + ": streams");
    ArchiveContents.StreamContents stream = streams.getFirst();
    byte[] whole = new byte[FIRST.length + SECOND.length];
    System.arraycopy(FIRST, 0, whole, 0, FIRST.length);
    System.arraycopy(SECOND, 0, whole, FIRST.length, SECOND.length);
    assertArrayEquals(whole, stream.prefix(), when + ": content");
    assertFalse(stream.holdsBytesTwice(), when + ": bytes held twice");
    assertTrue(stream.gaps.isEmpty(), when + ": gaps");
    assertEquals(
        place.log("app.log.1").toString(),
        stream.record().map(r -> r.lastPath().toString()).orElse(stream.birthPath),
        when + ": last path");
  }
}
