package dev.tailwater.delivery.sums;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.delivery.sums.BlockSums.Sameness;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Holes take no memory and no room in the state directory, whatever their size. */
final class SparseSumsTest {
  private static final long REMEMBERED_BYTES = (long) BlockSums.MOST_BLOCKS * BlockSums.BLOCK_BYTES;
  private static final int LAST = BlockSums.MOST_BLOCKS - 1;
  private static final long FEW_BYTES = 64 * 1024;
  private static final long SAVED_BYTES = 128 * 1024;

  private static BlockSums hole(long lengthBytes) {
    BlockRun run = new BlockRun(0);
    run.addZeros(lengthBytes);
    BlockSums blocks = new BlockSums();
    blocks.append(run);
    return blocks;
  }

  private static long allocatedBytes() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }

  private static long savedBytes(Map<Integer, byte[]> chunks) {
    return chunks.values().stream().mapToLong(chunk -> chunk.length).sum();
  }

  @Test
  void aHoleTakesNearlyNoMemory() {
    var _ = hole(1); // What loading the classes takes is another matter.
    long before = allocatedBytes();
    BlockSums blocks = hole(REMEMBERED_BYTES);
    assertTrue(allocatedBytes() - before < FEW_BYTES);
    assertEquals(Sameness.SAME, blocks.compare(LAST, BlockRun.ZERO_BLOCK, REMEMBERED_BYTES));
    assertEquals(Sameness.DIFFERENT, blocks.compare(LAST, 7, REMEMBERED_BYTES));
    assertFalse(blocks.hasUnknown(REMEMBERED_BYTES));
  }

  @Test
  void aHoleThatIsLearntTakesNoMoreThanOneThatWasRead() {
    BlockSums blocks = new BlockSums();
    blocks.extendTo(REMEMBERED_BYTES);
    for (int block = 0; block <= LAST; block++) {
      blocks.learn(block, BlockRun.ZERO_BLOCK, (block + 1L) * BlockSums.BLOCK_BYTES);
    }
    assertFalse(blocks.hasUnknown(REMEMBERED_BYTES));
    assertTrue(savedBytes(blocks.takeUnsaved(REMEMBERED_BYTES)) < SAVED_BYTES);
  }

  @Test
  void whatIsDoubtedOfAHoleTakesNearlyNoMemory() {
    BlockSums blocks = hole(REMEMBERED_BYTES);
    long before = allocatedBytes();
    blocks.outdated(REMEMBERED_BYTES);
    blocks.doubt(new ByteRange(0, REMEMBERED_BYTES));
    assertTrue(allocatedBytes() - before < FEW_BYTES);
    assertEquals(Sameness.DIFFERENT, blocks.compare(5, BlockRun.ZERO_BLOCK, 1L << 20));
  }

  @Test
  void aHoleIsSavedInFewBytesAndRestored() {
    Map<Integer, byte[]> saved = hole(REMEMBERED_BYTES).takeUnsaved(REMEMBERED_BYTES);
    assertTrue(savedBytes(saved) < SAVED_BYTES);
    BlockSums restored = new BlockSums();
    restored.restore(saved, REMEMBERED_BYTES);
    assertFalse(restored.hasUnknown(REMEMBERED_BYTES));
    assertEquals(Sameness.SAME, restored.compare(LAST, BlockRun.ZERO_BLOCK, REMEMBERED_BYTES));
  }

  @Test
  void theLargestHoleIsTakenInAtOnce() {
    assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () -> {
          BlockSums blocks = hole(Long.MAX_VALUE);
          assertEquals(Long.MAX_VALUE, blocks.endBytes());
          assertFalse(blocks.hasUnknown(Long.MAX_VALUE));
          assertTrue(savedBytes(blocks.takeUnsaved(Long.MAX_VALUE)) < SAVED_BYTES);
        });
  }

  @Test
  void ofTheLargestFileItIsKnownThatNothingIsKnown() {
    BlockSums blocks = new BlockSums();
    blocks.extendTo(Long.MAX_VALUE);
    assertTrue(blocks.hasUnknown(Long.MAX_VALUE));
  }

  @Test
  void bytesAmongHolesAreComparedAsIfTheHolesHadBeenRead() {
    Random random = new Random(1);
    BlockSums sparse = new BlockSums();
    List<Long> expected = new ArrayList<>();
    byte[] bytes = new byte[BlockSums.BLOCK_BYTES];
    BlockRun run = new BlockRun(0);
    for (int part = 0; part < 200; part++) {
      if (random.nextBoolean()) {
        random.nextBytes(bytes);
        run.add(bytes, 0, bytes.length);
        expected.add(BlockRun.sumOf(bytes, 0, bytes.length));
      } else {
        int zeros = random.nextInt(300);
        run.addZeros((long) zeros * BlockSums.BLOCK_BYTES);
        for (int i = 0; i < zeros; i++) {
          expected.add(BlockRun.ZERO_BLOCK);
        }
      }
      if (random.nextInt(3) == 0) {
        sparse.append(run);
        run = new BlockRun((long) expected.size() * BlockSums.BLOCK_BYTES);
      }
    }
    sparse.append(run);
    long endBytes = (long) expected.size() * BlockSums.BLOCK_BYTES;
    BlockSums restored = new BlockSums();
    restored.restore(sparse.takeUnsaved(endBytes), endBytes);
    for (int block = 0; block < expected.size(); block++) {
      long toBytes = (block + 1L) * BlockSums.BLOCK_BYTES;
      for (BlockSums blocks : List.of(sparse, restored)) {
        assertEquals(Sameness.SAME, blocks.compare(block, expected.get(block), toBytes));
        assertEquals(Sameness.DIFFERENT, blocks.compare(block, expected.get(block) + 1, toBytes));
      }
    }
  }
}
