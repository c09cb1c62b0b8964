package dev.tailwater.lab.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

final class PageFaultsTest {
  private static final int PAGES = 8_192;
  private static final int PAGE_BYTES = 4_096;

  @Test
  void readsTheFieldsBehindANameWithSpacesAndParentheses() {
    assertEquals(
        new PageFaults(114, 3),
        PageFaults.parse("77 (a) b (c) R 1 77 77 0 -1 4194304 114 5 3 6 0 0 0 0 20 0 1 0 9 0\n"));
  }

  @Test
  void countsPagesThatThisThreadTouchesFirst() throws Exception {
    try (Arena arena = Arena.ofConfined()) {
      PageFaults before = PageFaults.ofThisThread();
      MemorySegment memory = arena.allocate((long) PAGES * PAGE_BYTES);
      for (long page = 0; page < PAGES; page++) {
        memory.set(ValueLayout.JAVA_BYTE, page * PAGE_BYTES, (byte) 1);
      }
      // At least one for each huge page, where the kernel gives those.
      assertTrue(PageFaults.ofThisThread().all() - before.all() >= PAGES / 512);
    }
  }
}
