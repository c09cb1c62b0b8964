package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.pack.StreamFact;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.archive.record.StreamRecord.EndReason;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.place.RestoreOptions;
import dev.tailwater.restore.place.RestoreReport;
import dev.tailwater.restore.place.RestoreResult;
import dev.tailwater.restore.place.Restorer;
import dev.tailwater.restore.read.StreamPrinter;
import dev.tailwater.restore.verify.Verifier;
import dev.tailwater.restore.verify.VerifyReport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Archives whose files travelled together. */
class PackedArchiveTest extends RestoreFixture {
  private static final KeyPair KEYS = KeyPair.generate(new SecureRandom());
  private static final int ROUNDS = 40;

  private final TestArchive archive = TestArchive.inMemory();
  private final TestPacks packs = new TestPacks(archive, "web-1", 1000, List.of());

  @Test
  void filesComeBackFromPacksHoweverTheyAreCut() {
    rounds(ROUNDS, PackedArchiveTest::round);
  }

  private static void round(Random random, Path target) throws IOException {
    boolean encrypted = random.nextBoolean();
    List<Recipient> recipients = encrypted ? List.of(KEYS.recipient()) : List.of();
    TestArchive archive = TestArchive.inMemory();
    Map<TestArchive.TestStream, byte[]> files = new LinkedHashMap<>();
    Map<TestArchive.TestStream, Integer> delivered = new LinkedHashMap<>();
    for (int i = 0; i < 1 + random.nextInt(30); i++) {
      byte[] contents = new byte[random.nextInt(8) == 0 ? 300_000 : random.nextInt(3000)];
      random.nextBytes(contents);
      files.put(archive.stream("/p/file" + i, i + 1), contents);
    }
    for (int group = 1;
        !files.keySet().equals(delivered.keySet()) || unfinished(files, delivered);
        group++) {
      TestPacks packs = new TestPacks(archive, "web-1", group, recipients);
      for (int pack = random.nextInt(6); pack >= 0; pack--) {
        files.forEach((stream, contents) -> addSome(packs, stream, contents, delivered, random));
        packs.deliver();
      }
      mergeSome(packs, random);
    }
    archive.with(new Codec.Zstd(1), recipients);
    for (Map.Entry<TestArchive.TestStream, byte[]> file : files.entrySet()) {
      int length = file.getValue().length;
      if (length > 0 && random.nextInt(6) == 0) {
        int start = random.nextInt(length);
        file.getKey().segment(file.getValue(), start, start + 1 + random.nextInt(length - start));
      }
    }
    check(archive, files, target, random);
  }

  private static void mergeSome(TestPacks packs, Random random) throws IOException {
    for (int merges = random.nextInt(4); merges > 0; merges--) {
      int from = random.nextInt(packs.count());
      int to = from + 1 + random.nextInt(packs.count() - from);
      if (to - from > 1) {
        packs.merge(from, to, List.of(KEYS.identity()), random.nextInt(3) > 0);
      }
    }
  }

  private static boolean unfinished(
      Map<TestArchive.TestStream, byte[]> files, Map<TestArchive.TestStream, Integer> delivered) {
    return files.entrySet().stream()
        .anyMatch(file -> delivered.getOrDefault(file.getKey(), 0) < file.getValue().length);
  }

  private static void addSome(
      TestPacks packs,
      TestArchive.TestStream stream,
      byte[] contents,
      Map<TestArchive.TestStream, Integer> delivered,
      Random random) {
    int from = delivered.getOrDefault(stream, 0);
    if (random.nextInt(3) == 0) {
      return;
    }
    if (contents.length == 0) {
      packs.say(
          new StreamFact.Attributes(
              packs.number(stream),
              stream.permissions,
              0,
              TestArchive.MODIFIED_NANOS,
              packs.latestMillis()));
      delivered.put(stream, 0);
      return;
    }
    for (int i = random.nextInt(3); i >= 0 && from < contents.length; i--) {
      int to = Math.min(contents.length, from + 1 + random.nextInt(contents.length));
      packs.add(stream, from, Arrays.copyOfRange(contents, from, to));
      from = to;
    }
    delivered.put(stream, from);
  }

  private static void check(
      TestArchive archive, Map<TestArchive.TestStream, byte[]> files, Path target, Random random)
      throws IOException {
    ReadOptions reading =
        TestArchive.options()
            .withIdentities(List.of(KEYS.identity()))
            .withAllowPlain(true)
            .withJobs(1 + random.nextInt(4));
    ArchiveIndex index = archive.index(reading);
    assertEquals(List.of(), index.damages());
    RestoreReport report =
        new Restorer(
                CALLS,
                archive.destination,
                RestoreOptions.of(reading).withSync(false),
                RestoreProgress.none())
            .restore(index, PosixPath.of(target));
    assertEquals(Outcome.DONE, report.outcome(), () -> report.streams().toString());
    assertEquals(files.size(), report.streams().size());
    assertEquals(
        Outcome.DONE,
        new Verifier(archive.destination, reading, RestoreProgress.none()).verify(index).outcome());
    for (Map.Entry<TestArchive.TestStream, byte[]> file : files.entrySet()) {
      Path restored = target.resolve(file.getKey().path.toString().substring(1));
      assertArrayEquals(file.getValue(), Files.readAllBytes(restored), restored.toString());
      ByteArrayOutputStream printed = new ByteArrayOutputStream();
      ArchivedStream stream = index.find(file.getKey().id.text()).orElseThrow();
      new StreamPrinter(archive.destination, reading, RestoreProgress.none())
          .print(stream, printed);
      assertArrayEquals(file.getValue(), printed.toByteArray());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatPacksSayOfAFileIsKnown(boolean merged) throws IOException {
    TestArchive.TestStream moved = archive.stream("/p/moved", 1);
    TestArchive.TestStream ended = archive.stream("/p/ended", 2);
    TestArchive.TestStream torn = archive.stream("/p/torn", 3);
    packs.add(moved, 0, bytes("moved")).add(ended, 0, bytes("ended")).add(torn, 0, bytes("to"));
    packs.deliver();
    packs
        .say(new StreamFact.Renamed(packs.number(moved), PosixPath.of("/p/away"), 5))
        .say(new StreamFact.Ended(packs.number(ended), EndReason.DELETED, 5, 6))
        .say(new StreamFact.Missing(packs.number(torn), new ByteRange(2, 4), "truncated", 7));
    packs.deliver();
    if (merged) {
      packs.merge(0, 2, List.of(), true);
    }
    ArchiveIndex index = archive.index(TestArchive.options());
    assertEquals(PosixPath.of("/p/away"), index.find(moved.id.text()).orElseThrow().path());
    ArchivedStream dead = index.find(ended.id.text()).orElseThrow();
    assertEquals(EndReason.DELETED, dead.record().orElseThrow().end().orElseThrow().reason());
    ArchivedStream gap = index.find(torn.id.text()).orElseThrow();
    assertEquals("truncated", gap.openGaps().getFirst().reason());
    assertEquals(4, gap.knownEndBytes());
    restore(archive);
    assertEquals(List.of("p/away", "p/ended", "p/torn"), files());
  }

  @Test
  void ofAFileThatMovedTwiceAndChangedItsModeTheLastWordCountsInAMergedPackToo()
      throws IOException {
    TestArchive.TestStream moved = archive.stream("/p/moved", 1);
    packs.add(moved, 0, bytes("one"));
    packs.deliver();
    packs.say(new StreamFact.Renamed(packs.number(moved), PosixPath.of("/p/away"), 5));
    packs.say(
        new StreamFact.Attributes(
            packs.number(moved), 0600, 3, 7_000_000_000L, packs.latestMillis() + 1));
    packs.deliver();
    packs.say(new StreamFact.Renamed(packs.number(moved), PosixPath.of("/p/back"), 6));
    packs.deliver();
    List<StreamRecord> said = new ArrayList<>();
    for (boolean merge : List.of(false, true)) {
      if (merge) {
        packs.merge(0, 3, List.of(), true);
      }
      ArchiveIndex index = archive.index(TestArchive.options());
      assertEquals(List.of(), index.damages());
      said.add(index.find(moved.id.text()).orElseThrow().record().orElseThrow());
    }
    assertEquals(said.getFirst(), said.getLast());
    assertEquals(0600, said.getLast().permissions());
    assertEquals(7_000_000_000L, said.getLast().modificationTimeNanos());
  }

  @Test
  void aPackThatIsSealedSlowlySaysNothingOfTheTimeOfBytesThatWereReadMeanwhile()
      throws IOException {
    TestArchive.TestStream file = archive.stream("/p/file", 1);
    file.path = PosixPath.of("/p/away");
    file.segmentAt(0, bytes("one"));
    long seenAtMillis = archive.latestMillis() + 1;
    packs.say(
        new StreamFact.Attributes(
            packs.number(file), file.permissions, 3, TestArchive.MODIFIED_NANOS, seenAtMillis));
    file.modifiedNanos = TestArchive.MODIFIED_NANOS + 1_000_000_000;
    file.segmentAt(3, bytes("two"));
    packs.at(archive.latestMillis() + 5).deliver();
    restore(archive);
    assertFile("p/away", bytes("onetwo"));
    assertEquals(file.modifiedNanos, modifiedNanos("p/away"));
  }

  @Test
  void aMergedPackSaysNothingOfTheTimeOfBytesThatWereReadBetweenItsPacks() throws IOException {
    TestArchive.TestStream file = archive.stream("/p/file", 1);
    TestArchive.TestStream other = archive.stream("/p/other", 2);
    packs.at(archive.latestMillis() + 1).add(file, 0, bytes("one"));
    packs.deliver();
    file.modifiedNanos = TestArchive.MODIFIED_NANOS + 1_000_000_000;
    file.segmentAt(3, bytes("two"));
    packs.at(archive.latestMillis() + 1).add(other, 0, bytes("else"));
    packs.deliver();
    packs.merge(0, 2, List.of(), true);
    restore(archive);
    assertFile("p/file", bytes("onetwo"));
    assertEquals(file.modifiedNanos, modifiedNanos("p/file"));
  }

  @Test
  void sinceWhenAnEmptyFileIsAtItsFirstPathIsKnown() throws IOException {
    TestArchive.TestStream empty = archive.stream("/p/file", 1);
    packs.say(new StreamFact.Renamed(packs.number(empty), PosixPath.of("/p/file"), 7)).deliver();
    StreamRecord record =
        archive
            .index(TestArchive.options())
            .find(empty.id.text())
            .orElseThrow()
            .record()
            .orElseThrow();
    assertEquals(List.of(new StreamRecord.KnownPath(PosixPath.of("/p/file"), 7)), record.paths());
  }

  @Test
  void packsThatADamagedMergedOneCoversCountAsLongAsTheyAreThere() throws IOException {
    TestArchive.TestStream file = archive.stream("/p/file", 1);
    packs.add(file, 0, bytes("one"));
    packs.deliver();
    packs.add(file, 3, bytes("two"));
    packs.deliver();
    String merged = packs.merge(0, 2, List.of(), false);
    archive.destination.delete(merged);
    archive.destination.putSegment(merged, ByteBuffer.wrap(bytes("nothing")));
    ArchiveIndex index = archive.index(TestArchive.options());
    assertEquals(List.of(merged), index.damages().stream().map(Damage::key).toList());
    restore(archive);
    assertFile("p/file", bytes("onetwo"));
  }

  @Test
  void packsThatAreMergedBetweenTheListingAndTheReadingAreFoundAgain() throws IOException {
    TestArchive.TestStream file = archive.stream("/p/file", 1);
    packs.add(file, 0, bytes("one"));
    packs.deliver();
    packs.add(file, 3, bytes("two"));
    packs.deliver();
    ArchiveIndex before = archive.index(TestArchive.options());
    packs.merge(0, 2, List.of(), true);
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    new StreamPrinter(archive.destination, TestArchive.options(), RestoreProgress.none())
        .print(before.find(file.id.text()).orElseThrow(), printed);
    assertArrayEquals(bytes("onetwo"), printed.toByteArray());
    VerifyReport report =
        new Verifier(archive.destination, TestArchive.options(), RestoreProgress.none())
            .verify(before);
    assertEquals(Outcome.DONE, report.outcome());
  }

  @Test
  void aMissingPackIsNamedAndWhatItDescribedIsNotGuessed() throws IOException {
    TestArchive.TestStream first = archive.stream("/p/first", 1);
    TestArchive.TestStream second = archive.stream("/p/second", 2);
    packs.add(first, 0, bytes("one"));
    packs.deliver();
    packs.add(second, 0, bytes("two"));
    String gone = packs.deliver();
    packs.add(first, 3, bytes("more")).add(second, 3, bytes("lost"));
    packs.deliver();
    archive.destination.delete(gone);
    ArchiveIndex index = archive.index(TestArchive.options());
    List<String> why = index.damages().stream().map(Damage::why).toList();
    assertEquals(2, why.size(), why::toString);
    assertTrue(why.getFirst().contains("from 1 to 1 are missing"), why::toString);
    assertTrue(why.getLast().contains("1 of its entries"), why::toString);
    RestoreReport report = restore(archive);
    assertEquals(Outcome.PARTIAL, report.outcome());
    assertFile("p/first", bytes("onemore"));
    assertEquals(List.of("p/first"), files());
    assertEquals(Outcome.PARTIAL, verify(archive).outcome());
  }

  @Test
  void aDamagedDirectoryCostsItsPackAndNoOther() throws IOException {
    TestArchive.TestStream first = archive.stream("/p/first", 1);
    packs.add(first, 0, bytes("one"));
    packs.deliver();
    packs.add(first, 3, bytes("two"));
    String damaged = packs.deliver();
    packs.add(first, 6, bytes("three"));
    packs.deliver();
    archive.cutOff(damaged, 30);
    ArchiveIndex index = archive.index(TestArchive.options());
    assertEquals(List.of(damaged), index.damages().stream().map(Damage::key).toList());
    assertEquals(List.of(new ByteRange(3, 6)), index.streams().getFirst().missing());
    assertEquals(Outcome.PARTIAL, restore(archive).outcome());
  }

  @Test
  void damagedBytesAreNamedAndNotRestored() throws IOException {
    TestArchive.TestStream first = archive.stream("/p/first", 1);
    packs.add(first, 0, bytes("one"));
    archive.damage(packs.deliver(), 1);
    assertEquals(RestoreResult.FAILED, only(restore(archive)).result());
    assertEquals(Outcome.FAILED, verify(archive).outcome());
  }

  @Test
  void packsThatNoIdentityOpensAreOneSentence() throws IOException {
    TestPacks sealed = new TestPacks(archive, "web-1", 1, List.of(KEYS.recipient()));
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      sealed.add(archive.stream("/p/file" + i, i + 1), 0, bytes("secret"));
      keys.add(sealed.deliver());
    }
    ArchiveIndex index = archive.index(TestArchive.options());
    assertEquals(1, index.damages().size(), () -> index.damages().toString());
    Damage said = index.damages().getFirst();
    assertEquals(Damage.Kind.LOCKED, said.kind());
    assertEquals(keys.getFirst(), said.key());
    assertTrue(said.why().contains("4 more packs"), said::why);
    assertTrue(index.isMoreInPacks());
  }

  @Test
  void theNewestGroupSaysWhereAFileIs() throws IOException {
    TestArchive.TestStream stream = archive.stream("/p/born", 1);
    packs.add(stream, 0, bytes("one"));
    packs.deliver();
    TestPacks next = new TestPacks(archive, "web-1", 2000, List.of());
    stream.path = PosixPath.of("/p/now");
    next.add(stream, 3, bytes("two"));
    next.deliver();
    restore(archive);
    assertEquals(List.of("p/now"), files());
    assertFile("p/now", bytes("onetwo"));
  }

  @Test
  void aStreamGoesOnWhenAPackSaysThatItDoes() throws IOException {
    TestArchive.TestStream stream = archive.stream("/p/back", 1);
    packs.add(stream, 0, bytes("one"));
    packs.say(new StreamFact.Ended(packs.number(stream), EndReason.MOVED_AWAY, 3, 4));
    packs.deliver();
    packs.say(new StreamFact.Continued(packs.number(stream)));
    packs.deliver();
    ArchivedStream found =
        archive.index(TestArchive.options()).find(stream.id.text()).orElseThrow();
    assertEquals(Optional.empty(), found.record().flatMap(StreamRecord::end));
  }

  /** The last pack replaces bytes, and says nothing of ends. */
  @Test
  void aStreamGoesOnWhenItsRecordSaysSoAfterItsEndWhateverPacksFollow() throws IOException {
    TestArchive.TestStream stream = archive.stream("/p/gone", 1);
    packs.add(stream, 0, bytes("one"));
    packs.say(new StreamFact.Ended(packs.number(stream), EndReason.VANISHED, 3, 4));
    packs.deliver();
    stream.renamedAt("/p/back", 5);
    packs.replace(stream, 0, bytes("ONE"), 1).deliver();
    ArchivedStream found =
        archive.index(TestArchive.options()).find(stream.id.text()).orElseThrow();
    assertEquals(Optional.empty(), found.record().flatMap(StreamRecord::end));
  }

  /** Of a merged pack, the time of sealing is that of the last pack that it was made of. */
  @Test
  void aRenameThatARecordTellsCountsThoughAnOlderDescriptionIsMergedLater() throws IOException {
    TestArchive.TestStream stream = archive.stream("/p/log.1", 1);
    stream.arrivalNanos = OptionalLong.of(1_000);
    packs.add(stream, 0, bytes("one")).deliver();
    stream.arrivalNanos = OptionalLong.of(2_000);
    stream.permissions = 0600;
    stream.renamedAt("/p/log.2.gz", packs.latestMillis() + 1);
    TestArchive.TestStream other = archive.stream("/p/log.1", 2);
    packs.at(packs.latestMillis() + 2).add(other, 0, bytes("two")).deliver();
    packs.merge(0, 2, List.of(), true);
    ArchiveIndex index = archive.index(TestArchive.options());
    ArchivedStream found = index.find(stream.id.text()).orElseThrow();
    assertEquals(PosixPath.of("/p/log.2.gz"), found.path());
    assertEquals(0600, found.record().orElseThrow().permissions());
    assertEquals(PosixPath.of("/p/log.1"), index.find(other.id.text()).orElseThrow().path());
  }

  @Test
  void aPackThatDescribesALaterPathThanTheRecordCounts() throws IOException {
    TestArchive.TestStream stream = archive.stream("/p/log", 1);
    stream.arrivalNanos = OptionalLong.of(1_000);
    stream.renamedAt("/p/log.1", packs.latestMillis() - 1);
    stream.arrivalNanos = OptionalLong.of(2_000);
    stream.path = PosixPath.of("/p/log.2");
    packs.add(stream, 0, bytes("one")).deliver();
    ArchiveIndex index = archive.index(TestArchive.options());
    assertEquals(PosixPath.of("/p/log.2"), index.find(stream.id.text()).orElseThrow().path());
  }

  @Test
  void theRangeOfAPackTellsItsAttributesWhateverElseThePackSays() throws IOException {
    TestArchive.TestStream stream = archive.stream("/p/grown", 1);
    packs.add(stream, 0, bytes("one"));
    packs.say(new StreamFact.Attributes(packs.number(stream), 0600, 0, 1, packs.latestMillis()));
    packs.deliver();
    StreamRecord record =
        archive
            .index(TestArchive.options())
            .find(stream.id.text())
            .orElseThrow()
            .record()
            .orElseThrow();
    assertEquals(TestArchive.MODIFIED_NANOS, record.modificationTimeNanos());
    assertEquals(3, record.sizeBytes());
  }
}
