package dev.tailwater.cli.ship;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.ship.HeapTrimmer.Heap;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HeapTrimmerTest {
  private static final long MEBIBYTE = 1 << 20;

  private final TestHeap heap = new TestHeap();
  private final HeapTrimmer trimmer = new HeapTrimmer(heap);

  private static final class TestHeap implements Heap {
    private long aliveBytes;
    private long usedBytes;
    private int collections;

    @Override
    public long usedBytes() {
      return usedBytes;
    }

    @Override
    public void collect() {
      usedBytes = aliveBytes;
      collections++;
    }
  }

  @Test
  void leavesSmallHeapAlone() {
    heap.usedBytes = HeapTrimmer.LEAST_BYTES - 1;

    trimmer.collected();

    assertEquals(0, heap.collections);
  }

  @Test
  void doesNotCollectAgainWhatIsAlive() {
    heap.aliveBytes = 4 * HeapTrimmer.LEAST_BYTES;
    heap.usedBytes = heap.aliveBytes;

    for (int i = 0; i < 100; i++) {
      trimmer.collected();
    }

    assertEquals(1, heap.collections);
  }

  @Test
  void letsTheHeapGrowByHalfInAHurry() {
    heap.aliveBytes = 2 * HeapTrimmer.LEAST_BYTES;
    heap.usedBytes = heap.aliveBytes;
    trimmer.collected();
    trimmer.hurry();

    heap.usedBytes = 3 * HeapTrimmer.LEAST_BYTES - 1;
    trimmer.collected();
    trimmer.quiet();
    assertEquals(1, heap.collections);

    heap.usedBytes += 1;
    trimmer.collected();
    assertEquals(2, heap.collections);
  }

  @Test
  void leavesTwiceAsMuchAloneInAHurry() {
    heap.usedBytes = 2 * HeapTrimmer.LEAST_BYTES - 1;
    trimmer.hurry();

    trimmer.collected();

    assertEquals(0, heap.collections);
  }

  @Test
  void collectsOnceMoreWhenItIsQuiet() {
    heap.usedBytes = HeapTrimmer.LEAST_BYTES - 1;
    heap.aliveBytes = HeapTrimmer.LEAST_BYTES / 2;

    trimmer.quiet();

    assertEquals(1, heap.collections);
    assertEquals(heap.aliveBytes, heap.usedBytes);
  }

  @Test
  void collectsWhenItIsQuietOnlyIfThatFreesSomething() {
    heap.aliveBytes = HeapTrimmer.LEAST_BYTES / 2;
    heap.usedBytes = heap.aliveBytes;
    trimmer.quiet();

    heap.usedBytes += HeapTrimmer.LEAST_FREED_BYTES - 1;
    trimmer.quiet();
    assertEquals(1, heap.collections);

    heap.usedBytes += 1;
    trimmer.quiet();
    assertEquals(2, heap.collections);
  }

  @Test
  void measuresGrowthFromWhatWasAliveWhenItWasQuiet() {
    heap.usedBytes = 4 * HeapTrimmer.LEAST_BYTES;
    heap.aliveBytes = 3 * HeapTrimmer.LEAST_BYTES;
    trimmer.quiet();

    heap.usedBytes = 4 * HeapTrimmer.LEAST_BYTES - 1;
    trimmer.collected();
    assertEquals(1, heap.collections);

    heap.usedBytes = 4 * HeapTrimmer.LEAST_BYTES;
    trimmer.collected();
    assertEquals(2, heap.collections);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void keepsHeapWithinAThirdMoreThanWhatWasAlive(long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    long boundBytes = HeapTrimmer.LEAST_BYTES;
    long promotedBytes = 0;
    for (int i = 0; i < 10_000; i++) {
      long moreBytes = random.nextLong(2 * MEBIBYTE);
      heap.usedBytes += moreBytes;
      promotedBytes += moreBytes;
      heap.aliveBytes = random.nextLong(heap.usedBytes);
      int before = heap.collections;

      trimmer.collected();

      if (heap.collections > before) {
        boundBytes = Math.max(HeapTrimmer.LEAST_BYTES, heap.aliveBytes + heap.aliveBytes / 3);
      }
      assertTrue(heap.usedBytes < boundBytes, heap.usedBytes + " of " + boundBytes);
    }
    assertTrue(heap.collections > 0);
    // Each one is paid for by a third of what was alive, or by what is left alone.
    assertTrue(heap.collections * HeapTrimmer.LEAST_BYTES / 4 < promotedBytes);
  }

  @Test
  @Timeout(60)
  void looksAfterEachCollectionOfThisProcess() throws InterruptedException {
    AtomicInteger looks = new AtomicInteger();
    Thread thread =
        Thread.ofPlatform()
            .start(
                new HeapTrimmer(
                    new Heap() {
                      @Override
                      public long usedBytes() {
                        looks.incrementAndGet();
                        return 0;
                      }

                      @Override
                      public void collect() {
                        throw new AssertionError("nothing is in use");
                      }
                    }));
    try {
      while (looks.get() < 3) {
        System.gc();
        Thread.sleep(1);
      }
    } finally {
      thread.interrupt();
      thread.join();
    }
  }
}
