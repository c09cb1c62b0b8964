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
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.FaultyDestination;
import dev.tailwater.posix.testkit.InMemory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A rule of the bucket has moved objects to cold storage, from which nobody can read them at once,
 * and an agent that has lost its state asks what is delivered.
 */
@Timeout(120)
class ColdObjectsTest {
  private static final KeyPair KEYS = KeyPair.generate(new SecureRandom());
  private static final SigningKey OWN = SigningKey.generate(new SecureRandom());
  private static final int FILES = 3;

  private final Set<String> cold = ConcurrentHashMap.newKeySet();

  /** What the last run has reported problems of. */
  private final Set<String> subjects = new HashSet<>();

  private TestAgent.Place place;

  /** What holds the bytes. */
  enum Held {
    SEGMENTS(false, "content check"),
    ENCRYPTED_SEGMENTS(true, "content check"),
    SIGNED_SEGMENTS(false, "untrusted objects"),
    PACKS(false, "lost state"),
    ENCRYPTED_PACKS(true, "lost state"),
    SIGNED_PACKS(false, "lost state");

    private final boolean encrypted;
    private final String said;

    Held(boolean encrypted, String said) {
      this.encrypted = encrypted;
      this.said = said;
    }
  }

  @BeforeEach
  void makePlace(@TempDir(factory = InMemory.class) Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    for (int i = 0; i < FILES; i++) {
      append(i, "one\n");
    }
  }

  private AgentConfig config(Held held) {
    AgentConfig.Builder config =
        place.config().toBuilder()
            .packs(held.name().endsWith("PACKS") ? PackUse.ALWAYS : PackUse.NEVER)
            .mergeToBytes(OptionalLong.of(0));
    if (held.name().startsWith("SIGNED")) {
      config.signing(Signing.with(OWN));
    }
    if (held.encrypted) {
      config
          .recipients(List.of(KEYS.recipient()))
          .contentCheck(ContentCheck.with(ContentKey.of(new byte[ContentKey.KEY_BYTES])));
    }
    return config.build();
  }

  private Path file(int number) {
    return place.log("app-" + number + ".log");
  }

  private void append(int number, String text) throws IOException {
    Files.writeString(file(number), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** Runs an agent until nothing is left; returns how many bytes it has sent. */
  private long run(Held held, String... said) throws Exception {
    long bytes = runAt(held, System::currentTimeMillis);
    assertEquals(Set.of(said), subjects);
    return bytes;
  }

  private long runAt(Held held, LongSupplier clockMillis) throws Exception {
    Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE);
    Destination cooling =
        FaultyDestination.wrap(
            archive,
            call ->
                call.method().equals("read") && cold.contains(call.key())
                    ? DestinationFault.FAIL_COLD
                    : DestinationFault.PROCEED);
    try (TestAgent agent = TestAgent.startAt(config(held), cooling, clockMillis)) {
      assertTrue(agent.drain().isComplete());
      subjects.clear();
      agent.problems.forEach(problem -> subjects.add(problem.subject()));
      assertTrue(agent.problems.stream().noneMatch(ColdObjectsTest::lacksAKey));
      return agent.agent().counters().rawBytes();
    }
  }

  /** Whoever is told of it must see which object to look at. */
  private static boolean lacksAKey(Problem problem) {
    return !problem.message().contains("cold storage, by plan");
  }

  private void loseState() throws IOException {
    Files.move(place.state(), Files.createTempDirectory(place.base(), "lost").resolve("state"));
  }

  private void coolAll() throws IOException {
    try (var all = Files.walk(place.archive())) {
      all.filter(Files::isRegularFile)
          .forEach(path -> cold.add(place.archive().relativize(path).toString()));
    }
    assertFalse(cold.isEmpty());
  }

  /** Returns what the streams of a file hold, by their epochs. */
  private List<String> texts(int number) throws Exception {
    TreeMap<StreamId, String> texts = new TreeMap<>();
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      for (ArchiveContents.StreamContents stream :
          ArchiveContents.load(archive, List.of(KEYS.identity())).bornAt(file(number).toString())) {
        assertFalse(stream.holdsBytesTwice(), stream.toString());
        texts.put(stream.id(), new String(stream.prefix(), StandardCharsets.US_ASCII));
      }
    }
    return List.copyOf(texts.values());
  }

  @ParameterizedTest
  @EnumSource(Held.class)
  void everyFileIsDeliveredAgainAsANewStream(Held held) throws Exception {
    run(held);
    coolAll();
    loseState();
    append(0, "two\n");
    Files.writeString(file(1), "other\n");
    assertEquals(8 + 6 + 4, run(held, held.said));
    assertEquals(List.of("one\n", "one\ntwo\n"), texts(0));
    assertEquals(List.of("one\n", "other\n"), texts(1));
    assertEquals(List.of("one\n", "one\n"), texts(2));
    append(0, "three\n");
    // After a loss, names are listed for a while, and signatures are looked at.
    boolean looksAgain = held == Held.SIGNED_SEGMENTS;
    assertEquals(6, run(held, looksAgain ? new String[] {held.said} : new String[0]));
    assertEquals(List.of("one\n", "one\ntwo\nthree\n"), texts(0));
  }

  @ParameterizedTest
  @EnumSource(Held.class)
  void anAgentThatHasItsStateReadsNothingCold(Held held) throws Exception {
    run(held);
    coolAll();
    append(0, "two\n");
    assertEquals(4, run(held));
    assertEquals(List.of("one\ntwo\n"), texts(0));
  }

  @ParameterizedTest
  @EnumSource(Held.class)
  void theStateMayBeLostAgainAndAgain(Held held) throws Exception {
    for (int losses = 0; losses < 3; losses++) {
      append(0, "more\n");
      run(held, losses == 0 ? new String[0] : new String[] {held.said});
      coolAll();
      loseState();
    }
    assertEquals(List.of("one\nmore\n", "one\nmore\nmore\n", "one\nmore\nmore\nmore\n"), texts(0));
  }

  @ParameterizedTest
  @EnumSource(Held.class)
  void filesThatTheStateKnowsGoOnWhenPacksCoolAfterALoss(Held held) throws Exception {
    run(held);
    loseState();
    Path away = Files.move(file(2), place.base().resolve("away"));
    append(0, "two\n");
    assertEquals(4, run(held));
    coolAll();
    append(0, "three\n");
    Files.move(away, file(2));
    Files.writeString(file(1), "ONE\n");
    Files.writeString(file(2), "other\n");
    assertEquals(6 + 4 + 6, run(held, held.said));
    assertEquals(List.of("one\ntwo\nthree\n"), texts(0));
    assertEquals(List.of("one\n", "ONE\n"), texts(1));
    assertEquals(List.of("one\n", "other\n"), texts(2));
    append(0, "four\n");
    boolean looksAgain = held == Held.SIGNED_SEGMENTS;
    assertEquals(5, run(held, looksAgain ? new String[] {held.said} : new String[0]));
    assertEquals(List.of("one\ntwo\nthree\nfour\n"), texts(0));
  }

  @ParameterizedTest
  @EnumSource(Held.class)
  void aFileOfWhichTheStateHasNoMarkerIsDeliveredAgain(Held held) throws Exception {
    run(held);
    loseState();
    assertEquals(0, run(held));
    coolAll();
    append(0, "two\n");
    // Names are not listed any more.
    LongSupplier later = () -> System.currentTimeMillis() + TimeUnit.DAYS.toMillis(31);
    runAt(held, later);
    assertTrue(Set.of("content check").containsAll(subjects), "the marker may have come in time");
    assertEquals("one\ntwo\n", texts(0).getLast());
    append(0, "three\n");
    assertEquals(6, runAt(held, later));
    assertEquals("one\ntwo\nthree\n", texts(0).getLast());
  }
}
