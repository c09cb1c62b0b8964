package dev.tailwater.delivery.tail;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.sums.BlockRun;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReadContentTest {
  private static final long LONG = InPlaceChange.SETTLES_AFTER_NANOS;
  private static final FileIdentity FILE =
      new FileIdentity(0x801, 77, OptionalLong.of(5), OptionalLong.of(1_700_000_000L));

  private final StreamProgress stream = stream(0);
  private final ReadPosition read = new ReadPosition(stream, true, true);
  private final ReadContent content = new ReadContent(read, true);
  private final ReadContent reported = new ReadContent(read, false);

  private static StreamProgress stream(int epoch) {
    StreamId id = StreamId.of("agent", FILE, epoch);
    return StreamProgress.begin("agent", FILE, id, PosixPath.of("/app.log"), 0);
  }

  private static FileStatus status(long modificationTimeNanos) {
    return new FileStatus(
        0x801,
        77,
        EntryType.REGULAR,
        0644,
        0,
        0,
        1,
        1000,
        4096,
        4096,
        modificationTimeNanos,
        modificationTimeNanos,
        OptionalLong.empty(),
        0);
  }

  private void grown(ReadContent of, long timeNanos) {
    assertTrue(of.look(status(timeNanos), true, true, timeNanos));
  }

  /** Reads far more than a marker covers. */
  private void readAll() {
    byte[] bytes = new byte[1000];
    BlockRun run = new BlockRun(0);
    run.add(bytes, 0, bytes.length);
    content.readingBegins();
    read.advance(1000, Marker.of(bytes, 1000), run);
  }

  @Test
  void whatWasReadIsComparedOnceMoreAfterEachChange() {
    grown(content, 1);
    readAll();
    assertFalse(content.isCompared());
    content.compared(content.changes(), false);
    assertTrue(content.isCompared());
    assertFalse(stream.isUncompared());
    grown(content, 2);
    assertFalse(content.isCompared());
    assertTrue(stream.isUncompared(), "the next start knows it");
  }

  @Test
  void aChangeDuringAComparisonNeedsAnother() {
    grown(content, 1);
    readAll();
    long atBegin = content.changes();
    grown(content, 2);
    content.compared(atBegin, false);
    assertFalse(content.isCompared());
    assertFalse(content.awaitsComparison(atBegin));
    assertTrue(content.awaitsComparison(content.changes()));
  }

  @Test
  void aComparisonThatFailedIsNotWaitedForUntilTheNextChange() {
    grown(content, 1);
    readAll();
    assertFalse(content.comparisonFailed(content.changes()), "it was not compared before");
    assertFalse(content.awaitsComparison(content.changes()));
    assertFalse(content.isCompared());
    grown(content, 2);
    assertTrue(content.awaitsComparison(content.changes()));
  }

  @Test
  void whereNothingWasReadNothingIsCompared() {
    grown(content, 1);
    assertTrue(content.isCompared());
    assertFalse(content.awaitsComparison(content.changes()));
  }

  @Test
  void whereNothingIsComparedAChangeInPlaceIsReported() {
    grown(reported, 1);
    readAll();
    assertTrue(reported.look(status(2), false, true, 0));
    assertTrue(reported.isSuspectedOfChange());
    assertFalse(reported.isKnownToBeChanged());
    assertFalse(reported.look(status(2), false, true, LONG));
    assertTrue(reported.isKnownToBeChanged());
    assertTrue(stream.isChangedInPlace());
    assertTrue(reported.isCompared());
    assertFalse(reported.awaitsComparison(reported.changes()));
  }

  @Test
  void newsOfAChangeIsTakenOnce() {
    assertFalse(content.takeNewsOfChange());
    content.compared(0, true);
    assertTrue(content.takeNewsOfChange());
    assertFalse(content.takeNewsOfChange());
    content.compared(0, false);
    assertTrue(content.takeNewsOfChange(), "it was settled");
  }

  @Test
  void aComparisonSettlesASuspicionIfNoChangeCameAfterItsBeginning() {
    grown(content, 1);
    readAll();
    long beforeChange = content.changes();
    content.look(status(2), false, true, 0);
    content.compared(beforeChange, false);
    assertTrue(content.mayBeChanged());
    assertTrue(stream.isSuspected());
    content.compared(content.changes(), false);
    assertFalse(content.mayBeChanged());
    assertFalse(stream.isSuspected());
  }

  @Test
  void growthExplainsANewTime() {
    grown(content, 1);
    readAll();
    assertFalse(content.mayBeChanged(status(1), false));
    assertFalse(content.mayBeChanged(status(2), true));
    assertTrue(content.mayBeChanged(status(2), false));
  }

  @Test
  void aFileThatIsReadLongAfterItsLastChangeNeedsNoComparison() {
    grown(content, 1);
    content.settleIfReadLater(status(1), 1_000);
    assertTrue(stream.isUncompared(), "it may be written to within the same step of its time");
    content.settleIfReadLater(status(1), 2_000);
    assertFalse(stream.isUncompared());
    readAll();
    assertTrue(content.isCompared());
  }

  @Test
  void onceReadingHasBegunNoTimeThatPassesTellsThatNothingChanged() {
    grown(content, 1);
    content.readingBegins();
    content.settleIfReadLater(status(1), 2_000);
    readAll();
    assertFalse(content.isCompared());
  }

  @Test
  void whatAnotherDestinationsWorkerHasReadMayHaveChangedSince() {
    content.wasReadElsewhere();
    readAll();
    assertFalse(content.isCompared());
    long changes = content.changes();
    content.wasReadElsewhere();
    assertEquals(changes, content.changes(), "only the first time");
  }

  @Test
  void theNextStreamIsComparedThoughNothingWasSeenToChangeIt() {
    content.compared(content.changes(), true);
    StreamProgress next = stream(1);
    read.beginStream(next, true);
    content.beginStream(status(3));
    assertFalse(content.isKnownToBeChanged());
    assertTrue(content.wasSeenWith(status(3)));
    assertFalse(content.takeNewsOfChange());
    readAll();
    assertFalse(content.isCompared());
  }

  @Test
  void aStreamOfAnEarlierRunIsSuspectedAndUncomparedAsThatLeftIt() {
    stream.acknowledge(new ByteRange(0, 1000), Marker.NONE);
    stream.uncompared(true);
    stream.suspected(true);
    ReadContent resumed = new ReadContent(new ReadPosition(stream, false, true), true);
    assertFalse(resumed.isCompared());
    assertTrue(resumed.mayBeChanged());
  }

  @Test
  void checksumsThatAreLostAreLearntOnceThePositionIsCertain() {
    stream.acknowledge(new ByteRange(0, 1000), Marker.NONE);
    ReadPosition known = new ReadPosition(stream, false, true);
    ReadContent resumed = new ReadContent(known, true);
    assertFalse(resumed.hasUnknown());
    known.resumeAt(1000, Marker.NONE);
    assertTrue(resumed.hasUnknown());
    assertFalse(resumed.isFullyCompared());
    BlockRun run = new BlockRun(0);
    run.add(new byte[1000], 0, 1000);
    stream.blocks().learn(run);
    assertTrue(resumed.isFullyCompared());
  }

  @Test
  void whereNothingWasDeliveredNothingWasReplaced() {
    stream.suspected(true);
    ReadContent resumed = new ReadContent(read, true);
    assertTrue(resumed.mayBeChanged());
    resumed.resumed();
    assertFalse(resumed.mayBeChanged());
    assertFalse(stream.isSuspected());
  }

  /** Of a time that a later write may leave as it is, nobody may say that the file is compared. */
  @Test
  void onlyATimeThatIsOverVouchesForWhatIsComparedOnceMore() {
    for (long fractionNanos : List.of(0L, 1L)) {
      long timeNanos = TimeUnit.SECONDS.toNanos(1_795_000_000L) + fractionNanos;
      long nowMillis = TimeUnit.NANOSECONDS.toMillis(timeNanos);
      var _ = content.mayRepeatTime(status(timeNanos), nowMillis, 0);
      content.compared(content.changes(), false);
      content.comparedBeforeWriteBack();
      assertTrue(stream.isUncompared());
      assertEquals(fractionNanos != 0, stream.checkpoint().rewriting().onceMore());
    }
  }
}
