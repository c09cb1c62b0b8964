package dev.tailwater.store.datafile.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A range is in memory if each of its pages is, and it does not go on behind the chunk. */
class MappedChunkTest {
  private static final int PAGE_BYTES = 4096;
  private static final int PAGES = 700;
  private static final int BYTES = PAGES * PAGE_BYTES;

  private final MappedChunk chunk =
      new MappedChunk(Arena.ofAuto().allocate(BYTES, PAGE_BYTES), PAGE_BYTES);

  @Test
  void looksAtEveryPageOfARange() {
    Random random = new Random(1);
    BitSet there = new BitSet();
    for (int round = 0; round < 20_000; round++) {
      int page = random.nextInt(PAGES);
      chunk.markResident(page * PAGE_BYTES, 1);
      there.set(page);
      if (round % 3000 == 0) {
        chunk.forget();
        there.clear();
      }
      int from = random.nextInt(BYTES);
      int length = 1 + random.nextInt(random.nextBoolean() ? 200 : MappedChunk.MAX_READ_BYTES);
      int last = (from + length - 1) / PAGE_BYTES;
      boolean all = there.nextClearBit(from / PAGE_BYTES) > last;
      assertEquals(all, chunk.isResident(from, length), from + ", " + length);
    }
  }

  @Test
  void knowsNothingOfWhatLiesBehindItsEnd() {
    chunk.allResident(PAGES);
    assertTrue(chunk.isResident(BYTES - MappedChunk.MAX_READ_BYTES, MappedChunk.MAX_READ_BYTES));
    assertTrue(chunk.isResident(BYTES - 1, 1));
    for (int length = 2; length <= MappedChunk.MAX_READ_BYTES; length += 997) {
      assertFalse(chunk.isResident(BYTES - 1, length));
    }
    chunk.markResident(BYTES - 10, 10_000);
    assertFalse(chunk.isResident(BYTES - 10, 11));
    assertEquals(PAGES, chunk.residentPages());
  }
}
