package dev.tailwater.io.buffer;

import static dev.tailwater.io.buffer.Messages.message;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.ErrnoException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BufferPoolTest {
  private static final long MEBIBYTE = 1 << 20;

  private final CountingMemory memory = new CountingMemory();
  private final AtomicLong nanoTime = new AtomicLong();

  private BufferPool pool(long boundBytes) {
    return new BufferPool(memory, BufferPoolOptions.ofBound(boundBytes), nanoTime::get);
  }

  @Test
  void lendsPageAlignedMemoryOfTheSizeThatWasAskedFor() throws InterruptedException {
    try (BufferPool pool = pool(MEBIBYTE);
        PooledBuffer buffer = pool.acquire("reader", 5000)) {
      assertEquals(5000, buffer.sizeBytes());
      assertEquals(5000, buffer.segment().byteSize());
      assertEquals(0, buffer.segment().address() % 4096);
      assertEquals("reader", buffer.holder());
      buffer.segment().set(JAVA_BYTE, 4999, (byte) 1);
      assertEquals(8192, pool.statistics().inUseBytes());
    }
  }

  @Test
  void usesReleasedMemoryAgainWithoutAskingTheKernel() throws InterruptedException {
    try (BufferPool pool = pool(MEBIBYTE)) {
      long address;
      try (PooledBuffer buffer = pool.acquire("first", 8192)) {
        address = buffer.segment().address();
      }
      try (PooledBuffer buffer = pool.acquire("second", 8000)) {
        assertEquals(address, buffer.segment().address());
      }
      assertEquals(1, pool.statistics().mappings());
      assertEquals(1, pool.statistics().reuses());
      assertEquals(8192, pool.statistics().freeBytes());
    }
    assertEquals(0, memory.mappedBytes());
  }

  @Test
  void evictsFreeBuffersOfOtherSizesToMakeRoom() throws InterruptedException {
    try (BufferPool pool = pool(MEBIBYTE)) {
      List<PooledBuffer> small = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        small.add(pool.acquire("small", 65536));
      }
      assertEquals(MEBIBYTE, memory.mappedBytes());
      small.forEach(PooledBuffer::close);
      try (PooledBuffer large = pool.acquire("large", MEBIBYTE / 2)) {
        assertEquals(MEBIBYTE, memory.mappedBytes());
        assertEquals(8, pool.statistics().evictions());
        try (PooledBuffer other = pool.acquire("other", 4096)) {
          assertEquals(4096, other.sizeBytes());
          assertEquals(MEBIBYTE - 65536 + 4096, memory.mappedBytes());
          assertEquals(memory.mappedBytes(), pool.statistics().heldBytes());
        }
        assertEquals(MEBIBYTE / 2, large.sizeBytes());
      }
      assertEquals(MEBIBYTE, memory.peakBytes());
    }
    assertEquals(0, memory.mappedBytes());
  }

  @Test
  void refusesAtOnceWhatTheBoundNeverAllows() {
    try (BufferPool pool = pool(MEBIBYTE)) {
      IllegalArgumentException failure =
          assertThrows(IllegalArgumentException.class, () -> pool.acquire("reader", MEBIBYTE + 1));
      assertTrue(
          message(failure).startsWith("a buffer of 1.0 MiB for 'reader' from a pool of 1 MiB"),
          failure.getMessage());
      assertThrows(IllegalArgumentException.class, () -> pool.tryAcquire("reader", 0));
      assertThrows(IllegalArgumentException.class, () -> pool.acquire("reader", -1, 0));
      assertThrows(IllegalArgumentException.class, () -> pool.acquire("reader", 1, -1));
      assertThrows(IllegalArgumentException.class, () -> pool.acquire("reader", Long.MAX_VALUE, 0));
    }
    assertThrows(IllegalArgumentException.class, () -> pool(4095));
  }

  @Test
  void saysWhoHoldsWhatForHowLongWhenItIsExhausted() throws InterruptedException {
    try (BufferPool pool = pool(64 * MEBIBYTE);
        PooledBuffer first = pool.acquire("sealer-1", 10 * MEBIBYTE);
        PooledBuffer second = pool.acquire("sealer-1", 10 * MEBIBYTE)) {
      nanoTime.addAndGet(TimeUnit.SECONDS.toNanos(12));
      try (PooledBuffer third = pool.acquire("uploader", 40 * MEBIBYTE)) {
        nanoTime.addAndGet(TimeUnit.MILLISECONDS.toNanos(250));
        BufferPoolExhaustedException failure =
            assertThrows(
                BufferPoolExhaustedException.class,
                () -> pool.acquire("sealer-2", 10 * MEBIBYTE, 10));
        assertEquals(
            "no buffer of 10 MiB for 'sealer-2' within 10 ms from a pool of 64 MiB; 60 MiB in use:"
                + " 2 × 10 MiB by 'sealer-1' for 12 s, 1 × 40 MiB by 'uploader' for 250 ms. Hint:"
                + " release sooner, or give the pool a larger bound",
            failure.getMessage());
        assertEquals(Optional.empty(), pool.tryAcquire("sealer-2", 10 * MEBIBYTE));
        assertEquals(2, pool.statistics().refusals());
        assertEquals(3, List.of(first, second, third).size());
      }
    }
  }

  @Test
  void showsWhereTheBuffersOfAnExhaustedPoolWereAcquired() throws InterruptedException {
    try (BufferPool pool = new BufferPool(memory, BufferPoolOptions.checked(8192));
        PooledBuffer buffer = pool.acquire("holder", 8192)) {
      BufferPoolExhaustedException failure =
          assertThrows(BufferPoolExhaustedException.class, () -> pool.acquire("next", 1, 0));
      assertEquals("acquired here by 'holder'", failure.getSuppressed()[0].getMessage());
      assertTrue(
          List.of(failure.getSuppressed()[0].getStackTrace())
              .toString()
              .contains("BufferPoolTest"));
      assertEquals(8192, buffer.sizeBytes());
    }
  }

  @Test
  void aReleaseServesThoseWhoWaitInTheirOrderAndNobodyOvertakes() throws Exception {
    BlockingQueue<String> served = new LinkedBlockingQueue<>();
    try (BufferPool pool = pool(MEBIBYTE)) {
      PooledBuffer half = pool.acquire("first", MEBIBYTE / 2);
      FutureTask<PooledBuffer> big = start(pool, "big", MEBIBYTE, served);
      until(pool, 1);
      FutureTask<PooledBuffer> small = start(pool, "small", 4096, served);
      until(pool, 2);
      assertTrue(pool.tryAcquire("impatient", 4096).isEmpty(), "overtook those who wait");
      half.close();
      big.get();
      assertEquals("big", served.take());
      assertEquals(1, pool.statistics().waiting());
      served.add("released");
      // The buffer belongs to the thread that acquired it, which has shared it.
      big.get().close();
      small.get().close();
      assertEquals("released", served.take());
      assertEquals("small", served.take());
      assertEquals(2, pool.statistics().waits());
    }
    assertEquals(MEBIBYTE, memory.peakBytes());
  }

  @Test
  void whoGivesUpWaitingLetsThoseBehindPass() throws Exception {
    try (BufferPool pool = pool(MEBIBYTE)) {
      PooledBuffer half = pool.acquire("first", MEBIBYTE / 2);
      FutureTask<PooledBuffer> big = new FutureTask<>(() -> pool.acquire("big", MEBIBYTE));
      Thread bigThread = Thread.ofVirtual().start(big);
      until(pool, 1);
      FutureTask<PooledBuffer> small = start(pool, "small", 4096, new LinkedBlockingQueue<>());
      until(pool, 2);
      bigThread.interrupt();
      small.get().close();
      ExecutionException failure = assertThrows(ExecutionException.class, big::get);
      assertInstanceOf(InterruptedException.class, failure.getCause());
      half.close();
    }
  }

  @Test
  void closeFailsThoseWhoWaitAndFreesWhatIsInUseAtItsRelease() throws Exception {
    BufferPool pool = pool(MEBIBYTE);
    PooledBuffer all = pool.acquire("first", MEBIBYTE);
    FutureTask<PooledBuffer> waiting = start(pool, "second", 4096, new LinkedBlockingQueue<>());
    until(pool, 1);
    IllegalStateException failure = assertThrows(IllegalStateException.class, pool::close);
    assertTrue(message(failure).contains("1 × 1 MiB by 'first'"), failure.getMessage());
    ExecutionException refused = assertThrows(ExecutionException.class, waiting::get);
    assertInstanceOf(IllegalStateException.class, refused.getCause());
    assertTrue(message(refused.getCause()).contains("closed"), refused.toString());
    all.segment().set(JAVA_BYTE, 0, (byte) 1);
    assertEquals(MEBIBYTE, memory.mappedBytes());
    all.close();
    assertEquals(0, memory.mappedBytes());
    assertThrows(IllegalStateException.class, () -> pool.acquire("late", 1));
    pool.close();
  }

  @Test
  void saysThatTheKernelHasNoMemoryAndGoesOnAfterwards() throws InterruptedException {
    try (BufferPool pool = pool(MEBIBYTE)) {
      pool.acquire("first", 65536).close();
      memory.refuse(1);
      BufferPoolExhaustedException failure =
          assertThrows(BufferPoolExhaustedException.class, () -> pool.acquire("big", MEBIBYTE));
      assertInstanceOf(ErrnoException.class, failure.getCause());
      assertTrue(
          message(failure).startsWith("the kernel has no 1 MiB for 'big'; nothing in use"),
          failure.getMessage());
      assertEquals(0, pool.statistics().heldBytes());
      pool.acquire("big", MEBIBYTE).close();
    }
    assertFalse(memory.peakBytes() > MEBIBYTE);
  }

  private static FutureTask<PooledBuffer> start(
      BufferPool pool, String holder, long sizeBytes, BlockingQueue<String> served) {
    FutureTask<PooledBuffer> task =
        new FutureTask<>(
            () -> {
              PooledBuffer buffer = pool.acquire(holder, sizeBytes).share();
              served.add(holder);
              return buffer;
            });
    Thread.ofVirtual().start(task);
    return task;
  }

  /** Until so many wait for a buffer. */
  private static void until(BufferPool pool, int waiting) {
    while (pool.statistics().waiting() < waiting) {
      assertFalse(Thread.currentThread().isInterrupted(), "in time"); // by JUnit
      Thread.onSpinWait();
    }
  }
}
