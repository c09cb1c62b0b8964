package dev.tailwater.delivery.sums;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.sums.BlockSums.Sameness;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BlockSumsTest {
  private final byte[] bytes = new byte[3 * BlockSums.BLOCK_BYTES];
  private final BlockSums blocks = new BlockSums();

  BlockSumsTest() {
    new Random(1).nextBytes(bytes);
  }

  private void append(int from, int to) {
    BlockRun run = new BlockRun(from);
    run.add(bytes, from, to - from);
    blocks.append(run);
  }

  private Sameness compare(int block, int toBytes) {
    int from = block * BlockSums.BLOCK_BYTES;
    return blocks.compare(block, BlockRun.sumOf(bytes, from, toBytes - from), toBytes);
  }

  @Test
  void tellsWhichBlocksWereRewritten() {
    append(0, 100);
    append(100, 2 * BlockSums.BLOCK_BYTES + 5);
    bytes[BlockSums.BLOCK_BYTES + 7]++;
    assertEquals(Sameness.SAME, compare(0, BlockSums.BLOCK_BYTES));
    assertEquals(Sameness.DIFFERENT, compare(1, 2 * BlockSums.BLOCK_BYTES));
    assertEquals(Sameness.SAME, compare(2, 2 * BlockSums.BLOCK_BYTES + 5));
  }

  @Test
  void aPartOfABlockThatHasGrownIsStillCompared() {
    append(0, 100);
    append(100, 300);
    assertEquals(Sameness.SAME, compare(0, 100));
    bytes[50]++;
    assertEquals(Sameness.DIFFERENT, compare(0, 100));
  }

  @Test
  void ofAPartWhoseChecksumIsForgottenNobodySaysThatItIsTheSame() {
    append(0, 100);
    append(100, 300);
    blocks.takeUnsaved(300);
    assertEquals(Sameness.OUTGROWN, compare(0, 100));
    assertEquals(Sameness.SAME, compare(0, 300));
  }

  @Test
  void whatAComparisonNeedsIsRememberedUntilItEnds() {
    append(0, 100);
    BlockSums.Comparison comparison = blocks.beginComparison();
    append(100, 300);
    blocks.takeUnsaved(300);
    assertEquals(Sameness.SAME, compare(0, 100));
    comparison.endsAt(100);
    append(300, 400);
    blocks.takeUnsaved(400);
    assertEquals(Sameness.SAME, compare(0, 100));
    assertEquals(Sameness.OUTGROWN, compare(0, 300), "no more than it needs is kept");
    bytes[50]++;
    assertEquals(Sameness.DIFFERENT, compare(0, 100));
    comparison.close();
    blocks.takeUnsaved(400);
    assertEquals(Sameness.OUTGROWN, compare(0, 100));
  }

  @Test
  void whatIsLearntGoesOnWithThePartOfABlockThatIsKnown() {
    append(0, 100);
    BlockRun run = new BlockRun(100);
    run.add(bytes, 100, 200);
    blocks.learn(run);
    assertEquals(Sameness.SAME, compare(0, 300));
    bytes[50]++;
    assertEquals(Sameness.DIFFERENT, compare(0, 300));
  }

  @Test
  void whatIsRevisedCountsFromThenOn() {
    append(0, 100);
    bytes[50]++;
    assertEquals(Sameness.DIFFERENT, compare(0, 100));
    blocks.found(0, 1);
    BlockRun read = new BlockRun(0);
    read.add(bytes, 0, 100);
    blocks.handedOver(read, 0);
    assertEquals(Sameness.SAME, compare(0, 100));
    blocks.revised(read, 2);
    assertEquals(Sameness.SAME, compare(0, 100));
  }

  @Test
  void tellsOfWhichBlocksTheChecksumsAreLost() {
    long end = 2 * BlockSums.BLOCK_BYTES + 100;
    blocks.extendTo(end);
    assertTrue(blocks.hasUnknown(end));
    assertEquals(0, blocks.nextUnknown(0, end));
    blocks.learn(0, 7, BlockSums.BLOCK_BYTES);
    assertEquals(BlockSums.BLOCK_BYTES, blocks.nextUnknown(0, end));
    blocks.learn(1, 7, 2 * BlockSums.BLOCK_BYTES);
    assertEquals(2 * BlockSums.BLOCK_BYTES, blocks.nextUnknown(0, end));
    blocks.learn(2, 7, end);
    assertFalse(blocks.hasUnknown(end));
    assertEquals(end, blocks.nextUnknown(0, end));
    blocks.extendTo(3 * BlockSums.BLOCK_BYTES);
    assertTrue(blocks.hasUnknown(3 * BlockSums.BLOCK_BYTES));
  }

  @Test
  void theLastBlockIsNotLearntWhileItGrows() {
    blocks.extendTo(100);
    assertTrue(blocks.hasUnknown(100));
    append(100, 300);
    assertFalse(blocks.hasUnknown(100), "the first bytes are durable, and more was read");
    assertTrue(blocks.hasUnknown(300));
  }

  @Test
  void nothingIsLearntWhileBlocksWaitToBeDeliveredAgain() {
    blocks.extendTo(2 * BlockSums.BLOCK_BYTES);
    blocks.found(0, 1);
    assertFalse(blocks.hasUnknown(2 * BlockSums.BLOCK_BYTES));
    assertTrue(blocks.isRevisingUnknown());
    blocks.foundSame(0);
    assertFalse(blocks.isRevisingUnknown());
    assertTrue(blocks.hasUnknown(2 * BlockSums.BLOCK_BYTES));
  }

  @Test
  void aBlockThatGrewWhileItWasDeliveredAgainIsOneOfWhichNobodyElseKnows() {
    append(0, 100);
    blocks.found(0, 1);
    assertFalse(blocks.isRevisingUnknown());
    BlockRun read = new BlockRun(0);
    read.add(bytes, 0, 100);
    blocks.handedOver(read, 0);
    append(100, 300);
    blocks.revised(read, 2);
    assertTrue(blocks.isRevisingUnknown());
  }

  @Test
  void whatWaitsIsNotTakenForDeliveredThoughItsChecksumIsUnknown() {
    blocks.extendTo(100);
    assertEquals(Sameness.UNKNOWN, compare(0, 100));
    blocks.found(0, 1);
    assertEquals(Sameness.DIFFERENT, compare(0, 100));
    BlockRun read = new BlockRun(0);
    read.add(bytes, 0, 100);
    blocks.handedOver(read, 0);
    blocks.revised(read, 2);
    assertEquals(Sameness.SAME, compare(0, 100));
  }
}
