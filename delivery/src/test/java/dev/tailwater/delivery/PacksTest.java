package dev.tailwater.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.age.Identity;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.name.ManifestName;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.delivery.ArchiveContents.StreamContents;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.ContentCheck;
import dev.tailwater.delivery.config.CutAt;
import dev.tailwater.delivery.config.Source;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.testkit.DestinationCall;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packs: what a real agent delivers in them, and what it knows of them later. */
class PacksTest {
  @TempDir Path base;
  private TestAgent.Place place;

  @BeforeEach
  void makePlace() throws IOException {
    place = new TestAgent.Place(base.toRealPath());
  }

  private AgentConfig config() {
    return place.config().toBuilder().packs(PackUse.ALWAYS).build();
  }

  private TestAgent start() throws IOException {
    return TestAgent.start(place, config(), TestAgent.REAL_CALLS);
  }

  private static byte[] text(int seed, int lengthBytes) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder();
    while (text.length() < lengthBytes) {
      text.append("line ").append(random.nextInt(1000)).append(" of file ").append(seed);
      text.append('\n');
    }
    return text.substring(0, lengthBytes).getBytes(UTF_8);
  }

  private void writeMany(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      Files.write(place.log("file-" + i), text(i, 1 + (i * 37) % 5000));
    }
  }

  private void assertHoldsMany(ArchiveContents contents, int count) {
    for (int i = 0; i < count; i++) {
      StreamContents stream = only(contents, "file-" + i);
      assertArrayEquals(text(i, 1 + (i * 37) % 5000), stream.prefix(), "file-" + i);
      assertFalse(stream.holdsBytesTwice(), "file-" + i);
    }
  }

  private ArchiveContents.StreamContents only(ArchiveContents contents, String name) {
    List<ArchiveContents.StreamContents> streams = contents.bornAt(place.log(name).toString());
    assertEquals(1, streams.size(), "streams born at " + name);
    return streams.getFirst();
  }

  private List<String> keys() throws IOException {
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      return archive.list("", Optional.empty(), Integer.MAX_VALUE).entries().stream()
          .map(entry -> entry.key())
          .toList();
    }
  }

  private List<String> otherKeys() throws IOException {
    return keys().stream()
        .filter(key -> PackName.parse(key).isEmpty() && !key.endsWith("~left-behind.json"))
        .filter(key -> ManifestName.parse(key).isEmpty())
        .toList();
  }

  private void loseState() throws IOException {
    try (Stream<Path> files = Files.walk(place.state())) {
      for (Path file : files.toList().reversed()) {
        Files.delete(file);
      }
    }
  }

  private void append(String name, String text) throws IOException {
    Files.writeString(place.log(name), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  @Test
  void sinceWhenAnEmptyFileIsAtItsPathIsTold() throws Exception {
    Path old = place.log("old");
    Files.createFile(old);
    Files.write(place.log("file"), text(1, 100));
    try (TestAgent agent = start()) {
      agent.awaitDelivered(place.log("file"));
      assertTrue(agent.drain().isComplete());
    }
    loseState();
    Files.delete(place.log("file"));
    Files.move(old, place.log("file"));
    try (TestAgent agent = start()) {
      assertTrue(agent.drain().isComplete());
    }
    ArchiveContents.StreamContents empty =
        place.contents().streams().stream()
            .filter(stream -> stream.prefix().length == 0)
            .findFirst()
            .orElseThrow();
    assertEquals(
        place.log("file").toString(),
        empty.record().orElseThrow().paths().getLast().path().toString());
  }

  @Test
  void aFewFilesHaveSegmentsAndManyTravelTogetherFromThenOn() throws Exception {
    int few = PackUse.FOR_MANY_FILES.leastFiles() - 1;
    AgentConfig config =
        place.config().toBuilder()
            .packs(PackUse.FOR_MANY_FILES)
            .maxAge(Duration.ofMinutes(1))
            .build();
    writeMany(few);
    try (TestAgent agent = TestAgent.start(place, config, TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
    }
    assertEquals(
        List.of(), keys().stream().filter(key -> PackName.parse(key).isPresent()).toList());
    long segments = segments();
    assertEquals(few, segments);
    writeMany(200);
    try (TestAgent agent = TestAgent.start(place, config, TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
    }
    assertTrue(keys().stream().filter(key -> PackName.parse(key).isPresent()).count() < 60);
    assertTrue(segments() <= 2L * few, "few files had segments again, at most: " + segments());
    assertHoldsMany(place.contents(), 200);
  }

  @Test
  void whatThereIsToSayOfManyFilesTravelsTogetherThoughNoneHasBytes() throws Exception {
    AgentConfig config = place.config().toBuilder().packs(PackUse.FOR_MANY_FILES).build();
    for (int i = 0; i < 500; i++) {
      Files.createFile(place.log("empty" + i));
    }
    try (TestAgent agent = TestAgent.start(place, config, TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
    }
    assertTrue(keys().size() < 100, "objects of 500 empty files: " + keys().size());
    Set<String> known = new HashSet<>();
    for (ArchiveContents.StreamContents stream : place.contents().streams()) {
      assertTrue(stream.record().isPresent(), stream::toString);
      known.add(stream.birthPath());
    }
    assertEquals(500, known.size());
  }

  private long segments() throws IOException {
    return keys().stream()
        .filter(key -> ArchiveNames.parse(key).orElse(null) instanceof ArchiveObject.Segment)
        .count();
  }

  @Test
  void linesOfAFileStayInObjectsOfTheirOwnUnlessPacksAreAskedFor() throws Exception {
    Source lines =
        new Source(PosixPath.of(place.logs()), List.of(), List.of()).cutAt(CutAt.NEWLINE);
    AgentConfig config =
        place.config().toBuilder().packs(new PackUse(1)).sources(List.of(lines)).build();
    append("app.log", "a line\n");
    try (TestAgent agent = TestAgent.start(place, config, TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
    }
    assertEquals(1, segments());
  }

  @Test
  void manyShortFilesTravelInAFewPacks() throws Exception {
    writeMany(1000);
    AgentConfig patient = config().toBuilder().maxAge(Duration.ofMinutes(1)).build();
    try (TestAgent agent = TestAgent.start(place, patient, TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
      assertEquals(List.of(), agent.problems);
    }
    assertHoldsMany(place.contents(), 1000);
    assertEquals(List.of(), otherKeys());
    // How many depends on how fast files are found, while packs are sealed already.
    assertTrue(keys().size() < 100, "objects: " + keys().size());
  }

  @Test
  void whatFillsASegmentGetsOneUnderItsOwnPath() throws Exception {
    byte[] random = new byte[3 << 20];
    new Random(1).nextBytes(random);
    Files.write(place.log("long"), random);
    append("short", "short\n");
    try (TestAgent agent = start()) {
      assertTrue(agent.drain().isComplete());
    }
    ArchiveContents contents = place.contents();
    assertArrayEquals(random, only(contents, "long").prefix());
    assertEquals("short\n", new String(only(contents, "short").prefix(), UTF_8));
    assertTrue(
        otherKeys().stream().anyMatch(key -> key.contains("/long/")),
        () -> "keys: " + otherKeysOf());
    assertTrue(otherKeys().stream().noneMatch(key -> key.contains("/short/")));
  }

  private String otherKeysOf() {
    try {
      return otherKeys().toString();
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  void factsTravelInPacksToo() throws Exception {
    append("renamed", "one\n");
    append("deleted", "two\n");
    append("truncated", "first epoch\n");
    Files.createFile(place.log("empty"));
    try (TestAgent agent = start()) {
      agent.awaitDelivered(place.log("renamed"));
      agent.awaitDelivered(place.log("deleted"));
      agent.awaitDelivered(place.log("truncated"));
      agent.awaitSeen(place.log("empty"));
      Files.move(place.log("renamed"), place.log("renamed.1"));
      append("renamed", "another\n");
      Files.delete(place.log("deleted"));
      Files.writeString(place.log("truncated"), "second\n");
      agent.awaitDelivered(place.log("truncated"));
      agent.awaitDelivered(place.log("renamed"));
      assertTrue(agent.drain().isComplete());
      assertEquals(List.of(), agent.problems);
    }
    assertEquals(List.of(), otherKeys());
    ArchiveContents contents = place.contents();
    List<ArchiveContents.StreamContents> renamed = contents.bornAt(place.log("renamed").toString());
    assertEquals(2, renamed.size());
    assertEquals(
        place.log("renamed.1").toString(),
        renamed.getFirst().record().orElseThrow().lastPath().toString());
    assertEquals(
        StreamRecord.EndReason.DELETED,
        only(contents, "deleted").record().orElseThrow().end().orElseThrow().reason());
    List<ArchiveContents.StreamContents> epochs =
        contents.bornAt(place.log("truncated").toString());
    assertEquals(2, epochs.size());
    assertEquals(
        StreamRecord.EndReason.TRUNCATED,
        epochs.getFirst().record().orElseThrow().end().orElseThrow().reason());
    assertEquals("second\n", new String(epochs.getLast().prefix(), UTF_8));
    assertTrue(only(contents, "empty").record().isPresent());
  }

  @Test
  void goesOnWhereItWasAfterACleanEnd() throws Exception {
    writeMany(50);
    try (TestAgent agent = start()) {
      assertTrue(agent.drain().isComplete());
    }
    List<String> before = keys();
    try (TestAgent agent = start()) {
      assertTrue(agent.drain().isComplete());
    }
    assertEquals(before, keys());
    append("file-7", "more\n");
    try (TestAgent agent = start()) {
      assertTrue(agent.drain().isComplete());
    }
    assertEquals(before.size() + 1, keys().size());
    assertFalse(only(place.contents(), "file-7").holdsBytesTwice());
  }

  @Test
  void findsOutWhatPacksHoldWhenTheStateIsLost() throws Exception {
    lostStateCostsNothing(config(), List.of());
  }

  @Test
  void findsOutWhatEncryptedPacksHoldByTheKeyOfItsChecks() throws Exception {
    KeyPair keys = KeyPair.generate(new SecureRandom());
    lostStateCostsNothing(encrypted(keys), List.of(keys.identity()));
  }

  private static ContentCheck check(int seed) {
    byte[] key = new byte[ContentKey.KEY_BYTES];
    new Random(seed).nextBytes(key);
    return ContentCheck.with(ContentKey.of(key));
  }

  private AgentConfig encrypted(KeyPair keys) {
    return config().toBuilder()
        .recipients(List.of(keys.recipient()))
        .contentCheck(check(5))
        .build();
  }

  private ArchiveContents contents(List<Identity> identities) throws IOException {
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      return ArchiveContents.load(archive, identities);
    }
  }

  private void lostStateCostsNothing(AgentConfig config, List<Identity> identities)
      throws Exception {
    writeMany(200);
    try (TestAgent agent = TestAgent.start(place, config, TestAgent.REAL_CALLS)) {
      agent.awaitDelivered(place.log("file-199"));
      for (int i = 0; i < 20; i++) {
        append("file-" + i, "more\n");
      }
      assertTrue(agent.drain().isComplete());
    }
    List<String> before = keys();
    loseState();
    ArchiveContents delivered = contents(identities);
    String anew = "written anew, and longer than before".repeat(200);
    Files.writeString(place.log("file-100"), anew);
    FaultyDestination counting =
        FaultyDestination.wrap(
            place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE), DestinationFaultPlan.none());
    try (TestAgent agent = TestAgent.start(config, counting, TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
    }
    long packs = before.stream().filter(key -> PackName.parse(key).isPresent()).count();
    List<DestinationCall> questions =
        counting.log().stream().filter(call -> call.is("list") || call.is("read")).toList();
    // All objects, packs, manifests, the record of the last end; of the file that was written anew,
    // whether more follows.
    assertTrue(questions.size() <= 5 + packs, () -> packs + " packs: " + questions);
    assertHoldsOnlyMore(contents(identities), delivered, anew);
    List<String> added = keys().stream().filter(key -> !before.contains(key)).toList();
    // A drain that is quick tells the end of the old bytes first.
    assertTrue(added.size() <= 2, () -> "objects for one file: " + added);
  }

  /** What was delivered before is there as it was, and file-100 is there once more. */
  private void assertHoldsOnlyMore(ArchiveContents now, ArchiveContents before, String anew) {
    List<StreamContents> streams = new ArrayList<>(now.streams());
    for (StreamContents known : before.streams()) {
      StreamContents same =
          streams.stream().filter(s -> s.id().equals(known.id())).findFirst().orElseThrow();
      assertArrayEquals(known.prefix(), same.prefix(), known.birthPath());
      assertFalse(same.holdsBytesTwice(), known.birthPath());
      streams.remove(same);
    }
    assertEquals(1, streams.size(), () -> "only what was written anew is sent: " + streams);
    assertEquals(place.log("file-100").toString(), streams.getFirst().birthPath());
    assertArrayEquals(anew.getBytes(UTF_8), streams.getFirst().prefix());
    assertFalse(streams.getFirst().holdsBytesTwice(), "file-100");
  }

  @Test
  void refusesToGuessWhatPacksHoldThatItCannotRead() throws Exception {
    KeyPair keys = KeyPair.generate(new SecureRandom());
    writeMany(3);
    try (TestAgent agent = TestAgent.start(place, encrypted(keys), TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
    }
    loseState();
    AgentConfig other = encrypted(keys).toBuilder().contentCheck(check(6)).build();
    PermanentDestinationException refusal =
        assertThrows(
            PermanentDestinationException.class,
            () -> TestAgent.start(place, other, TestAgent.REAL_CALLS).close());
    assertTrue(refusal.hint().contains("content_check_key_file"), refusal.hint());
  }

  @Test
  void encryptedPacksOpenWithThePrivateKey() throws Exception {
    KeyPair keys = KeyPair.generate(new SecureRandom());
    writeMany(20);
    try (TestAgent agent = TestAgent.start(place, encrypted(keys), TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
    }
    assertHoldsMany(contents(List.of(keys.identity())), 20);
  }

  @Test
  void aPutWhoseAnswerIsLostIsNotRepeatedUnderAnotherName() throws Exception {
    writeMany(10);
    Destination archive =
        FaultyDestination.wrap(
            place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE),
            DestinationFaultPlan.at(2, DestinationFault.LOSE_ANSWER));
    try (TestAgent agent = TestAgent.start(config(), archive, TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
    }
    assertHoldsMany(place.contents(), 10);
  }

  @Test
  void goesOnWithSegmentsWhenPacksAreSwitchedOff() throws Exception {
    writeMany(5);
    try (TestAgent agent = start()) {
      assertTrue(agent.drain().isComplete());
    }
    append("file-3", "in a segment\n");
    Files.move(place.log("file-4"), place.log("file-5"));
    try (TestAgent agent = TestAgent.start(place)) {
      assertTrue(agent.drain().isComplete());
    }
    append("file-3", "and in a pack again\n");
    try (TestAgent agent = start()) {
      assertTrue(agent.drain().isComplete());
    }
    StreamContents stream = only(place.contents(), "file-3");
    assertTrue(new String(stream.prefix(), UTF_8).endsWith("a segment\nand in a pack again\n"));
    assertFalse(stream.holdsBytesTwice());
  }

  @Test
  void tellsOfAModeThatHasChangedSinceTheFirstRange() throws Exception {
    append("log", "one\n");
    try (TestAgent agent = start()) {
      agent.awaitDelivered(place.log("log"));
      Files.setPosixFilePermissions(place.log("log"), PosixFilePermissions.fromString("rwxr-x---"));
      append("log", "two\n");
      agent.awaitDelivered(place.log("log"));
    }
    assertEquals(0750, place.contents().permissionsOf(only(place.contents(), "log").id()));
  }

  @Test
  void oneUnreadableFileDoesNotStopThePack() throws Exception {
    writeMany(30);
    Path away = place.log("file-11");
    try (TestAgent agent = start()) {
      Files.delete(away);
      assertTrue(agent.agent.drain(Optional.of(Duration.ofSeconds(30))).leftBehind().isEmpty());
    }
    assertEquals(List.of(), otherKeys());
  }
}
