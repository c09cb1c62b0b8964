package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.sign.SigningKey;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.ContentCheck;
import dev.tailwater.delivery.config.Signing;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.testkit.InMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An agent that signs, and an archive to which others may write. */
abstract class UntrustedObjectsFixture {
  static final KeyPair KEYS = KeyPair.generate(new SecureRandom());
  static final SigningKey OWN = SigningKey.generate(new SecureRandom());
  static final SigningKey OTHER = SigningKey.generate(new SecureRandom());
  static final String SAID = "untrusted objects";
  static final int PART_BYTES = 100_000;

  final Random random = new Random(5);
  TestAgent.Place place;
  Path file;
  Path quiet;

  /** What holds the bytes. */
  enum Held {
    SEGMENTS(false),
    ENCRYPTED_SEGMENTS(true),
    PACKS(false),
    ENCRYPTED_PACKS(true);

    final boolean encrypted;

    Held(boolean encrypted) {
      this.encrypted = encrypted;
    }
  }

  @BeforeEach
  void choosePlace(@TempDir(factory = InMemory.class) Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    file = place.log("grows.log");
    quiet = place.log("quiet.log");
    Files.writeString(quiet, "nobody says anything of this\n");
  }

  AgentConfig config(Held held, Signing signing) {
    AgentConfig.Builder config =
        place.config().toBuilder()
            .packs(held.name().endsWith("PACKS") ? PackUse.ALWAYS : PackUse.NEVER)
            .mergeToBytes(OptionalLong.of(0))
            .signing(signing);
    if (held.encrypted) {
      config
          .recipients(List.of(KEYS.recipient()))
          .contentCheck(ContentCheck.with(ContentKey.of(new byte[ContentKey.KEY_BYTES])));
    }
    return config.build();
  }

  /** Runs an agent until nothing is left; returns how many bytes it has sent. */
  long run(Held held, Signing signing, String... said) throws Exception {
    try (TestAgent agent = TestAgent.start(place, config(held, signing), TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
      assertEquals(List.of(said), agent.problems.stream().map(Problem::subject).toList());
      long untrusted = agent.agent().status().destinations().getFirst().untrustedObjects();
      assertEquals(said.length > 0, untrusted > 0, untrusted + " objects");
      return agent.agent().counters().rawBytes();
    }
  }

  void append() throws IOException {
    byte[] bytes = new byte[PART_BYTES];
    random.nextBytes(bytes);
    Files.write(file, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  void loseState() throws IOException {
    Files.move(place.state(), Files.createTempDirectory(place.base(), "lost").resolve("state"));
  }

  Map<Path, byte[]> objects() throws IOException {
    Map<Path, byte[]> objects = new TreeMap<>();
    try (Stream<Path> all = Files.walk(place.archive())) {
      for (Path one : all.filter(Files::isRegularFile).toList()) {
        objects.put(one, Files.readAllBytes(one));
      }
    }
    return objects;
  }

  void assertLatest(Path of) throws Exception {
    ArchiveContents.StreamContents latest = latest(of);
    assertArrayEquals(Files.readAllBytes(of), latest.prefix(), of.toString());
    assertFalse(latest.holdsBytesTwice());
  }

  ArchiveContents.StreamContents latest(Path of) throws Exception {
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      return ArchiveContents.load(archive, List.of(KEYS.identity())).bornAt(of.toString()).stream()
          .max(Comparator.comparing(ArchiveContents.StreamContents::id))
          .orElseThrow();
    }
  }

  long streamsOf(Path of) throws Exception {
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      return ArchiveContents.load(archive, List.of(KEYS.identity())).bornAt(of.toString()).size();
    }
  }
}
