package dev.tailwater.delivery.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class GatherLedgerTest {
  private static final int MERGE_TO = 1600;
  private static final int RANGE = 100;
  private static final byte[] FILE = new byte[10_000];

  static {
    new Random(1).nextBytes(FILE);
  }

  private final GatherLedger ledger = new GatherLedger(() -> MERGE_TO, 10);
  private final StreamProgress log = stream(1);

  private static StreamProgress stream(long inode) {
    FileIdentity identity = new FileIdentity(5, inode, OptionalLong.of(1), OptionalLong.of(2));
    return StreamProgress.begin(
        "a", identity, StreamId.of("a", identity, 0), PosixPath.of("/f" + inode), 0);
  }

  private static int crc(ByteRange range) {
    CRC32C crc = new CRC32C();
    crc.update(FILE, (int) range.startBytes(), (int) range.lengthBytes());
    return (int) crc.getValue();
  }

  /** Adds ranges one after the other; returns whether a segment was due at the last. */
  private boolean grow(StreamProgress stream, int from, int to) {
    boolean isDue = false;
    for (int at = from; at < to; at += RANGE) {
      ByteRange range = new ByteRange(at, at + RANGE);
      isDue = ledger.add(stream, range, crc(range));
    }
    return isDue;
  }

  private ByteRange planned() {
    MergePlan plan = ledger.next().orElseThrow();
    assertTrue(plan.isGathered());
    assertEquals(crc(plan.range()), plan.rawCrc32c());
    return plan.range();
  }

  @Test
  void aStreamThatHasGatheredALongSegmentGetsOne() {
    assertFalse(grow(log, 0, MERGE_TO - RANGE));
    assertEquals(Optional.empty(), ledger.next());
    assertTrue(grow(log, MERGE_TO - RANGE, MERGE_TO));
    assertEquals(new ByteRange(0, MERGE_TO), planned());
    ledger.merged(ledger.next().orElseThrow());
    assertEquals(Optional.empty(), ledger.next());
    assertEquals(0, ledger.count());
  }

  @Test
  void whatComesWhileTheSegmentIsMadeIsTheBeginningOfTheNextOne() {
    grow(log, 0, MERGE_TO);
    MergePlan first = ledger.next().orElseThrow();
    grow(log, MERGE_TO, MERGE_TO + 300);
    ledger.merged(first);
    assertEquals(Optional.empty(), ledger.next());
    grow(log, MERGE_TO + 300, 2 * MERGE_TO);
    assertEquals(new ByteRange(MERGE_TO, 2 * MERGE_TO), planned());
  }

  @Test
  void aGapOrAReplacedRangeBeginsAnew() {
    grow(log, 0, 1000);
    grow(log, 1100, 1100 + MERGE_TO);
    assertEquals(new ByteRange(1100, 1100 + MERGE_TO), planned());
    ledger.drop(log);
    assertEquals(Optional.empty(), ledger.next());
    assertFalse(grow(log, 5000, 5000 + MERGE_TO - RANGE));
  }

  @Test
  void aPlanOfAStreamThatBeganAnewMeanwhileTakesNothingFromIt() {
    grow(log, 0, MERGE_TO);
    MergePlan plan = ledger.next().orElseThrow();
    grow(log, 5000, 5000 + MERGE_TO - RANGE);
    ledger.merged(plan);
    grow(log, 5000 + MERGE_TO - RANGE, 5000 + MERGE_TO);
    assertEquals(new ByteRange(5000, 5000 + MERGE_TO), planned());
  }

  @Test
  void bytesThatCannotBeReadAgainStayAndAreNotTriedAgain() {
    grow(log, 0, MERGE_TO);
    ledger.leave(ledger.next().orElseThrow());
    assertEquals(Optional.empty(), ledger.next());
  }

  @Test
  void aStreamThatEndedGetsASegmentIfThatSavesReadersRequests() {
    grow(log, 0, 1500); // In 15 packs.
    assertFalse(ledger.end(log));
    assertEquals(0, ledger.count());
    for (int i = 0; i < GatherLedger.WORTH_IT_PACKS; i++) {
      ByteRange range = new ByteRange(i * 10L, i * 10L + 10);
      ledger.add(log, range, crc(range));
    }
    assertTrue(ledger.end(log));
    assertEquals(new ByteRange(0, 160), planned());
  }

  @Test
  void onePackIsAsGoodAsASegment() {
    ByteRange all = new ByteRange(0, 2 * MERGE_TO);
    assertFalse(ledger.add(log, all, crc(all)));
  }

  @Test
  void noSegmentIsLongerThanMergingMakesHoweverLongItWaits() {
    grow(log, 0, 3 * MERGE_TO + 500);
    assertEquals(new ByteRange(0, MERGE_TO), planned());
    ledger.merged(ledger.next().orElseThrow());
    assertEquals(Optional.empty(), ledger.next()); // Two were left, and the last has begun.
    grow(log, 3 * MERGE_TO + 500, 4 * MERGE_TO);
    assertEquals(new ByteRange(3 * MERGE_TO, 4 * MERGE_TO), planned());
  }

  @Test
  void otherStreamsGoFirstAfterAFailure() {
    StreamProgress other = stream(2);
    grow(log, 0, MERGE_TO);
    grow(other, 0, MERGE_TO);
    ledger.postpone(log);
    assertEquals(other, ledger.next().orElseThrow().stream());
  }

  @Test
  void memoryIsBoundedHoweverManyStreamsThereAre() {
    for (int i = 0; i < 1000; i++) {
      grow(stream(i), 0, 300);
    }
    assertEquals(10, ledger.count());
  }

  @Test
  void nothingIsGatheredWhereNothingIsMerged() {
    GatherLedger off = new GatherLedger(() -> 0);
    for (int at = 0; at < 2 * MERGE_TO; at += RANGE) {
      ByteRange range = new ByteRange(at, at + RANGE);
      assertFalse(off.add(log, range, crc(range)));
    }
    assertEquals(0, off.count());
  }
}
