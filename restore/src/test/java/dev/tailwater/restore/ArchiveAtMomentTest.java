package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.header.SegmentHeader;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.pack.StreamFact;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.archive.seal.SegmentComposer;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.place.RestoreOptions;
import dev.tailwater.restore.place.RestoreReport;
import dev.tailwater.restore.place.RestoreResult;
import dev.tailwater.restore.place.RestoredStream;
import dev.tailwater.restore.place.Restorer;
import dev.tailwater.restore.read.StreamPrinter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Archives as they were at a moment. */
class ArchiveAtMomentTest extends RestoreFixture {
  private static final KeyPair KEYS = KeyPair.generate(new SecureRandom());
  private static final int ROUNDS = 30;
  private static final int FILES = 3;

  private final TestArchive archive = TestArchive.inMemory();
  private final TestPacks packs = new TestPacks(archive, "web-1", 1000, List.of());
  private final TestArchive.TestStream stream = archive.stream("/p/file", 1);

  private static final class Written {
    private final Map<TestArchive.TestStream, byte[]> contents = new HashMap<>();
    private final Map<TestArchive.TestStream, PosixPath> paths = new HashMap<>();

    Snapshot snapshot() {
      Map<String, byte[]> byPath = new TreeMap<>();
      Map<StreamId, byte[]> byStream = new HashMap<>();
      contents.forEach(
          (stream, bytes) -> {
            PosixPath path = paths.getOrDefault(stream, stream.birthPath);
            byPath.put(path.toString().substring(1), bytes.clone());
            byStream.put(stream.id, bytes.clone());
          });
      return new Snapshot(byPath, byStream);
    }
  }

  /** What the files held; their paths are those below the target. */
  private record Snapshot(Map<String, byte[]> byPath, Map<StreamId, byte[]> byStream) {}

  @Test
  void everyDeliveryCanBeGivenBack() {
    rounds(ROUNDS, (random, target) -> round(random, target, false));
  }

  @Test
  void afterAMergeNothingIsWrongWithoutBeingNamed() {
    rounds(ROUNDS, (random, target) -> round(random, target, true));
  }

  private static void round(Random random, Path target, boolean merges) throws IOException {
    List<Recipient> recipients = random.nextBoolean() ? List.of(KEYS.recipient()) : List.of();
    TestArchive archive = TestArchive.inMemory().with(new Codec.Zstd(1), recipients);
    TestPacks packs = new TestPacks(archive, "web-1", 2, recipients);
    Written files = new Written();
    TreeMap<Long, Snapshot> snapshots = new TreeMap<>();
    List<TestArchive.TestStream> streams = new ArrayList<>();
    for (int delivery = 0; delivery < 8; delivery++) {
      if (streams.size() < FILES && (streams.isEmpty() || random.nextInt(3) == 0)) {
        streams.add(archive.stream("/p/file-" + streams.size(), 1 + streams.size()));
      }
      for (TestArchive.TestStream one : streams) {
        change(random, packs, files, one, delivery);
      }
      packs.deliver();
      snapshots.put(packs.latestMillis(), files.snapshot());
    }
    if (merges) {
      int from = random.nextInt(packs.count() - 1);
      int to = from + 2 + random.nextInt(packs.count() - from - 1);
      long replacedByMillis =
          random.nextBoolean()
              ? Long.MIN_VALUE
              : packs.latestMillis() - packs.count() + random.nextInt(packs.count() + 2);
      packs.merge(from, to, List.of(KEYS.identity()), random.nextBoolean(), replacedByMillis);
    }
    ReadOptions reading =
        TestArchive.options()
            .withIdentities(List.of(KEYS.identity()))
            .withAllowPlain(recipients.isEmpty())
            .withJobs(1 + random.nextInt(4));
    for (Map.Entry<Long, Snapshot> snapshot : snapshots.entrySet()) {
      Path place = target.resolve("at-" + snapshot.getKey());
      RestoreReport report = restored(archive, reading.withAtMillis(snapshot.getKey()), place);
      if (!merges) {
        assertEquals(Outcome.DONE, report.outcome(), report.toString());
      }
      if (report.outcome() == Outcome.DONE) {
        assertSame(snapshot.getValue().byPath(), place);
      } else {
        assertTrue(report.streams().stream().anyMatch(ArchiveAtMomentTest::isUntold), "" + report);
        for (RestoredStream one : report.streams()) {
          assertNothingIsWrong(snapshot.getValue().byStream(), one, place);
        }
      }
    }
    Path now = target.resolve("now");
    assertEquals(Outcome.DONE, restored(archive, reading, now).outcome());
    assertSame(snapshots.lastEntry().getValue().byPath(), now);
  }

  private static void change(
      Random random, TestPacks packs, Written files, TestArchive.TestStream one, int delivery) {
    boolean isKnown = files.contents.containsKey(one);
    byte[] before = files.contents.getOrDefault(one, new byte[0]);
    boolean isEmpty = before.length == 0 && random.nextInt(3) > 0;
    byte[] more = new byte[isEmpty ? 0 : random.nextInt(300) + (before.length == 0 ? 1 : 0)];
    random.nextBytes(more);
    byte[] now = Arrays.copyOf(before, before.length + more.length);
    System.arraycopy(more, 0, now, before.length, more.length);
    if (more.length > 0) {
      packs.add(one, before.length, more);
    }
    if (before.length > 0 && random.nextBoolean()) {
      int start = random.nextInt(before.length);
      byte[] replaced = new byte[1 + random.nextInt(before.length - start)];
      random.nextBytes(replaced);
      System.arraycopy(replaced, 0, now, start, replaced.length);
      packs.replace(one, start, replaced, delivery + 1);
    }
    if (isEmpty && !(isKnown && random.nextBoolean())) {
      int mode = 0600 + delivery;
      packs.say(
          new StreamFact.Attributes(
              packs.number(one), mode, 0, delivery, packs.latestMillis() + 1));
    }
    if (isKnown && random.nextInt(4) == 0) {
      PosixPath path = PosixPath.of(one.birthPath + "." + delivery);
      files.paths.put(one, path);
      packs.say(new StreamFact.Renamed(packs.number(one), path, packs.latestMillis() + 1));
    }
    files.contents.put(one, now);
  }

  private static boolean isUntold(RestoredStream stream) {
    return stream.damages().stream().anyMatch(one -> one.kind() == Damage.Kind.UNTOLD);
  }

  /** What is restored in part has no other bytes than those that it is said to miss. */
  private static void assertNothingIsWrong(
      Map<StreamId, byte[]> contents, RestoredStream restored, Path place) throws IOException {
    if (!contents.containsKey(restored.stream()) || restored.target().isEmpty()) {
      return; // It was perhaps there; its damage says so.
    }
    byte[] expected = contents.get(restored.stream());
    byte[] there = Files.readAllBytes(place.resolve(restored.target().get().toString()));
    RangeSet missing = new RangeSet();
    restored.missing().forEach(missing::add);
    assertTrue(there.length <= expected.length, "" + restored);
    for (int at = 0; at < there.length; at++) {
      boolean isRight = there[at] == expected[at] || missing.contains(new ByteRange(at, at + 1));
      assertTrue(isRight, "other bytes at " + at + ": " + restored);
    }
  }

  private static void assertSame(Map<String, byte[]> expected, Path place) throws IOException {
    assertEquals(List.copyOf(expected.keySet()), files(place));
    for (Map.Entry<String, byte[]> file : expected.entrySet()) {
      assertArrayEquals(
          file.getValue(), Files.readAllBytes(place.resolve(file.getKey())), file.getKey());
    }
  }

  private static RestoreReport restored(TestArchive archive, ReadOptions reading, Path target)
      throws IOException {
    return new Restorer(
            CALLS,
            archive.destination,
            RestoreOptions.of(reading).withSync(false),
            RestoreProgress.none())
        .restore(archive.index(reading), PosixPath.of(target));
  }

  private RestoredStream onlyAt(long millis) throws IOException {
    return only(restored(archive, TestArchive.options().withAtMillis(millis), target()));
  }

  @Test
  void segmentsThatWereSealedLaterDoNotCount() throws IOException {
    stream.segmentAt(0, bytes("first "));
    long between = archive.latestMillis() + 1;
    stream.segmentAt(6, bytes("second"));
    assertEquals(RestoreResult.RESTORED, onlyAt(between).result());
    assertFile("p/file", bytes("first "));
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    ReadOptions reading = TestArchive.options().withAtMillis(between);
    ArchivedStream found = archive.index(reading).find("/p/file").orElseThrow();
    new StreamPrinter(archive.destination, reading, RestoreProgress.none()).print(found, printed);
    assertArrayEquals(bytes("first "), printed.toByteArray());
  }

  @Test
  void beforeTheFirstDeliveryNothingIsThere() throws IOException {
    stream.segmentAt(0, bytes("first"));
    ArchiveIndex index =
        archive.index(TestArchive.options().withAtMillis(archive.latestMillis() - 1));
    assertEquals(List.of(), index.streams());
    assertTrue(index.foundNothing());
  }

  @Test
  void aLaterEndAndGapAreNotThere() throws IOException {
    stream.segmentAt(0, bytes("first"));
    long before = archive.latestMillis();
    archive.stream("/other", 9).segmentAt(0, bytes("other"));
    stream.gap(5, 9, "truncated");
    stream.record(
        stream.birthPath,
        9,
        Optional.of(
            new StreamRecord.End(StreamRecord.EndReason.DELETED, 9, archive.latestMillis())));
    assertEquals(RestoreResult.RESTORED, onlyAt(before).result());
    assertEquals(Outcome.PARTIAL, restore(archive).outcome());
  }

  @Test
  void anEarlierPathThatNoObjectTellsIsNamed() throws IOException {
    stream.segmentAt(0, bytes("first"));
    long before = archive.latestMillis();
    archive.stream("/other", 9).segmentAt(0, bytes("other"));
    stream.renamed("/p/file.1", 5);
    RestoredStream then = onlyAt(before);
    assertEquals("p/file", then.target().orElseThrow().toString());
    assertEquals(RestoreResult.INCOMPLETE, then.result());
    assertTrue(isUntold(then));
  }

  /** Its only object was replaced by one that tells a later path. */
  @Test
  void anEmptyFileThatWasRenamedLaterIsNamed() throws IOException {
    archive.stream("/other", 9).segmentAt(0, bytes("other"));
    stream.renamed("/p/file.1", 0);
    RestoredStream then = perhapsThereAt(archive.latestMillis() - 1);
    assertEquals("p/file", then.target().orElseThrow().toString());
  }

  @Test
  void anEmptyFileThatEndedLaterIsNamed() throws IOException {
    stream.record(
        stream.birthPath,
        0,
        Optional.of(
            new StreamRecord.End(StreamRecord.EndReason.DELETED, 0, archive.latestMillis())));
    perhapsThereAt(archive.latestMillis() - 1);
  }

  /** Its record tells neither a path nor an end, so it is as old as the object. */
  @Test
  void anEmptyFileThatIsToldAgainLaterIsNamed() throws IOException {
    stream.told();
    perhapsThereAt(archive.latestMillis());
    ReadOptions now = TestArchive.options().withAtMillis(Long.MAX_VALUE - 1);
    assertEquals(RestoreResult.RESTORED, only(restored(archive, now, target())).result());
  }

  @Test
  void anEmptyFileThatGrewAndEndedLaterIsNamed() throws IOException {
    stream.segmentAt(0, bytes("later"));
    stream.renamed("/p/file.1", 5);
    perhapsThereAt(archive.latestMillis() - 1);
  }

  @Test
  void anEmptyFileThatIsToldOfInAPackThatWasMergedLaterIsNamed() throws IOException {
    packs.say(
        new StreamFact.Attributes(packs.number(stream), 0640, 0, 1, packs.latestMillis() + 1));
    packs.deliver();
    long between = packs.latestMillis();
    packs.say(new StreamFact.Attributes(packs.number(stream), 0600, 0, 1, between + 1)).deliver();
    assertEquals(RestoreResult.RESTORED, onlyAt(between).result());
    packs.merge(0, 2, List.of(), true);
    perhapsThereAt(between);
  }

  private RestoredStream perhapsThereAt(long millis) throws IOException {
    ReadOptions reading = TestArchive.options().withAtMillis(millis);
    Path place = target().resolve("perhaps");
    RestoreReport report = restored(archive, reading, place);
    assertEquals(Outcome.PARTIAL, report.outcome(), report.toString());
    RestoredStream then = only(report);
    assertEquals(RestoreResult.INCOMPLETE, then.result());
    assertTrue(isUntold(then), then.toString());
    ArchivedStream found = archive.index(reading).streams().getFirst();
    assertTrue(
        new StreamPrinter(archive.destination, reading, RestoreProgress.none())
            .print(found, new ByteArrayOutputStream())
            .isDoubtful());
    return then;
  }

  @Test
  void anEmptyFileThatWasBornLaterIsNotThere() throws IOException {
    long bornAtMillis = archive.latestMillis();
    TestArchive.TestStream later =
        archive.stream("/p/later", TimeUnit.MILLISECONDS.toNanos(bornAtMillis));
    later.renamed("/p/later.1", 0);
    ReadOptions reading = TestArchive.options().withAtMillis(bornAtMillis - 1);
    assertEquals(List.of(), archive.index(reading).streams());
  }

  @Test
  void aFileThatWasBornLaterIsNotThereThoughItsPackWasMergedWithAnEarlierOne() throws IOException {
    packs.add(stream, 0, bytes("first")).deliver();
    long before = packs.latestMillis();
    TestArchive.TestStream later =
        archive.stream("/p/later", TimeUnit.MILLISECONDS.toNanos(before + 1));
    packs.add(later, 0, bytes("later")).deliver();
    packs.merge(0, 2, List.of(), true);
    assertEquals(RestoreResult.RESTORED, onlyAt(before).result());
  }

  @Test
  void aLaterMergedPackMayBeAboutStreamsThatLaterPacksDescribe() throws IOException {
    packs.add(stream, 0, bytes("first")).deliver();
    long before = packs.latestMillis();
    TestArchive.TestStream later = archive.stream("/p/later", 2);
    packs.add(later, 0, bytes("later")).deliver();
    packs.add(later, 5, bytes("more")).deliver();
    packs.say(new StreamFact.Renamed(packs.number(later), PosixPath.of("/p/moved"), before + 1));
    packs.add(later, 9, bytes("most")).deliver();
    packs.merge(2, 4, List.of(), true);
    RestoreReport report = restored(archive, TestArchive.options().withAtMillis(before), target());
    assertEquals(Outcome.DONE, report.outcome(), report.toString());
    assertEquals(1, report.streams().size(), report.toString());
    assertFile("p/file", bytes("first"));
  }

  /** All streams of a file are as old as the file, so their birth does not tell it. */
  @Test
  void aStreamThatBeganWithALaterTruncationIsNotThere() throws IOException {
    stream.segmentAt(0, bytes("first"));
    long before = archive.latestMillis();
    TestArchive.TestStream next = archive.stream("web-1", stream.birthPath, 1, 1);
    next.segmentAt(0, bytes("second"));
    long atMillis = archive.latestMillis();
    stream.record(
        stream.birthPath,
        5,
        Optional.of(new StreamRecord.End(StreamRecord.EndReason.TRUNCATED, 5, atMillis)));
    next.renamed("/p/file.1", 6);
    assertEquals(RestoreResult.RESTORED, onlyAt(before).result());
    assertFile("p/file", bytes("first"));
  }

  @Test
  void aStreamThatMayHaveBegunWithAnEarlierTruncationIsNamed() throws IOException {
    archive.stream("/p/before", 7).segmentAt(0, bytes("before"));
    stream.segmentAt(0, bytes("first"));
    stream.record(
        stream.birthPath,
        5,
        Optional.of(
            new StreamRecord.End(StreamRecord.EndReason.TRUNCATED, 5, archive.latestMillis())));
    archive.stream("/p/then", 8).segmentAt(0, bytes("then"));
    long before = archive.latestMillis();
    TestArchive.TestStream next = archive.stream("web-1", stream.birthPath, 1, 1);
    archive.stream("/p/later", 9).segmentAt(0, bytes("later"));
    next.renamed("/p/file.1", 6);
    RestoreReport report = restored(archive, TestArchive.options().withAtMillis(before), target());
    assertEquals(4, report.streams().size(), report.toString());
    assertEquals(Outcome.PARTIAL, report.outcome(), report.toString());
  }

  /** One that was there for certain has the name. */
  @Test
  void aFileThatWasPerhapsThereDoesNotTakeTheNameOfAnother() throws IOException {
    stream.segmentAt(0, bytes("first"));
    long before = archive.latestMillis();
    TestArchive.TestStream other = archive.stream("/p/file", 2);
    archive.stream("/other", 9).segmentAt(0, bytes("other"));
    other.renamed("/p/file.1", 0);
    RestoreReport report = restored(archive, TestArchive.options().withAtMillis(before), target());
    assertEquals(2, report.streams().size(), report.toString());
    assertEquals(Outcome.PARTIAL, report.outcome(), report.toString());
    assertFile("p/file", bytes("first"));
  }

  /** Nobody can tell how much of a merged segment was there before. */
  @Test
  void aSegmentThatWasMergedLaterIsNamed() throws IOException {
    long mergedAtMillis = 1_800_000_000_000L;
    merged(0, "first second", mergedAtMillis);
    assertEquals(Outcome.DONE, restore(archive).outcome());
    ArchiveIndex index = archive.index(TestArchive.options().withAtMillis(mergedAtMillis - 1));
    assertEquals(
        List.of(Damage.Kind.UNTOLD),
        index.streams().getFirst().damages().stream().map(Damage::kind).toList());
    assertTrue(
        restored(archive, TestArchive.options().withAtMillis(mergedAtMillis - 1), target())
                .outcome()
            != Outcome.DONE);
  }

  /** They were there, so what they replace was there too: older bytes are not these. */
  @Test
  void bytesThatReplaceSomeOfASegmentThatWasMergedLaterCount() throws IOException {
    stream.segmentAt(0, bytes("first "));
    packs.replace(stream, 3, bytes("REPLAC"), 9).deliver();
    long replacedAtMillis = Math.max(packs.latestMillis(), archive.latestMillis());
    merged(6, "second", replacedAtMillis + 1000);
    RestoredStream then = onlyAt(replacedAtMillis);
    assertEquals(RestoreResult.INCOMPLETE, then.result());
    assertEquals(
        List.of(Damage.Kind.UNTOLD), then.damages().stream().map(Damage::kind).toList(), "" + then);
    assertFile("p/file", bytes("firREPLAC"));
    restore(archive, RestoreOptions.of(TestArchive.options()).withOverwrite(true));
    assertFile("p/file", bytes("firREPLACond"));
  }

  /** The same of bytes that a pack has joined with later ones. */
  @Test
  void bytesThatReplaceSomeOfThoseThatAPackHasJoinedWithLaterOnesCount() throws IOException {
    packs.add(stream, 0, bytes("first ")).deliver();
    packs.add(stream, 6, bytes("sec")).deliver();
    packs.replace(stream, 3, bytes("REPLAC"), 9).deliver();
    long replacedAtMillis = packs.latestMillis();
    packs.add(stream, 9, bytes("ond")).deliver();
    packs.merge(1, 4, List.of(), true);
    RestoredStream then = onlyAt(replacedAtMillis);
    assertEquals(RestoreResult.INCOMPLETE, then.result(), "" + then);
    assertEquals(
        List.of(Damage.Kind.UNTOLD), then.damages().stream().map(Damage::kind).toList(), "" + then);
    assertFile("p/file", bytes("firREPLAC"));
  }

  /** Puts a segment that was merged from others. */
  private void merged(long startBytes, String text, long mergedAtMillis) throws IOException {
    byte[] raw = bytes(text);
    CRC32C crc = new CRC32C();
    crc.update(raw);
    SegmentHeader header =
        new SegmentHeader(
            SegmentHeader.VERSION,
            stream.agent,
            stream.id,
            new ByteRange(startBytes, startBytes + raw.length),
            stream.path,
            mergedAtMillis,
            0,
            0640,
            (int) crc.getValue(),
            true,
            Optional.empty(),
            OptionalLong.empty());
    ByteArrayOutputStream object = new ByteArrayOutputStream();
    try (SegmentComposer composer =
        new SegmentComposer(new Codec.Zstd(1), List.of(), Optional.empty(), new SecureRandom())) {
      composer.begin(header, stream.prefix, object::write);
      composer.addRaw(raw, 0, raw.length);
      composer.finish();
      archive.destination.putObject(
          composer.key(stream.prefix, header.range()), object.toByteArray());
    }
  }

  @Test
  void aRangeOfAPackThatWasMergedKeepsItsTime() throws IOException {
    packs.add(stream, 0, bytes("0123456789")).deliver();
    long first = packs.latestMillis();
    packs.replace(stream, 2, bytes("bbbb"), 9).deliver();
    packs.merge(0, 2, List.of(), true);
    assertEquals(RestoreResult.RESTORED, onlyAt(first).result());
    assertFile("p/file", bytes("0123456789"));
    restore(archive, RestoreOptions.of(TestArchive.options()).withOverwrite(true));
    assertFile("p/file", bytes("01bbbb6789"));
  }
}
