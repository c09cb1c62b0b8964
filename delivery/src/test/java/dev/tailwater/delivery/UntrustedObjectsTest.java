package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.sign.Trust;
import dev.tailwater.delivery.checkpoint.SigningKeyFile;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.ContentCheck;
import dev.tailwater.delivery.config.Signing;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Somebody else writes to the archive, and an agent without state asks it what is delivered. */
class UntrustedObjectsTest extends UntrustedObjectsFixture {
  private static final int AGE_VERSION_AT = "age-encryption.org/v".length();
  private static final int PACK_VERSION_AT = 12;

  /**
   * Lets the file grow, and has somebody who can read it claim that the new bytes are delivered:
   * with objects of which there is only the beginning.
   */
  private Map<Path, byte[]> forge(Held held, Signing signing) throws Exception {
    append();
    Map<Path, byte[]> before = objects();
    Path saved = place.base().resolve("saved");
    if (Files.exists(place.state())) {
      Files.move(place.state(), saved);
    }
    run(held, signing);
    loseState();
    if (Files.exists(saved)) {
      Files.move(saved, place.state());
    }
    Map<Path, byte[]> forged = objects();
    forged.keySet().removeAll(before.keySet());
    for (Map.Entry<Path, byte[]> one : forged.entrySet()) {
      String key = place.archive().relativize(one.getKey()).toString();
      byte[] object = one.getValue();
      int keptBytes =
          PackName.parse(key).map(pack -> pack.frontBytes() + 1).orElse(object.length / 2);
      if (isOfBytes(key)) {
        one.setValue(Arrays.copyOf(object, Math.min(object.length, keptBytes)));
        Files.write(one.getKey(), one.getValue());
      }
    }
    assertTrue(forged.keySet().stream().anyMatch(UntrustedObjectsTest::isOfBytes));
    return forged;
  }

  private static boolean isOfBytes(String key) {
    return PackName.parse(key).isPresent()
        || ArchiveNames.parse(key).orElse(null) instanceof ArchiveObject.Segment;
  }

  private static boolean isOfBytes(Path object) {
    return object.toString().contains(".zst");
  }

  /** Asserts that the archive is whole without what was forged, which nobody has touched. */
  private void assertWholeWithout(Map<Path, byte[]> forged) throws Exception {
    for (Map.Entry<Path, byte[]> one : forged.entrySet()) {
      if (isOfBytes(one.getKey())) {
        assertArrayEquals(one.getValue(), Files.readAllBytes(one.getKey()), "it stays as it is");
        Files.delete(one.getKey());
      }
    }
    assertLatest(file);
    assertLatest(quiet);
  }

  private static Trust trust(String line) {
    return Trust.parseAny("keys", line);
  }

  @ParameterizedTest
  @EnumSource
  void whatIsClaimedWithoutASignatureIsDelivered(Held held) throws Exception {
    append();
    run(held, Signing.with(OWN));
    loseState();
    Map<Path, byte[]> forged = forge(held, Signing.OFF);
    assertEquals(2 * PART_BYTES, run(held, Signing.with(OWN), SAID), "not the quiet file");
    assertWholeWithout(forged);
  }

  @ParameterizedTest
  @EnumSource
  void whatIsClaimedWithAnotherKeyIsDelivered(Held held) throws Exception {
    append();
    run(held, Signing.with(OWN));
    loseState();
    Map<Path, byte[]> forged = forge(held, Signing.with(OTHER).trusting(ownKey()));
    assertEquals(2 * PART_BYTES, run(held, Signing.with(OWN), SAID));
    assertWholeWithout(forged);
  }

  private static Trust ownKey() {
    return trust(TestAgent.NAME + " " + OWN.publicKey().text());
  }

  @ParameterizedTest
  @EnumSource
  void whatIsClaimedOfNewFilesIsDelivered(Held held) throws Exception {
    Map<Path, byte[]> forged = forge(held, Signing.OFF);
    assertEquals(PART_BYTES + Files.size(quiet), run(held, Signing.with(OWN), SAID));
    assertWholeWithout(forged);
  }

  /** Nothing but its record, or the directory of a pack, tells of it. */
  @ParameterizedTest
  @EnumSource
  void anEmptyFileIsKnownUnderAnotherName(Held held) throws Exception {
    append();
    Path empty = place.log("empty.log");
    Files.createFile(empty);
    run(held, Signing.with(OWN));
    Files.move(empty, place.log("renamed.log"));
    for (int i = 0; i < 2; i++) {
      loseState();
      assertEquals(0, run(held, Signing.with(OWN)));
      for (Path object : objects().keySet()) {
        if (object.toString().contains("~receipts")) {
          Files.delete(object); // So that its signature tells, the second time.
        }
      }
    }
    assertEquals(1, streamsOf(empty));
    assertEquals(0, streamsOf(place.log("renamed.log")));
    assertEquals(List.of(), doubleRecords());
  }

  @ParameterizedTest
  @EnumSource(names = {"SEGMENTS", "ENCRYPTED_SEGMENTS"})
  void anEmptyFileOfWhichAnUntrustedRecordTellsHasANewStream(Held held) throws Exception {
    Path empty = place.log("empty.log");
    Files.createFile(empty);
    run(held, Signing.OFF);
    loseState();
    Files.move(empty, place.log("renamed.log"));
    run(held, Signing.with(OWN), SAID);
    assertEquals(2, streamsOf(empty));
    assertEquals(List.of(), doubleRecords());
  }

  /** Streams of which there are records in several places. */
  private List<String> doubleRecords() throws IOException {
    Set<String> streams = new HashSet<>();
    return objects().keySet().stream()
        .flatMap(one -> ArchiveNames.parse(place.archive().relativize(one).toString()).stream())
        .filter(ArchiveObject.Stream.class::isInstance)
        .map(record -> record.stream().text())
        .filter(stream -> !streams.add(stream))
        .toList();
  }

  /** The streams that were begun anew are the agent's own, and go on. */
  @ParameterizedTest
  @EnumSource
  void afterThatNothingIsDeliveredTwice(Held held) throws Exception {
    append();
    run(held, Signing.with(OWN));
    loseState();
    Map<Path, byte[]> forged = forge(held, Signing.OFF);
    run(held, Signing.with(OWN), SAID);
    append();
    assertEquals(PART_BYTES, run(held, Signing.with(OWN), SAID), "it is said for 30 days");
    loseState();
    assertEquals(0, run(held, Signing.with(OWN), SAID));
    assertWholeWithout(forged);
  }

  @ParameterizedTest
  @EnumSource
  void whatTheAgentSignedIsBelieved(Held held) throws Exception {
    append();
    run(held, Signing.with(OWN));
    append();
    run(held, Signing.with(OWN));
    loseState();
    assertEquals(0, run(held, Signing.with(OWN)));
    assertWholeWithout(Map.of());
  }

  @ParameterizedTest
  @EnumSource
  void whatTheAgentSignedIsBelievedWithoutReceipts(Held held) throws Exception {
    append();
    run(held, Signing.with(OWN));
    loseState();
    for (Path object : objects().keySet()) {
      if (object.toString().contains("~receipts")) {
        Files.delete(object);
      }
    }
    assertEquals(0, run(held, Signing.with(OWN)));
  }

  @ParameterizedTest
  @EnumSource
  void anEarlierKeyIsBelievedIfItIsNamed(Held held) throws Exception {
    append();
    run(held, Signing.with(OTHER));
    loseState();
    Trust earlier = trust(TestAgent.NAME + " " + OTHER.publicKey().text());
    assertEquals(0, run(held, Signing.with(OWN).trusting(earlier)));
    loseState();
    // The run before has said, with its own key, what it found the files to be like.
    Trust both =
        trust(
            String.join(
                "\n",
                TestAgent.NAME + " " + OTHER.publicKey().text(),
                TestAgent.NAME + " " + OWN.publicKey().text()));
    assertEquals(0, run(held, Signing.WITH_KEY_IN_STATE.trusting(both)));
    loseState();
    assertEquals(PART_BYTES + Files.size(quiet), run(held, Signing.with(OWN), SAID));
    assertLatest(file);
  }

  /** A key of an agent is not one of a compactor, and the other way round. */
  @ParameterizedTest
  @EnumSource
  void theKeyOfACompactorSignsNothingThatIsNotMerged(Held held) throws Exception {
    append();
    run(held, Signing.with(OTHER));
    loseState();
    Trust compactor = trust("compactor night " + OTHER.publicKey().text());
    long sentBytes = run(held, Signing.with(OWN).trusting(compactor), SAID);
    assertEquals(PART_BYTES + Files.size(quiet), sentBytes);
  }

  @ParameterizedTest
  @EnumSource
  void theKeyInTheStateIsBelievedBesideTheOneThatReplacesIt(Held held) throws Exception {
    append();
    run(held, Signing.WITH_KEY_IN_STATE);
    Path key = place.state().resolve(SigningKeyFile.NAME.toString());
    byte[] content = Files.readAllBytes(key);
    loseState();
    Files.createDirectory(place.state());
    Files.write(key, content);
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    assertEquals(0, run(held, Signing.with(OWN)));
  }

  /** Nobody knows the key any more that the objects could be checked with. */
  @ParameterizedTest
  @EnumSource
  void aKeyThatIsLostWithTheStateChecksNothing(Held held) throws Exception {
    append();
    run(held, Signing.WITH_KEY_IN_STATE);
    loseState();
    assertEquals(0, run(held, Signing.WITH_KEY_IN_STATE));
  }

  @ParameterizedTest
  @EnumSource
  void whatIsClaimedAfterAKillIsDelivered(Held held) throws Exception {
    append();
    Path killed = place.base().resolve("killed");
    try (TestAgent agent =
        TestAgent.start(place, config(held, Signing.with(OWN)), TestAgent.REAL_CALLS)) {
      agent.awaitDelivered(file);
      agent.awaitDelivered(quiet);
      place.copyState(killed);
    }
    place.restoreState(killed);
    Map<Path, byte[]> forged = forge(held, Signing.OFF);
    try (TestAgent agent =
        TestAgent.start(place, config(held, Signing.with(OWN)), TestAgent.REAL_CALLS)) {
      // A segment under the very name that the agent needs keeps the bytes at risk, and is named.
      TestAgent.await(
          "the bytes are delivered, or it is said that they cannot be",
          () ->
              agent.agent().status(PosixPath.of(file)).isDelivered()
                  || agent.problems.stream()
                      .anyMatch(
                          one ->
                              one.subject().endsWith(".zst")
                                  || one.subject().endsWith(".zst.age")));
      assertTrue(agent.problems.stream().map(Problem::subject).anyMatch(SAID::equals));
    }
    if (held.name().endsWith("PACKS")) {
      assertWholeWithout(forged);
    }
  }

  /** Without the content key, nobody can claim anything in an encrypted pack, or stop the agent. */
  @Test
  void aPackThatIsNeitherSignedNorReadableIsLeftAlone() throws Exception {
    append();
    run(Held.ENCRYPTED_PACKS, Signing.with(OWN));
    loseState();
    append();
    AgentConfig other =
        config(Held.ENCRYPTED_PACKS, Signing.OFF).toBuilder()
            .contentCheck(ContentCheck.WITH_KEY_IN_STATE)
            .build();
    try (TestAgent agent = TestAgent.start(place, other, TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
    }
    loseState();
    assertEquals(PART_BYTES, run(Held.ENCRYPTED_PACKS, Signing.with(OWN), SAID));
    try (TestAgent agent =
        TestAgent.start(
            place, config(Held.ENCRYPTED_PACKS, Signing.with(OWN)), TestAgent.REAL_CALLS)) {
      TestAgent.await(
          "the file is delivered", () -> agent.agent().status(PosixPath.of(file)).isDelivered());
    }
    loseState();
    AgentConfig lost =
        config(Held.ENCRYPTED_PACKS, Signing.with(OWN)).toBuilder()
            .contentCheck(ContentCheck.WITH_KEY_IN_STATE)
            .build();
    try (TestAgent agent = TestAgent.start(place, lost, TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
      assertTrue(agent.problems.stream().anyMatch(one -> one.subject().equals("lost state")));
      assertEquals(2 * PART_BYTES + Files.size(quiet), agent.agent().counters().rawBytes());
    }
    assertLatest(file);
  }

  /** Nobody can stop the agent with a version that it does not know. */
  @ParameterizedTest
  @EnumSource(names = {"PACKS", "ENCRYPTED_PACKS"})
  void aForgedPackOfANewerVersionStopsNothing(Held held) throws Exception {
    append();
    run(held, Signing.with(OWN));
    Map<Path, byte[]> forged = forge(held, Signing.with(OTHER).trusting(ownKey()));
    for (Map.Entry<Path, byte[]> one : forged.entrySet()) {
      if (isOfBytes(one.getKey())) {
        one.getValue()[held.encrypted ? AGE_VERSION_AT : PACK_VERSION_AT]++;
        Files.write(one.getKey(), one.getValue());
      }
    }
    loseState();
    assertEquals(PART_BYTES, run(held, Signing.with(OWN), SAID));
    assertWholeWithout(forged);
  }

  /** A name alone has an agent remove nothing. */
  @ParameterizedTest
  @EnumSource(names = {"SEGMENTS", "ENCRYPTED_SEGMENTS"})
  void aForgedSegmentSupersedesNothing(Held held) throws Exception {
    append();
    run(held, Signing.with(OWN));
    append();
    run(held, Signing.with(OWN));
    loseState();
    Map<Path, byte[]> before = objects();
    List<Path> segments =
        before.keySet().stream().filter(one -> one.toString().contains("grows.log")).toList();
    assertEquals(2, segments.size());
    String end = segments.getLast().getFileName().toString().substring(19);
    String all = "0".repeat(19) + end;
    Path forged = segments.getFirst().resolveSibling(all);
    Files.write(forged, before.get(segments.getLast()));
    assertEquals(2 * PART_BYTES, run(held, Signing.with(OWN), SAID));
    for (Path one : segments) {
      assertArrayEquals(before.get(one), Files.readAllBytes(one), one.toString());
    }
    Files.delete(forged);
    assertLatest(file);
  }

  /** Counts what the agent asks. */
  private static final class Counted extends ForwardingDestination {
    final AtomicInteger requests = new AtomicInteger();

    Counted(Destination real) {
      super(real);
    }

    @Override
    public InputStream read(String key, long offsetBytes, long lengthBytes)
        throws DestinationException {
      requests.incrementAndGet();
      return super.read(key, offsetBytes, lengthBytes);
    }

    @Override
    public Listing list(String prefix, Optional<String> startAfter, int limit)
        throws DestinationException {
      requests.incrementAndGet();
      return super.list(prefix, startAfter, limit);
    }
  }

  @Test
  void aRecordThatNobodyTrustedHasSignedMovesNoClock() throws Exception {
    append();
    run(Held.PACKS, Signing.with(OWN));
    recordEndInDays(1);
    loseState();
    run(Held.PACKS, Signing.with(OWN));

    recordEndInDays(1);
    loseState();
    AgentConfig believesAll = config(Held.PACKS, Signing.OFF);
    try (TestAgent agent = TestAgent.start(place, believesAll, TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
      assertEquals(List.of("clock"), agent.problems.stream().map(Problem::subject).toList());
    }
  }

  /** Who restores gets what was delivered then, however often the files change until that day. */
  @Test
  void aTimeThatIsTooFarAheadToGoOnAfterItIsSaid() throws Exception {
    append();
    run(Held.PACKS, Signing.OFF);
    recordEndInDays(400);
    loseState();
    AgentConfig believesAll = config(Held.PACKS, Signing.OFF);
    try (TestAgent agent = TestAgent.start(place, believesAll, TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
      assertEquals(List.of("clock"), agent.problems.stream().map(Problem::subject).toList());
      assertTrue(agent.problems.getFirst().message().contains("400 days"));
    }
  }

  /**
   * A forged pack would otherwise have the agent deliver with times before those that are there.
   */
  @Test
  void aTimeThatIsTooFarAheadHidesNoneThatIsNot() throws Exception {
    append();
    long aheadMillis = TimeUnit.DAYS.toMillis(400);
    try (TestAgent forger =
        TestAgent.startAt(
            config(Held.PACKS, Signing.OFF),
            place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE),
            () -> System.currentTimeMillis() + aheadMillis)) {
      assertTrue(forger.drain().isComplete());
    }
    recordEndInDays(1);
    loseState();
    AgentConfig believesAll = config(Held.PACKS, Signing.OFF);
    try (TestAgent agent = TestAgent.start(place, believesAll, TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
      List<String> told = agent.problems.stream().map(Problem::message).toList();
      assertEquals(2, told.size(), told.toString());
      assertTrue(told.getFirst().contains(" days later"), told.toString());
      assertTrue(told.getLast().contains(" s behind"), told.toString());
    }
  }

  private void recordEndInDays(long days) throws IOException {
    String record =
        "{\"format\":1,\"agent\":\"%s\",\"atMillis\":%d,\"streams\":[]}"
            .formatted(
                TestAgent.NAME, System.currentTimeMillis() + TimeUnit.DAYS.toMillis(days) + 60_000);
    Files.writeString(place.archive().resolve(ArchiveNames.lastDrain(TestAgent.NAME)), record);
  }

  @Test
  void signaturesOfPacksTakeNoFurtherRequest() throws Exception {
    for (int i = 0; i < 300; i++) {
      Files.writeString(place.log("file-" + i), "content " + i + "\n");
    }
    run(Held.ENCRYPTED_PACKS, Signing.with(OWN));
    loseState();
    int unchecked = requests(Signing.OFF);
    loseState();
    assertEquals(unchecked, requests(Signing.with(OWN)));
  }

  /** Returns how many requests it takes to find out that nothing is left to be delivered. */
  private int requests(Signing signing) throws Exception {
    Counted counted = new Counted(place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE));
    try (TestAgent agent =
        TestAgent.start(config(Held.ENCRYPTED_PACKS, signing), counted, TestAgent.REAL_CALLS)) {
      int requests = counted.requests.get();
      agent.agent().awaitFirstScan();
      assertEquals(0, agent.agent().counters().rawBytes());
      return requests;
    }
  }
}
