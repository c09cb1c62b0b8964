package dev.tailwater.store.datafile.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ZeroFillTest {
  private static final long RESERVED_BYTES = 8 * 1024 * 1024;
  private static final int MAX_BYTES = 512 * 1024;

  private long end = 96;
  private long zeroed = 96;

  private int fills(ZeroFill fill, int groups, long groupBytes) {
    int fills = 0;
    for (int i = 0; i < groups; i++) {
      end += groupBytes;
      long target = fill.next(groupBytes, end, zeroed, RESERVED_BYTES);
      if (target > 0) {
        assertTrue(target > end && target <= RESERVED_BYTES, "up to " + target);
        assertTrue(target - Math.max(end, zeroed) <= MAX_BYTES, "not too much at a time");
        zeroed = target;
        fills++;
      }
    }
    return fills;
  }

  @Test
  void fillsSeldomWhileSmallGroupsAreSynced() {
    ZeroFill fill = new ZeroFill(MAX_BYTES, 32);
    assertEquals(0, fills(fill, 31, 150), "not for a few writes");
    int fills = fills(fill, 10_000, 150);
    assertTrue(fills > 0 && fills <= 10_000 * 150 / (64 * 1024) + 2, fills + " times");
  }

  @Test
  void fillsNothingBehindLongGroupsOrWhenItCannotOrMustNot() {
    assertEquals(0, fills(new ZeroFill(MAX_BYTES, 0), 100, 20_000));
    assertEquals(0, fills(new ZeroFill(0, 0), 100, 100));
    ZeroFill fill = new ZeroFill(MAX_BYTES, 0);
    fill.stop();
    assertEquals(0, fills(fill, 100, 100));
  }

  @Test
  void neverLeavesWhatIsReserved() {
    ZeroFill fill = new ZeroFill(MAX_BYTES, 0);
    assertEquals(1000, fill.next(100, 900, 96, 1000));
    assertEquals(0, fill.next(100, 1000, 1000, 1000));
  }
}
