package dev.tailwater.delivery.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.sums.BlockRun;
import dev.tailwater.delivery.sums.BlockSums;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.PosixPath;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RewritesTest {
  private static final int LENGTH_BYTES = 1_000;

  private final BlockSums blocks = new BlockSums();
  private final Rewrites rewrites = new Rewrites(blocks);

  /** Returns what the next run knows, which has learnt the checksums of a file of zeros. */
  private Rewrites resumed(BlockSums blocksOfNext) {
    FileIdentity file =
        new FileIdentity(0x801, 77, OptionalLong.of(5), OptionalLong.of(1_700_000_000L));
    PosixPath path = PosixPath.of("/app.log");
    Checkpoint saved =
        new Checkpoint(
            file,
            new StreamOrigin(StreamId.of("agent", file, 0), path, "agent/x"),
            new Checkpoint.LastSeen(path, 0600, 7, 1_000, Optional.empty(), OptionalLong.empty()),
            new Checkpoint.Recorded(path, false),
            new Checkpoint.DurablePrefix(LENGTH_BYTES, Marker.NONE),
            Optional.empty(),
            rewrites.isChangedInPlace(),
            rewrites.rewriting(),
            Checkpoint.Undelivered.NOTHING);
    Rewrites next = new Rewrites(blocksOfNext, saved);
    BlockRun run = new BlockRun(0);
    run.add(new byte[LENGTH_BYTES], 0, LENGTH_BYTES);
    blocksOfNext.learn(run);
    assertEquals(BlockSums.Sameness.SAME, compareZeros(blocksOfNext));
    return next;
  }

  private static BlockSums.Sameness compareZeros(BlockSums blocks) {
    long sum = BlockRun.sumOf(new byte[LENGTH_BYTES], 0, LENGTH_BYTES);
    return blocks.compare(0, sum, LENGTH_BYTES);
  }

  private static RangeSet ranges(ByteRange... ranges) {
    RangeSet set = new RangeSet();
    List.of(ranges).forEach(set::add);
    return set;
  }

  @Test
  void everyRevisionIsHigherThanAllBefore() {
    assertEquals(1_000, rewrites.nextRevision(1_000));
    assertEquals(1_001, rewrites.nextRevision(1_000));
    rewrites.holdsRevisions(5_000, ranges(), ranges());
    assertEquals(5_001, rewrites.nextRevision(2_000));
  }

  @Test
  void theNextRunKnowsTheLastRevision() {
    var _ = rewrites.nextRevision(1_000);
    assertEquals(1_001, resumed(new BlockSums()).nextRevision(500));
  }

  @Test
  void whatWasReplacedAfterTheCheckpointIsNotKnownToBeTheSame() {
    BlockSums next = new BlockSums();
    resumed(next).holdsRevisions(1, ranges(new ByteRange(0, 10)), ranges());
    assertEquals(BlockSums.Sameness.DIFFERENT, compareZeros(next));
  }

  @Test
  void whatTheHighestRevisionReplacedIsDoubtfulOnlyIfTheCheckpointMayPrecedeIt() {
    var _ = rewrites.nextRevision(1_000);
    RangeSet replaced = ranges(new ByteRange(0, 10));
    BlockSums compared = new BlockSums();
    resumed(compared).holdsRevisions(1_000, replaced, replaced);
    assertEquals(BlockSums.Sameness.SAME, compareZeros(compared));
    rewrites.uncompared(true);
    BlockSums uncompared = new BlockSums();
    resumed(uncompared).holdsRevisions(1_000, replaced, replaced);
    assertEquals(BlockSums.Sameness.DIFFERENT, compareZeros(uncompared));
  }

  @Test
  void aFileMayBeWrittenToSinceItWasSavedIfItsTimeIsAnotherOrNotKnown() {
    assertTrue(rewrites.isWrittenSinceSaved(7));
    Rewrites resumed = resumed(new BlockSums());
    assertFalse(resumed.isWrittenSinceSaved(7));
    assertTrue(resumed.isWrittenSinceSaved(8));
  }

  @Test
  void theNextRunComparesWhatWaitsToBeDeliveredAgain() {
    int before = rewrites.hashOfCheckpoint();
    blocks.found(0, 0);
    assertTrue(rewrites.rewriting().uncompared());
    assertTrue(rewrites.rewriting().suspected(), "no checksum tells the next run what differs");
    assertFalse(rewrites.isUncompared());
    assertNotEquals(before, rewrites.hashOfCheckpoint());
  }

  @Test
  void theNextRunSuspectsWhatWasNotComparedWithTheArchive() {
    rewrites.archiveStates(new ArchivedContent(List.of(), List.of(), OptionalLong.empty()));
    assertTrue(rewrites.rewriting().uncompared());
    assertTrue(rewrites.rewriting().suspected());
    rewrites.comparedWithArchive();
    rewrites.uncompared(false);
    assertEquals(Checkpoint.Rewriting.NONE, rewrites.rewriting());
  }

  @Test
  void aChangeInPlaceIsNewsOnce() {
    assertFalse(rewrites.changedInPlace(false));
    assertTrue(rewrites.changedInPlace(true));
    assertFalse(rewrites.changedInPlace(true));
    assertTrue(resumed(new BlockSums()).isChangedInPlace());
  }
}
