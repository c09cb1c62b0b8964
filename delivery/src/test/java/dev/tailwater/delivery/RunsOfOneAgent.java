package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.sign.SigningKey;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.ContentCheck;
import dev.tailwater.delivery.config.Signing;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Runs of one agent, between which a test changes its state or its archive. */
abstract class RunsOfOneAgent {
  private static final KeyPair KEYS = KeyPair.generate(new SecureRandom());

  private static final SigningKey SIGNING_KEY = SigningKey.generate(new SecureRandom());

  TestAgent.Place place;

  /** What tells the agent that its state, or its archive, is an older one. */
  @SuppressWarnings("ImmutableEnumChecker") // its fields are values, though not annotated as such
  enum Told {
    PACKS(true, false, false),
    ENCRYPTED_PACKS(true, false, true),
    RECEIPTS(false, true, false),
    BOTH(true, true, true);

    final boolean packs;
    final boolean signed;
    final boolean encrypted;

    Told(boolean packs, boolean signed, boolean encrypted) {
      this.packs = packs;
      this.signed = signed;
      this.encrypted = encrypted;
    }
  }

  @BeforeEach
  void makePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
  }

  AgentConfig config(Told told) {
    return config(place.config().toBuilder(), told);
  }

  static AgentConfig config(AgentConfig.Builder config, Told told) {
    config
        .packs(told.packs ? PackUse.ALWAYS : PackUse.NEVER)
        .signing(told.signed ? Signing.with(SIGNING_KEY) : Signing.OFF);
    if (told.encrypted) {
      config
          .recipients(List.of(KEYS.recipient()))
          .contentCheck(ContentCheck.with(ContentKey.of(new byte[ContentKey.KEY_BYTES])));
    }
    return config.build();
  }

  TestAgent start(Told told) throws Exception {
    return TestAgent.start(place, config(told), TestAgent.REAL_CALLS);
  }

  /** Runs an agent until nothing is left; returns how many bytes it has sent. */
  long run(Told told, String... said) throws Exception {
    return run(config(told), said);
  }

  long run(AgentConfig config, String... said) throws Exception {
    try (TestAgent agent = TestAgent.start(place, config, TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
      assertEquals(List.of(said), agent.problems.stream().map(Problem::subject).toList());
      return agent.agent().counters().rawBytes();
    }
  }

  Path append(String name, String text) throws IOException {
    Path log = place.log(name);
    return Files.writeString(log, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  static void truncate(Path file, long lengthBytes) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.setLength(lengthBytes);
    }
  }

  List<ArchiveContents.StreamContents> streams(Path file) throws IOException {
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      return ArchiveContents.load(archive, List.of(KEYS.identity())).bornAt(file.toString());
    }
  }

  /** Returns what the streams of a file hold, by their epochs. */
  List<String> texts(Path file) throws IOException {
    TreeMap<StreamId, String> texts = new TreeMap<>();
    for (ArchiveContents.StreamContents stream : streams(file)) {
      assertFalse(stream.holdsBytesTwice(), stream.toString());
      texts.put(stream.id(), new String(stream.prefix(), StandardCharsets.US_ASCII));
    }
    return new ArrayList<>(texts.values());
  }
}
