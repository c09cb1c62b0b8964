package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.name.ReceiptName;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.sign.SigningKey;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.ContentCheck;
import dev.tailwater.delivery.config.Signing;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A state that is older than the archive, as after a machine was set back to a snapshot, is not
 * believed: neither does the agent deliver what contradicts the archive, nor does it deliver twice.
 */
class OlderStateTest {
  private static final KeyPair KEYS = KeyPair.generate(new SecureRandom());
  private static final SigningKey SIGNING_KEY = SigningKey.generate(new SecureRandom());
  private static final String SAID = "older state";

  private TestAgent.Place place;
  private Path saved;

  /** What tells the agent that its state is an older one. */
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
    saved = place.base().resolve("saved");
  }

  private AgentConfig config(Told told) {
    return config(place.config().toBuilder(), told);
  }

  private static AgentConfig config(AgentConfig.Builder config, Told told) {
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

  private TestAgent start(Told told) throws Exception {
    return TestAgent.start(place, config(told), TestAgent.REAL_CALLS);
  }

  /** Runs an agent until nothing is left; returns how many bytes it has sent. */
  private long run(Told told, String... said) throws Exception {
    return run(config(told), said);
  }

  private long run(AgentConfig config, String... said) throws Exception {
    try (TestAgent agent = TestAgent.start(place, config, TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
      assertEquals(List.of(said), agent.problems.stream().map(Problem::subject).toList());
      return agent.agent().counters().rawBytes();
    }
  }

  private Path append(String name, String text) throws IOException {
    Path log = place.log(name);
    return Files.writeString(log, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static void truncate(Path file, long lengthBytes) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.setLength(lengthBytes);
    }
  }

  private List<ArchiveContents.StreamContents> streams(Path file) throws IOException {
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      return ArchiveContents.load(archive, List.of(KEYS.identity())).bornAt(file.toString());
    }
  }

  /** Returns what the streams of a file hold, by their epochs. */
  private List<String> texts(Path file) throws IOException {
    TreeMap<StreamId, String> texts = new TreeMap<>();
    for (ArchiveContents.StreamContents stream : streams(file)) {
      assertFalse(stream.holdsBytesTwice(), stream.toString());
      texts.put(stream.id(), new String(stream.prefix(), StandardCharsets.US_ASCII));
    }
    return new ArrayList<>(texts.values());
  }

  /** Delivers two lines, of which the state that is kept knows one. */
  private Path deliverTwoLines(Told told) throws Exception {
    Path log = append("app.log", "one\n");
    run(told);
    place.copyState(saved);
    append("app.log", "two\n");
    run(told);
    place.restoreState(saved);
    return log;
  }

  @ParameterizedTest
  @EnumSource
  void otherBytesThatAreAppendedBeginAStreamOfTheirOwn(Told told) throws Exception {
    Path log = deliverTwoLines(told);
    List<String> delivered = new ArrayList<>(List.of("one\ntwo\n"));
    for (String other : List.of("2\n", "too\n", "three and four\n")) {
      truncate(log, 4);
      append("app.log", other);
      run(told, SAID);
      delivered.add("one\n" + other);
      assertEquals(delivered, texts(log));
      place.restoreState(saved);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatTheArchiveHasIsNotSentAgain(Told told) throws Exception {
    Path log = deliverTwoLines(told);
    assertEquals(0, run(told, SAID));
    append("app.log", "three\n");
    assertEquals(6, run(told));
    assertEquals(List.of("one\ntwo\nthree\n"), texts(log));
  }

  @ParameterizedTest
  @EnumSource
  void aFileThatWasTruncatedMeanwhileAndIsBackBeginsAStream(Told told) throws Exception {
    Path log = append("app.log", "one\n");
    run(told);
    place.copyState(saved);
    truncate(log, 0);
    append("app.log", "2\n");
    run(told);
    place.restoreState(saved);
    truncate(log, 0);
    append("app.log", "one\n");
    run(told, SAID);
    assertEquals(List.of("one\n", "2\n", "one\n"), texts(log));
  }

  @ParameterizedTest
  @EnumSource
  void aFileThatHadAnotherNameMeanwhileHasItsOwnAgain(Told told) throws Exception {
    Path log = append("app.log", "one\n");
    run(told);
    place.copyState(saved);
    Path renamed = Files.move(log, place.log("app.log.1"));
    append("app.log.1", "two\n");
    run(told);
    place.restoreState(saved);
    Files.move(renamed, log);
    run(told, SAID);
    assertEquals(List.of("one\ntwo\n"), texts(log));
    assertEquals(
        log.toString(), streams(log).getFirst().record().orElseThrow().lastPath().toString());
  }

  @ParameterizedTest
  @EnumSource
  void aStateThatWasSetBackTwiceIsFoundTwice(Told told) throws Exception {
    Path log = deliverTwoLines(told);
    assertEquals(0, run(told, SAID));
    assertEquals(0, run(told));
    append("app.log", "three\n");
    run(told);
    place.restoreState(saved);
    truncate(log, 4);
    append("app.log", "other\n");
    run(told, SAID);
    assertEquals(List.of("one\ntwo\nthree\n", "one\nother\n"), texts(log));
  }

  @ParameterizedTest
  @EnumSource
  void anotherAgentOfTheSameNameIsNoticed(Told told) throws Exception {
    Path log = append("app.log", "one\n");
    run(told);
    place.copyState(saved);
    place.restoreState(Files.createTempDirectory(place.base(), "other"));
    append("app.log", "two\n");
    run(told);
    place.restoreState(saved);
    append("app.log", "three\n");
    assertEquals(6, run(told, SAID));
    assertEquals(List.of("one\ntwo\nthree\n"), texts(log));
  }

  /** Neither agent can read the packs of the other. */
  @ParameterizedTest
  @EnumSource
  void namesAtTheEndOfTimeAreNoReasonForDoubt(Told told) throws Exception {
    append("app.log", "one\n");
    run(told);
    PackGroup far = PackGroup.begin(Long.MAX_VALUE, new SecureRandom());
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE)) {
      for (String key :
          List.of(
              new PackName(new PackId(TestAgent.NAME, far, 0), 1, false).key(),
              new ReceiptName(TestAgent.NAME, far, 0, 0).key())) {
        var _ = archive.putSegment(key, ByteBuffer.wrap(new byte[1]));
      }
    }
    append("app.log", "two\n");
    assertEquals(4, run(told));
    assertEquals(0, run(told));
  }

  @Test
  void anotherAgentOfTheSameNameWithAKeyOfItsOwnIsNoticed() throws Exception {
    AgentConfig keyInState =
        config(Told.ENCRYPTED_PACKS).toBuilder()
            .contentCheck(ContentCheck.WITH_KEY_IN_STATE)
            .build();
    Path log = append("app.log", "one\n");
    assertEquals(4, run(keyInState));
    place.copyState(saved);
    place.restoreState(Files.createTempDirectory(place.base(), "other"));
    append("app.log", "two\n");
    assertEquals(8, run(keyInState, "lost state"));
    place.restoreState(saved);
    append("app.log", "three\n");
    assertEquals(14, run(keyInState, "lost state", SAID));
    assertEquals(List.of("one\n", "one\ntwo\n", "one\ntwo\nthree\n"), texts(log));
    assertEquals(0, run(keyInState));
  }

  @ParameterizedTest
  @EnumSource
  void aStateThatIsItsOwnIsBelievedAfterEachEnd(Told told) throws Exception {
    for (int run = 0; run < 3; run++) {
      append("app.log", "line\n");
      assertEquals(5, run(told));
      try (TestAgent agent = start(told)) {
        append("app.log", "more\n");
        agent.awaitDelivered(place.log("app.log")); // And it is killed.
        assertEquals(List.of(), agent.problems);
      }
    }
    assertEquals(1, texts(place.log("app.log")).size());
  }

  private void emptyArchive() throws IOException {
    Path archive = place.archive();
    Files.move(archive, Files.createTempDirectory(place.base(), "gone").resolve("archive"));
    Files.createDirectory(archive);
  }

  @ParameterizedTest
  @EnumSource
  void whatAnEmptiedArchiveLacksIsDeliveredAgain(Told told) throws Exception {
    Path log = append("app.log", "one\n");
    append("other.log", "1\n");
    run(told);
    emptyArchive();
    append("app.log", "two\n");
    assertEquals(10, run(told, "older archive"));
    assertEquals(List.of("one\ntwo\n"), texts(log));
    assertEquals(List.of("1\n"), texts(place.log("other.log")));
    assertEquals(0, run(told));
  }

  /** No receipt was put yet, since the run was killed within its first minute. */
  @ParameterizedTest
  @EnumSource
  void whatAnEmptiedArchiveLacksIsDeliveredAgainAfterAKill(Told told) throws Exception {
    Path log = append("app.log", "one\n");
    try (TestAgent agent = start(told)) {
      agent.awaitDelivered(log);
    }
    emptyArchive();
    assertEquals(4, run(told, "older archive"));
    assertEquals(List.of("one\n"), texts(log));
    assertEquals(0, run(told));
  }

  @Test
  void anArchiveThatIsBackAfterAKillIsAskedWhatItHolds() throws Exception {
    Path log = append("app.log", "one\n");
    run(Told.PACKS);
    Path archive = place.base().resolve("archive-elsewhere");
    Files.move(place.archive(), archive);
    Files.createDirectory(place.archive());
    FailingLists failing =
        new FailingLists(place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE), 1);
    try (TestAgent agent = TestAgent.start(config(Told.PACKS), failing, TestAgent.REAL_CALLS)) {
      TestAgent.await("it lists the archive", () -> !agent.problems.isEmpty());
    }
    emptyArchive();
    Files.delete(place.archive());
    Files.move(archive, place.archive());
    append("app.log", "two\n");
    assertEquals(4, run(Told.PACKS));
    assertEquals(List.of("one\ntwo\n"), texts(log));
  }

  /** Without its state, which the guide has users remove: the agent does not sign. */
  @ParameterizedTest
  @EnumSource(names = {"PACKS", "ENCRYPTED_PACKS"})
  void anArchiveThatIsMountedAgainGetsWhatWentBelowItsMountPoint(Told told) throws Exception {
    Path log = append("app.log", "one\n");
    run(told);
    Path mounted = place.base().resolve("mounted");
    Files.move(place.archive(), mounted);
    Files.createDirectory(place.archive());
    append("app.log", "two\n");
    run(told, "older archive");
    append("app.log", "three\n");
    emptyArchive();
    Files.delete(place.archive());
    Files.move(mounted, place.archive());
    removeState();
    assertEquals(10, run(told));
    assertEquals(List.of("one\ntwo\nthree\n"), texts(log));
  }

  /** Removes {@code files} and {@code log-*}. */
  private void removeState() throws IOException {
    List<Path> removed;
    try (Stream<Path> all = Files.walk(place.state())) {
      removed =
          all.filter(
                  file -> {
                    String name = place.state().relativize(file).toString();
                    return name.equals("files")
                        || name.startsWith("files/")
                        || name.startsWith("log-");
                  })
              .sorted(Comparator.reverseOrder())
              .toList();
    }
    assertTrue(removed.size() > 2, removed.toString());
    for (Path file : removed) {
      Files.delete(file);
    }
  }

  @Test
  void anArchiveIsNotMissedBeforeAnythingWasDelivered() throws Exception {
    Files.writeString(place.log("empty.log"), "");
    run(Told.PACKS);
    emptyArchive();
    append("app.log", "one\n");
    assertEquals(4, run(Told.PACKS));
  }

  @ParameterizedTest
  @EnumSource(names = {"RECEIPTS", "BOTH"})
  void whatAnEarlierCopyOfTheArchiveLacksIsDeliveredAgain(Told told) throws Exception {
    Path log = append("app.log", "one\n");
    run(told);
    Path earlier = place.base().resolve("earlier-archive");
    TestAgent.Place.copy(place.archive(), earlier);
    append("app.log", "two\n");
    run(told);
    emptyArchive();
    Files.delete(place.archive());
    Files.move(earlier, place.archive());
    append("app.log", "three\n");
    assertEquals(10, run(told, "older archive"));
    assertEquals(List.of("one\ntwo\nthree\n"), texts(log));
  }

  /** Does not tell which streams there are. */
  private static final class FailingLists extends ForwardingDestination {
    private final AtomicInteger answers;

    /**
     * Creates one that fails.
     *
     * @param answers how many such lists it answers before
     */
    FailingLists(Destination real, int answers) {
      super(real);
      this.answers = new AtomicInteger(answers);
    }

    @Override
    public Listing list(String prefix, Optional<String> startAfter, int limit)
        throws DestinationException {
      if (prefix.equals(ArchiveNames.agentPrefix(TestAgent.NAME))
          && answers.getAndDecrement() <= 0) {
        throw new TransientDestinationException(uri(), "list", prefix, "says a test", "");
      }
      return super.list(prefix, startAfter, limit);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RECEIPTS", "BOTH"})
  void anEarlierCopyOfTheArchiveIsFoundAgainAfterAKillWhileItIsListed(Told told) throws Exception {
    Path log = append("app.log", "one\n");
    run(told);
    truncate(log, 0);
    append("app.log", "2\n");
    run(told);
    Path earlier = place.base().resolve("earlier-archive");
    TestAgent.Place.copy(place.archive(), earlier);
    append("app.log", "two\n");
    run(told);
    emptyArchive();
    Files.delete(place.archive());
    Files.move(earlier, place.archive());
    FailingLists failing =
        new FailingLists(place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE), 0);
    try (TestAgent agent = TestAgent.start(config(told), failing, TestAgent.REAL_CALLS)) {
      TestAgent.await("it lists the archive", () -> !agent.problems.isEmpty());
    }
    try (TestAgent agent = start(told)) {
      assertTrue(agent.drain().isComplete());
      assertEquals(List.of("one\n", "2\ntwo\n"), texts(log));
      assertEquals(
          List.of("older archive"), agent.problems.stream().map(Problem::subject).toList());
    }
    assertEquals(0, run(told));
  }

  @Test
  void anAgentWithAnotherNameSaysWhichFilesGoOnUnderTheFirst() throws Exception {
    append("app.log", "one\n");
    run(Told.PACKS);
    append("app.log", "two\n");
    AgentConfig renamed =
        AgentConfig.builder(
                "renamed", place.config().scope().sources(), place.config().stateDirectory())
            .build();
    run(renamed, "agent name");
    run(renamed, "agent name");
    assertEquals(List.of("one\ntwo\n"), texts(place.log("app.log")));
    run(Told.PACKS);
  }

  /** The receipts of a run are under the name that the agent had then. */
  @ParameterizedTest
  @EnumSource(Told.class)
  void anotherNameIsNotTakenForAnEmptiedArchive(Told told) throws Exception {
    append("app.log", "one\n");
    run(told);
    append("app.log", "two\n");
    run(named(told, "renamed"), "agent name");
    append("app.log", "three\n");
    run(named(told, "again"), "agent name");
    append("app.log", "four\n");
    run(told);
    assertEquals(List.of("one\ntwo\nthree\nfour\n"), texts(place.log("app.log")));
  }

  @Test
  void anEmptiedArchiveIsNoticedUnderAnotherName() throws Exception {
    append("app.log", "one\n");
    run(Told.RECEIPTS);
    emptyArchive();
    run(named(Told.RECEIPTS, "renamed"), "older archive");
    assertEquals(List.of("one\n"), texts(place.log("app.log")));
    run(named(Told.RECEIPTS, "renamed"));
  }

  private AgentConfig named(Told told, String name) {
    AgentConfig usual = place.config();
    return config(AgentConfig.builder(name, usual.scope().sources(), usual.stateDirectory()), told);
  }

  /** Answers no list before it is let go. */
  private static final class HangingLists extends ForwardingDestination {
    final CountDownLatch released = new CountDownLatch(1);

    HangingLists(Destination real) {
      super(real);
    }

    @Override
    public Listing list(String prefix, Optional<String> startAfter, int limit)
        throws DestinationException {
      boolean interrupted = false;
      while (true) {
        try {
          released.await();
          break;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      return super.list(prefix, startAfter, limit);
    }
  }

  @Test
  void anAgentThatEndedCleanlyWatchesAlthoughItsDestinationHangs() throws Exception {
    Path log = append("app.log", "one\n");
    run(Told.PACKS);
    append("app.log", "two\n");
    HangingLists hanging =
        new HangingLists(place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE));
    try (TestAgent agent = TestAgent.start(config(Told.PACKS), hanging, TestAgent.REAL_CALLS)) {
      try {
        agent.agent().awaitFirstScan();
        assertEquals(1, agent.agent().status().files().watched());
        assertFalse(agent.agent().status(PosixPath.of(log)).isDelivered());
      } finally {
        hanging.released.countDown();
      }
      agent.awaitDelivered(log);
    }
    assertEquals(List.of("one\ntwo\n"), texts(log));
  }
}
