package dev.tailwater.restore.list;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.record.LastDrain;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.archive.record.StreamSums;
import dev.tailwater.destination.testkit.InMemoryDestination;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.restore.Bytes;
import dev.tailwater.restore.Outcome;
import dev.tailwater.restore.ReadOptions;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.TestArchive;
import dev.tailwater.restore.TestArchive.TestStream;
import dev.tailwater.restore.place.RestoreOptions;
import dev.tailwater.restore.place.RestoreReport;
import dev.tailwater.restore.place.RestoreResult;
import dev.tailwater.restore.place.Restorer;
import dev.tailwater.restore.verify.Verifier;
import dev.tailwater.restore.verify.VerifyReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the archive alone tells of the streams of an agent that is dead, or is not. */
class CompletenessTest {
  private static final byte[] CONTENTS = Bytes.random(1000, 1);
  private static final Instant ENDED = Instant.ofEpochMilli(1_700_000_000_000L);

  private final AtomicLong clock = new AtomicLong(1_000_000);
  private final TestArchive archive =
      new TestArchive(
          InMemoryDestination.create(() -> Instant.ofEpochMilli(clock.addAndGet(1000))));
  @TempDir private Path directory;

  private void lastDrain(String agent, String streams, TestStream... complete) throws IOException {
    String ids =
        Arrays.stream(complete).map(s -> "\"" + s.id + "\"").collect(Collectors.joining(","));
    String json =
        "{\"format\":1,\"agent\":\"%s\",\"atMillis\":%d,\"streams\":[%s],\"complete\":[%s]}"
            .formatted(agent, ENDED.toEpochMilli(), streams, ids);
    archive.destination.putObject(
        ArchiveNames.lastDrain(agent), json.getBytes(StandardCharsets.UTF_8));
  }

  /** Says that these are complete as an agent does that has too many of them to name. */
  private void lastDrainOfMany(int groups, String streams, TestStream... complete)
      throws IOException {
    StreamSums.Adder all = new StreamSums.Adder(groups);
    Arrays.stream(complete).forEach(stream -> all.add(stream.id));
    String sums =
        all.sums().texts().stream().map(s -> "\"" + s + "\"").collect(Collectors.joining(","));
    String json =
        "{\"format\":1,\"agent\":\"web-1\",\"atMillis\":%d,\"streams\":[%s],\"completeSums\":[%s]}"
            .formatted(ENDED.toEpochMilli(), streams, sums);
    archive.destination.putObject(
        ArchiveNames.lastDrain("web-1"), json.getBytes(StandardCharsets.UTF_8));
  }

  private static String left(TestStream stream, long start, long end) {
    return "{\"path\":\"%s\",\"stream\":\"%s\",\"ranges\":[{\"startBytes\":%d,\"endBytes\":%d}]}"
        .formatted(stream.path, stream.id, start, end);
  }

  private ArchiveIndex index() throws IOException {
    return archive.index(TestArchive.options());
  }

  private Completeness completeness(TestStream stream) throws IOException {
    return Completeness.of(index().find(stream.id.text()).orElseThrow());
  }

  @Test
  void aStreamOfAnAgentThatSaidNothingMayHaveGrown() throws Exception {
    TestStream stream = archive.stream("/var/log/a.log", 1);
    stream.segment(CONTENTS, 0, 600);
    assertEquals(new Completeness.Unknown(), completeness(stream));
  }

  @Test
  void aStreamThatHasBytesBehindItsEndMayHaveGrown() throws Exception {
    TestStream stream = archive.stream("/var/log/a.log", 1);
    stream.segment(CONTENTS, 0, 600);
    stream.record(
        stream.path,
        600,
        Optional.of(
            new StreamRecord.End(StreamRecord.EndReason.MOVED_AWAY, 600, ENDED.toEpochMilli())));
    assertEquals(new Completeness.Complete(Optional.empty()), completeness(stream));
    stream.segment(CONTENTS, 600, 700);
    assertEquals(new Completeness.Unknown(), completeness(stream), "its agent died, or goes on");
  }

  @Test
  void whatAnAgentLeftNothingOfIsComplete() throws Exception {
    TestStream stream = archive.stream("/var/log/a.log", 1);
    stream.segment(CONTENTS, 0, 600);
    TestStream unseen = archive.stream("/of/another/disk", 2);
    unseen.segment(CONTENTS, 0, 600);
    lastDrain("web-1", "", stream);
    assertEquals(new Completeness.Complete(Optional.of(ENDED)), completeness(stream));
    assertEquals(new Completeness.Unknown(), completeness(unseen));
    assertEquals(0, index().foreign().count());
  }

  @Test
  void streamsThatAreTooManyToBeNamedAreKnownByTheirSums() throws Exception {
    TestStream one = archive.stream("/var/log/a.log", 1);
    one.segment(CONTENTS, 0, 600);
    TestStream other = archive.stream("/var/log/b.log", 2);
    other.segment(CONTENTS, 0, 10);
    TestStream ended = archive.stream("/var/log/c.log", 3);
    ended.segment(CONTENTS, 0, 10);
    ended.record(
        ended.path, 10, Optional.of(new StreamRecord.End(StreamRecord.EndReason.VANISHED, 10, 5)));
    TestStream left = archive.stream("/var/log/d.log", 4);
    left.segment(CONTENTS, 0, 10);
    lastDrainOfMany(1, left(left, 10, 20), one, other);

    assertEquals(new Completeness.Complete(Optional.of(ENDED)), completeness(one));
    assertEquals(new Completeness.Complete(Optional.of(ENDED)), completeness(other));
    assertEquals(new Completeness.Unknown(), completeness(ended));
    assertEquals(new Completeness.Cut(10, 10), completeness(left));
    List<ArchivedStream> selected =
        ArchiveIndex.load(
                archive.destination,
                Selection.everything().only(List.of("/var/log/a*")),
                TestArchive.options(),
                RestoreProgress.none())
            .streams();
    assertEquals(1, selected.size());
    assertEquals(
        new Completeness.Complete(Optional.of(ENDED)), Completeness.of(selected.getFirst()));
  }

  /** The last piece arrived in the second of the record, and the file may have grown since. */
  @Test
  void oneOfWhichSomethingWasLeftIsNotCompleteByTheSumsOfOthers() throws Exception {
    TestStream complete = archive.stream("/var/log/a.log", 1);
    complete.segment(CONTENTS, 0, 600);
    TestStream left = archive.stream("/var/log/b.log", 2);
    left.segment(CONTENTS, 0, 20);
    lastDrainOfMany(1, left(left, 10, 20), complete);

    assertEquals(new Completeness.Complete(Optional.of(ENDED)), completeness(complete));
    assertEquals(new Completeness.Unknown(), completeness(left));
  }

  @Test
  void aStreamThatItsAgentDidNotCountHidesTheOthersOfItsGroupOnly() throws Exception {
    int groups = 8;
    List<TestStream> counted = new ArrayList<>();
    for (int number = 1; number <= 40; number++) {
      counted.add(archive.stream("/var/log/" + number, number));
      counted.getLast().segment(CONTENTS, 0, 10);
    }
    lastDrainOfMany(groups, "", counted.toArray(TestStream[]::new));
    assertEquals(40, complete(counted));

    TestStream unseen = archive.stream("/of/another/disk", 41);
    clock.set(0); // so that the record is the last object still
    unseen.segment(CONTENTS, 0, 10);
    assertEquals(new Completeness.Unknown(), completeness(unseen));
    long inItsGroup = counted.stream().filter(s -> isInOneGroup(groups, s, unseen)).count();
    assertTrue(inItsGroup > 0 && inItsGroup < 20, inItsGroup + " streams");
    assertEquals(40 - inItsGroup, complete(counted));
  }

  /** Who can write, and not sign, can choose an id that brings a sum back to what it was. */
  @Test
  void anUnsignedStreamNeitherCountsNorIsComplete() throws Exception {
    TestStream counted = archive.stream("/var/log/a.log", 1);
    TestStream unsigned = archive.stream("/var/log/b.log", 2);
    StreamSums.Adder all = new StreamSums.Adder(1);
    all.add(counted.id);
    String json =
        "{\"format\":1,\"agent\":\"web-1\",\"atMillis\":1,\"streams\":[],\"completeSums\":[\"%s\"]}"
            .formatted(all.sums().texts().getFirst());
    ArchivedDrain drain =
        new ArchivedDrain(LastDrain.fromJson(json.getBytes(StandardCharsets.UTF_8), "web-1"), true);
    drain.found(counted.id, true);
    drain.found(unsigned.id, false);
    assertTrue(drain.hadAllOf(counted.id));
    assertFalse(drain.hadAllOf(unsigned.id));
  }

  /** With the sum of one alone, the group of the other does not have its own. */
  private static boolean isInOneGroup(int groups, TestStream one, TestStream other) {
    StreamSums.Adder of = new StreamSums.Adder(groups);
    of.add(one.id);
    return !of.hasAllOfGroup(new StreamSums.Adder(groups).sums(), other.id);
  }

  private long complete(List<TestStream> streams) throws IOException {
    ArchiveIndex index = index();
    return streams.stream()
        .map(stream -> Completeness.of(index.find(stream.id.text()).orElseThrow()))
        .filter(Completeness.Complete.class::isInstance)
        .count();
  }

  @Test
  void whatAnAgentLeftSomethingOfIsCutThere() throws Exception {
    TestStream stream = archive.stream("/var/log/a.log", 1);
    stream.segment(CONTENTS, 0, 600);
    TestStream other = archive.stream("/var/log/b.log", 2);
    other.segment(CONTENTS, 0, 10);
    lastDrain("web-1", left(stream, 600, 1000), other);
    assertEquals(new Completeness.Cut(600, 400), completeness(stream));
    assertEquals(new Completeness.Complete(Optional.of(ENDED)), completeness(other));
    assertEquals(400, index().drains().getFirst().leftBehindBytes());
    assertEquals(
        List.of(new ByteRange(600, 1000)), index().find(stream.id.text()).orElseThrow().missing());
  }

  @Test
  void whatIsLeftIsMissingForWhoeverVerifiesOrRestores() throws Exception {
    TestStream stream = archive.stream("/var/log/a.log", 1);
    stream.segment(CONTENTS, 0, 600);
    TestStream never = archive.stream("/var/log/never.log", 2);
    lastDrain("web-1", left(stream, 600, 1000) + "," + left(never, 0, 7));
    VerifyReport verified =
        new Verifier(archive.destination, TestArchive.options(), RestoreProgress.none())
            .verify(index());
    assertEquals(Outcome.PARTIAL, verified.outcome());
    assertFalse(verified.streams().getFirst().isComplete());
    RestoreReport restored =
        new Restorer(
                LinuxFileCalls.create(),
                archive.destination,
                RestoreOptions.of(TestArchive.options()),
                RestoreProgress.none())
            .restore(index(), PosixPath.of(directory));
    assertEquals(Outcome.PARTIAL, restored.outcome());
    assertEquals(2, restored.count(RestoreResult.INCOMPLETE));
    assertEquals(600, Files.size(directory.resolve("var/log/a.log")));
    assertEquals(0, Files.size(directory.resolve("var/log/never.log")));
    assertEquals(List.of(new ByteRange(0, 7)), restored.streams().getLast().missing());
  }

  @Test
  void whatNeverArrivedIsMissingAtALaterMomentToo() throws Exception {
    TestStream never = archive.stream("/var/log/never.log", 2);
    lastDrain("web-1", left(never, 0, 7));
    ReadOptions then = TestArchive.options().withAtMillis(ENDED.toEpochMilli());
    assertEquals(List.of(new ByteRange(0, 7)), archive.index(then).streams().getFirst().missing());
    ReadOptions before = TestArchive.options().withAtMillis(ENDED.toEpochMilli() - 1);
    assertEquals(List.of(), archive.index(before).streams());
  }

  @Test
  void whatArrivedAfterAllIsNotMissingAndTheRestMayHaveGrown() throws Exception {
    TestStream stream = archive.stream("/var/log/a.log", 1);
    stream.segment(CONTENTS, 0, 600);
    TestStream other = archive.stream("/var/log/b.log", 2);
    other.segment(CONTENTS, 0, 10);
    lastDrain("web-1", left(stream, 600, 1000), other);
    stream.segment(CONTENTS, 600, 1000);
    assertEquals(new Completeness.Unknown(), completeness(stream));
    assertEquals(new Completeness.Unknown(), completeness(other));
    assertFalse(index().drains().getFirst().isLast());
  }

  @Test
  void whatHasEndedIsCompleteWhateverItsAgentSaid() throws Exception {
    TestStream stream = archive.stream("/var/log/a.log", 1);
    stream.segment(CONTENTS, 0, 600);
    stream.record(
        stream.path,
        600,
        Optional.of(new StreamRecord.End(StreamRecord.EndReason.DELETED, 600, 5)));
    assertEquals(new Completeness.Complete(Optional.empty()), completeness(stream));
    TestStream vanished = archive.stream("/var/log/b.log", 2);
    vanished.segment(CONTENTS, 0, 600);
    vanished.record(
        vanished.path,
        600,
        Optional.of(new StreamRecord.End(StreamRecord.EndReason.VANISHED, 600, 5)));
    assertEquals(new Completeness.Unknown(), completeness(vanished));
    TestStream gap = archive.stream("/var/log/c.log", 3);
    gap.segment(CONTENTS, 0, 600);
    gap.gap(600, 650, "truncated");
    lastDrain("web-1", "");
    assertEquals(new Completeness.Cut(600, 50), completeness(gap));
  }

  @Test
  void noAgentIsBelievedAboutAnother() throws Exception {
    TestStream stream = archive.stream("/var/log/a.log", 1);
    stream.segment(CONTENTS, 0, 600);
    lastDrain("web-2", left(stream, 600, 1000));
    assertEquals(
        new Completeness.Unknown(),
        Completeness.of(
            index().streams().stream()
                .filter(s -> s.agent().equals("web-1"))
                .findFirst()
                .orElseThrow()));
  }

  @Test
  void aRecordThatCannotBeReadIsNotedAndSaysNothing() throws Exception {
    TestStream stream = archive.stream("/var/log/a.log", 1);
    stream.segment(CONTENTS, 0, 600);
    archive.destination.putObject(ArchiveNames.lastDrain("web-1"), new byte[] {'{'});
    assertEquals(new Completeness.Unknown(), completeness(stream));
    assertEquals(1, index().damages().size());
    archive.destination.putObject(
        ArchiveNames.lastDrain("web-1"), new byte[SegmentSource.MAX_RECORD_BYTES + 1]);
    assertEquals(new Completeness.Unknown(), completeness(stream));
    assertTrue(index().damages().getFirst().why().contains("longer than"));
  }
}
