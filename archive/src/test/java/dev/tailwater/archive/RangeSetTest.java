package dev.tailwater.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class RangeSetTest {
  private static final int SPAN = 64;

  @Test
  void agreesWithABitSetWhateverIsAdded() {
    Property.holds(
        500,
        random -> {
          RangeSet set = new RangeSet();
          BitSet bits = new BitSet();
          for (int added = 0; added < 12; added++) {
            int start = random.nextInt(SPAN);
            int end = start + random.nextInt(SPAN - start + 1) / (1 + random.nextInt(4));
            set.add(new ByteRange(start, end));
            bits.set(start, end);
            assertSame(bits, set);
          }
        });
  }

  private static void assertSame(BitSet bits, RangeSet set) {
    assertEquals(runs(bits, true, 0, SPAN), set.ranges());
    assertEquals(bits.cardinality(), set.totalBytes());
    assertEquals(bits.isEmpty(), set.isEmpty());
    for (int from = 0; from <= SPAN; from += 3) {
      int missingFrom = bits.nextClearBit(from);
      int missingTo = bits.nextSetBit(missingFrom);
      assertEquals(missingFrom, set.contiguousEnd(from));
      assertEquals(
          new ByteRange(missingFrom, missingTo < 0 ? Long.MAX_VALUE : missingTo),
          set.nextMissing(from));
      for (int to = from; to <= SPAN; to += 5) {
        ByteRange within = new ByteRange(from, to);
        List<ByteRange> missing = runs(bits, false, from, to);
        assertEquals(missing, set.missing(within));
        assertEquals(missing.isEmpty(), set.contains(within));
      }
    }
  }

  private static List<ByteRange> runs(BitSet bits, boolean wanted, int from, int to) {
    List<ByteRange> runs = new ArrayList<>();
    int start = from;
    while (start < to) {
      if (bits.get(start) != wanted) {
        start++;
        continue;
      }
      int end = start;
      while (end < to && bits.get(end) == wanted) {
        end++;
      }
      runs.add(new ByteRange(start, end));
      start = end;
    }
    return runs;
  }

  @Test
  void holdsTheWholeLengthOfAFile() {
    RangeSet set = new RangeSet();
    ByteRange all = new ByteRange(0, Long.MAX_VALUE);
    assertEquals(List.of(all), set.missing(all));
    set.add(all);
    assertTrue(set.contains(all));
    assertEquals(List.of(), set.missing(all));
    assertTrue(set.nextMissing(0).isEmpty());
    assertFalse(set.isEmpty());
  }
}
