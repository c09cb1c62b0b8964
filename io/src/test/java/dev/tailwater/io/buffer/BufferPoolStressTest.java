package dev.tailwater.io.buffer;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Article 002's program, which ran out of direct memory: here the bound holds and nobody fails. */
@Timeout(120)
class BufferPoolStressTest {
  private static final long MEBIBYTE = 1 << 20;
  private static final long BOUND_BYTES = 64 * MEBIBYTE;

  private final CountingMemory memory = new CountingMemory();

  @Test
  void sixteenThreadsTakeTenMebibytesEachAgainAndAgain() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
      BufferPoolStatistics statistics = stress(threads, 16, 200, _ -> 10 * MEBIBYTE);
      assertTrue(statistics.mappings() <= 6, statistics.toString());
      assertEquals(0, statistics.evictions());
    }
  }

  @Test
  void virtualThreadsTakeBuffersOfAllSizesAndShareSome() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      BufferPoolStatistics statistics =
          stress(threads, 200, 40, random -> 1 + random.nextLong(1L << (8 + random.nextInt(17))));
      assertTrue(statistics.evictions() > 0, statistics.toString());
    }
  }

  private interface Sizes {
    long next(Random random);
  }

  private BufferPoolStatistics stress(ExecutorService threads, int tasks, int rounds, Sizes sizes)
      throws Exception {
    long seed = System.nanoTime();
    BufferPoolStatistics statistics;
    try (BufferPool pool = new BufferPool(memory, BufferPoolOptions.ofBound(BOUND_BYTES))) {
      List<Future<Boolean>> all = new ArrayList<>();
      for (int task = 0; task < tasks; task++) {
        Random random = new Random(seed + task);
        all.add(threads.submit(() -> use(pool, rounds, random, sizes)));
      }
      for (Future<Boolean> one : all) {
        assertTrue(one.get(60, TimeUnit.SECONDS), "seed " + seed);
      }
      statistics = pool.statistics();
      String what = "seed " + seed + ": " + statistics;
      assertEquals(0, statistics.inUseBytes(), what);
      assertEquals(memory.mappedBytes(), statistics.heldBytes(), what);
      assertEquals((long) tasks * rounds, statistics.reuses() + statistics.mappings(), what);
      assertTrue(statistics.peakHeldBytes() <= BOUND_BYTES, what);
      assertTrue(memory.peakBytes() <= BOUND_BYTES, memory.peakBytes() + " mapped, " + what);
    }
    assertEquals(0, memory.mappedBytes());
    return statistics;
  }

  /** Nobody else writes to a buffer meanwhile. */
  private static boolean use(BufferPool pool, int rounds, Random random, Sizes sizes)
      throws InterruptedException {
    for (int round = 0; round < rounds; round++) {
      try (PooledBuffer buffer = pool.acquire("user", sizes.next(random))) {
        if (random.nextInt(4) == 0) {
          buffer.share();
        }
        MemorySegment segment = buffer.segment();
        long mark = random.nextLong();
        long last = (segment.byteSize() - 1) / JAVA_LONG.byteSize() - 1;
        if (last >= 0) {
          segment.set(JAVA_LONG, 0, mark);
          segment.setAtIndex(JAVA_LONG, last, mark);
          Thread.onSpinWait();
          if (segment.get(JAVA_LONG, 0) != mark || segment.getAtIndex(JAVA_LONG, last) != mark) {
            return false;
          }
        }
      }
    }
    return true;
  }
}
