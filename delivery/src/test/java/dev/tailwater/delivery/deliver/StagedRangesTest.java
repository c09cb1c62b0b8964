package dev.tailwater.delivery.deliver;

import static dev.tailwater.delivery.sums.BlockSums.BLOCK_BYTES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.sums.BlockSums;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class StagedRangesTest {
  private static final FileIdentity IDENTITY =
      new FileIdentity(1, 2, OptionalLong.empty(), OptionalLong.empty());

  private final StagedRanges staged = new StagedRanges();
  private final StagedRange range =
      new StagedRange(
          StreamProgress.begin(
              "agent",
              IDENTITY,
              StreamId.of("agent", IDENTITY, 0),
              PosixPath.of("/logs/app.log"),
              0),
          new ByteRange(0, 100));

  @Test
  void aRangeThatIsUnderWayTwiceIsStagedUntilBothHaveArrived() {
    staged.add(range, 5);
    staged.add(range, 7);
    assertEquals(100, staged.totalBytes());
    staged.remove(range);
    assertTrue(staged.contains(range));
    assertEquals(List.of(range), staged.all());
    assertEquals(100, staged.totalBytes());
    staged.remove(range);
    assertFalse(staged.contains(range));
    assertEquals(0, staged.totalBytes());
  }

  /** A file that grows may have a segment given up each second, until the agent is restarted. */
  @Test
  void rangesThatAreGivenUpForGoodAreOneWhereTheyAreNeighbours() {
    StagedRange next = new StagedRange(range.stream(), new ByteRange(100, 130));
    StagedRange apart = new StagedRange(range.stream(), new ByteRange(140, 150));
    staged.add(range, 5);
    staged.add(next, 6);
    staged.add(apart, 7);
    staged.givenUpUntilRestart(next);
    staged.givenUpUntilRestart(apart);
    staged.givenUpUntilRestart(range);
    assertEquals(
        List.of(new StagedRange(range.stream(), new ByteRange(0, 130)), apart), staged.all());
    assertEquals(140, staged.totalBytes());
    assertTrue(staged.contains(next));
    assertFalse(staged.contains(new StagedRange(range.stream(), new ByteRange(130, 140))));
    assertEquals(OptionalLong.of(5), staged.oldestNanos(9));
  }

  @Test
  void aRangeThatWasGivenUpIsStagedUntilItArrivesAfterAll() {
    range.stream().blocks().found(0, 5);
    staged.add(range, 5);
    staged.givenUp(range);
    assertEquals(List.of(range), staged.all());
    staged.add(range, 5);
    assertEquals(100, staged.totalBytes());
    range.stream().blocks().foundSame(0);
    staged.remove(range);
    assertEquals(List.of(), staged.all());
    assertEquals(0, staged.totalBytes());
  }

  /** Each has arrived, or the file has again what was delivered before. */
  @Test
  void aRangeThatWasGivenUpMayArriveInOthers() {
    BlockSums blocks = range.stream().blocks();
    StagedRange both = new StagedRange(range.stream(), new ByteRange(0, 2 * BLOCK_BYTES));
    blocks.found(0, 5);
    blocks.found(1, 5);
    staged.add(both, 5);
    staged.givenUp(both);
    StagedRange first = new StagedRange(range.stream(), new ByteRange(0, BLOCK_BYTES));
    staged.add(first, 5);
    blocks.foundSame(0);
    staged.remove(first);
    assertEquals(List.of(both), staged.all());
    assertEquals(2 * BLOCK_BYTES, staged.totalBytes());
    assertTrue(staged.contains(both));
    blocks.foundSame(1);
    assertEquals(List.of(), staged.all());
    assertFalse(staged.contains(both));
    assertEquals(0, staged.totalBytes());
    assertTrue(staged.oldestNanos(7).isEmpty());
  }
}
