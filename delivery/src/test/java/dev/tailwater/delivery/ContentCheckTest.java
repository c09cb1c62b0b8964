package dev.tailwater.delivery;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.ObjectInput;
import dev.tailwater.archive.age.AgeHeaderWriter;
import dev.tailwater.archive.age.AgeInput;
import dev.tailwater.archive.age.AgeKeys;
import dev.tailwater.archive.age.AgePayload;
import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.age.ContentStanza;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.header.SegmentHeader;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.open.SegmentOpener;
import dev.tailwater.delivery.checkpoint.ContentKeyFile;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.ContentCheck;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.status.StatusReport;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agents that encrypt and lose their state: what they can find out by the content check. */
class ContentCheckTest {
  private static final KeyPair KEYS = KeyPair.generate(new SecureRandom());
  private static final ContentCheck CONFIGURED = ContentCheck.with(key(1));

  private TestAgent.Place place;
  private Path log;

  private static ContentKey key(int first) {
    byte[] bytes = new byte[ContentKey.KEY_BYTES];
    bytes[0] = (byte) first;
    return ContentKey.of(bytes);
  }

  @BeforeEach
  void makePlace(@TempDir Path base) throws IOException {
    place = new TestAgent.Place(base.toRealPath());
    log = place.log("app.log");
  }

  private AgentConfig config(ContentCheck check) {
    return place.config().toBuilder()
        .codec(new Codec.Zstd(1))
        .recipients(List.of(KEYS.recipient()))
        .contentCheck(check)
        .build();
  }

  /** Appends to the log and lets an agent deliver it; returns what that agent reported. */
  private List<Problem> ship(ContentCheck check, String text) throws Exception {
    Files.writeString(log, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    try (TestAgent agent = TestAgent.start(place, config(check), TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
      return List.copyOf(agent.problems);
    }
  }

  private void loseState() throws IOException {
    Files.move(place.state(), Files.createTempDirectory(place.base(), "lost").resolve("state"));
  }

  private List<String> archived() throws IOException {
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      return ArchiveContents.load(archive, List.of(KEYS.identity())).bornAt(log.toString()).stream()
          .map(stream -> new String(stream.prefix(), US_ASCII))
          .toList();
    }
  }

  private List<Path> objects() throws IOException {
    try (Stream<Path> files = Files.walk(place.archive())) {
      return files.filter(file -> file.toString().endsWith(".age")).sorted().toList();
    }
  }

  private static void requireSaidOnce(List<Problem> problems, String why) {
    List<Problem> about =
        problems.stream().filter(problem -> problem.subject().equals("content check")).toList();
    assertEquals(1, about.size(), problems::toString);
    assertTrue(about.getFirst().message().contains(why), problems::toString);
    assertTrue(about.getFirst().hint().orElse("").contains("delivered again"), about::toString);
  }

  @Test
  void aConfiguredKeySurvivesTheLossOfTheState() throws Exception {
    ship(CONFIGURED, "one\n");
    loseState();
    assertEquals(List.of(), ship(CONFIGURED, "two\n"));
    assertEquals(List.of("one\ntwo\n"), archived());
    assertFalse(Files.exists(place.state().resolve(ContentKeyFile.NAME.toString())));
  }

  @Test
  void aKeyInTheStateSurvivesARestart() throws Exception {
    ship(ContentCheck.WITH_KEY_IN_STATE, "one\n");
    byte[] key = Files.readAllBytes(place.state().resolve(ContentKeyFile.NAME.toString()));
    assertEquals(List.of(), ship(ContentCheck.WITH_KEY_IN_STATE, "two\n"));
    assertArrayEquals(
        key, Files.readAllBytes(place.state().resolve(ContentKeyFile.NAME.toString())));
    assertEquals(List.of("one\ntwo\n"), archived());
  }

  @Test
  void aRandomKeyThatIsLostWithTheStateCostsASecondDelivery() throws Exception {
    ship(ContentCheck.WITH_KEY_IN_STATE, "one\n");
    Files.writeString(place.log("other.log"), "other\n");
    ship(ContentCheck.WITH_KEY_IN_STATE, "two\n");
    loseState();
    requireSaidOnce(ship(ContentCheck.WITH_KEY_IN_STATE, "three\n"), "another key");
    assertEquals(List.of("one\ntwo\n", "one\ntwo\nthree\n"), archived());
  }

  @Test
  void anotherConfiguredKeyCostsASecondDelivery() throws Exception {
    ship(CONFIGURED, "one\n");
    loseState();
    requireSaidOnce(ship(ContentCheck.with(key(2)), "two\n"), "another key");
    assertEquals(List.of("one\n", "one\ntwo\n"), archived());
  }

  @Test
  void withoutCheckALostStateCostsASecondDelivery() throws Exception {
    ship(ContentCheck.OFF, "one\n");
    loseState();
    requireSaidOnce(ship(ContentCheck.OFF, "two\n"), "no check");
    assertEquals(List.of("one\n", "one\ntwo\n"), archived());
    for (Path object : objects()) {
      assertFalse(Files.readString(object, ISO_8859_1).contains("tailwater-v"));
    }
  }

  @Test
  void aCheckThatWasTurnedOffLeavesCheckedSegmentsIncomparable() throws Exception {
    ship(CONFIGURED, "one\n");
    loseState();
    requireSaidOnce(ship(ContentCheck.OFF, "two\n"), "content_check is off");
    assertEquals(List.of("one\n", "one\ntwo\n"), archived());
  }

  @Test
  void withoutCheckALostAnswerIsRecognizedByTheObjectItself() throws Exception {
    Files.writeString(log, "one\n");
    Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE);
    DestinationFaultPlan plan =
        DestinationFaultPlan.once("putSegment", DestinationFault.LOSE_ANSWER);
    try (TestAgent agent =
        TestAgent.start(
            config(ContentCheck.OFF),
            FaultyDestination.wrap(archive, plan),
            TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
      assertEquals(
          List.of(),
          agent.problems.stream().filter(p -> p.subject().equals("content check")).toList());
    }
    assertEquals(List.of("one\n"), archived());
  }

  @Test
  void aNewAgentContinuesAnArchiveWithPlainChecksums() throws Exception {
    ship(CONFIGURED, "one\n");
    for (Path object : objects()) {
      Files.write(object, withChecksum(object));
    }
    loseState();
    assertEquals(List.of(), ship(ContentCheck.WITH_KEY_IN_STATE, "two\n"));
    assertEquals(List.of("one\ntwo\n"), archived());
    List<String> types =
        objects().stream()
            .map(ContentCheckTest::secondLine)
            .map(line -> line.substring(0, line.indexOf(' ', 3)))
            .toList();
    assertEquals(List.of("-> tailwater-v1", "-> tailwater-v2"), types);
  }

  @Test
  void aTruncationIsNoticedInAnArchiveWithPlainChecksums() throws Exception {
    ship(CONFIGURED, "one\n");
    for (Path object : objects()) {
      Files.write(object, withChecksum(object));
    }
    loseState();
    Files.writeString(log, "");
    ship(ContentCheck.WITH_KEY_IN_STATE, "another\n");
    assertEquals(List.of("one\n", "another\n"), archived());
  }

  private static String secondLine(Path object) {
    try {
      return new String(Files.readAllBytes(object), ISO_8859_1).lines().toList().get(1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The object as an earlier version would have encrypted it, with the checksum in the clear. */
  private byte[] withChecksum(Path object) throws IOException {
    String key = place.archive().relativize(object).toString();
    ArchiveObject.Segment name = (ArchiveObject.Segment) ArchiveNames.parse(key).orElseThrow();
    byte[] bytes = Files.readAllBytes(object);
    SegmentHeader header =
        new SegmentOpener()
            .openHeader(name, new ByteArrayInputStream(bytes), List.of(KEYS.identity()));
    byte[] plain;
    try (AgeInput in =
        AgeInput.open(
            new ObjectInput(new ByteArrayInputStream(bytes), key), List.of(KEYS.identity()))) {
      plain = in.readAllBytes();
    }
    byte[] fileKey = new byte[AgeKeys.FILE_KEY_BYTES];
    byte[] nonce = new byte[AgeKeys.NONCE_BYTES];
    byte[] staging = new byte[AgePayload.overheadBytes(plain.length) + plain.length];
    System.arraycopy(plain, 0, staging, staging.length - plain.length, plain.length);
    AgePayload.encryptInPlace(
        AgeKeys.payloadKey(fileKey, nonce), staging, staging.length - plain.length, plain.length);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(
        new AgeHeaderWriter(List.of(KEYS.recipient()))
            .write(
                fileKey,
                Optional.of(
                    new ContentStanza.Checksum(header.range(), header.rawCrc32c()).toStanza())));
    out.writeBytes(nonce);
    out.writeBytes(staging);
    return out.toByteArray();
  }

  private StatusReport.AtDestination only(TestAgent agent) {
    return agent.agent.status().destinations().getFirst();
  }

  /** Merges four short segments while the answer to the merge is lost. */
  private TestAgent mergeWithLostAnswer(ContentCheck check) throws Exception {
    Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE);
    AgentConfig merging =
        config(check).toBuilder()
            .maxAge(Duration.ofMillis(2))
            .mergeToBytes(OptionalLong.of(1000))
            .build();
    TestAgent agent =
        TestAgent.start(
            merging,
            FaultyDestination.wrap(
                archive, DestinationFaultPlan.once("commit", DestinationFault.LOSE_ANSWER)),
            TestAgent.REAL_CALLS);
    for (int i = 0; i < 3; i++) {
      Files.writeString(log, "x".repeat(400), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      agent.awaitDelivered(log);
    }
    return agent;
  }

  @Test
  void aMergeWhoseAnswerWasLostIsRecognizedByItsCheck() throws Exception {
    try (TestAgent agent = mergeWithLostAnswer(ContentCheck.WITH_KEY_IN_STATE)) {
      TestAgent.await("two are superseded", () -> only(agent).merged().supersededSegments() >= 2);
    }
    assertEquals(List.of("x".repeat(1200)), archived());
  }

  @Test
  void withoutCheckNothingIsRemovedForAMergeWhoseAnswerWasLost() throws Exception {
    try (TestAgent agent = mergeWithLostAnswer(ContentCheck.OFF)) {
      TestAgent.await(
          "it is reported",
          () -> agent.problems.stream().anyMatch(p -> p.subject().equals("content check")));
      requireSaidOnce(agent.problems, "no check");
      assertFalse(agent.problems.stream().anyMatch(p -> p.message().contains("other bytes")));
      assertEquals(0, only(agent).merged().supersededSegments());
    }
    assertEquals(List.of("x".repeat(1200)), archived());
  }
}
