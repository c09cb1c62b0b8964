package dev.tailwater.io.buffer;

import static dev.tailwater.io.buffer.Messages.message;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PooledBufferTest {
  private static final int SIZE_BYTES = 8192;

  private final CountingMemory memory = new CountingMemory();

  private BufferPool pool(boolean checked) {
    return new BufferPool(
        memory,
        checked
            ? BufferPoolOptions.checked(10 * SIZE_BYTES)
            : BufferPoolOptions.ofBound(10 * SIZE_BYTES));
  }

  @Test
  void whateverWasMadeOfItFailsAfterItsRelease() throws InterruptedException {
    try (BufferPool pool = pool(false)) {
      PooledBuffer buffer = pool.acquire("reader", SIZE_BYTES);
      MemorySegment segment = buffer.segment();
      MemorySegment slice = segment.asSlice(100, 10);
      ByteBuffer bytes = segment.asByteBuffer();
      buffer.close();
      assertThrows(IllegalStateException.class, () -> segment.get(JAVA_BYTE, 0));
      assertThrows(IllegalStateException.class, () -> slice.set(JAVA_BYTE, 0, (byte) 1));
      assertThrows(IllegalStateException.class, () -> bytes.get(0));
      IllegalStateException failure = assertThrows(IllegalStateException.class, buffer::segment);
      assertEquals("buffer of 8 KiB held by 'reader': use after release", failure.getMessage());
      try (PooledBuffer next = pool.acquire("next", SIZE_BYTES)) {
        assertEquals(segment.address(), next.segment().address());
        assertThrows(IllegalStateException.class, () -> segment.get(JAVA_BYTE, 0));
      }
    }
  }

  @Test
  void aSecondReleaseSaysWhereItWasAcquiredAndReleased() throws InterruptedException {
    try (BufferPool pool = pool(true)) {
      PooledBuffer buffer = pool.acquire("reader", SIZE_BYTES);
      buffer.close();
      IllegalStateException failure = assertThrows(IllegalStateException.class, buffer::close);
      assertEquals("buffer of 8 KiB held by 'reader' is released twice", failure.getMessage());
      assertEquals("acquired here by 'reader'", message(failure.getCause()));
      assertEquals("released here", failure.getSuppressed()[0].getMessage());
      assertEquals(0, pool.statistics().inUseBytes());
    }
  }

  @Test
  void ofManyThreadsThatReleaseItAtOnceExactlyOneDoes() throws Exception {
    try (BufferPool pool = pool(false)) {
      for (int round = 0; round < 200; round++) {
        PooledBuffer buffer = pool.acquire("reader", SIZE_BYTES).share();
        AtomicInteger refused = new AtomicInteger();
        CountDownLatch go = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          threads.add(
              Thread.ofVirtual()
                  .start(
                      () -> {
                        try {
                          go.await();
                          buffer.close();
                        } catch (IllegalStateException e) {
                          refused.incrementAndGet();
                        } catch (InterruptedException e) {
                          throw new AssertionError(e);
                        }
                      }));
        }
        go.countDown();
        for (Thread thread : threads) {
          thread.join();
        }
        assertEquals(3, refused.get());
        assertEquals(SIZE_BYTES, pool.statistics().freeBytes());
      }
    }
  }

  @Test
  void belongsToTheThreadThatAcquiredItUntilItIsShared() throws Exception {
    try (BufferPool pool = pool(false)) {
      PooledBuffer buffer = pool.acquire("reader", SIZE_BYTES);
      MemorySegment own = buffer.segment();
      own.set(JAVA_BYTE, 5, (byte) 42);
      assertInstanceOf(WrongThreadException.class, failureElsewhere(buffer::close));
      assertInstanceOf(WrongThreadException.class, failureElsewhere(buffer::share));
      assertInstanceOf(WrongThreadException.class, failureElsewhere(() -> own.get(JAVA_BYTE, 0)));
      buffer.share();
      assertThrows(IllegalStateException.class, () -> own.get(JAVA_BYTE, 5));
      elsewhere(
          () -> {
            assertEquals(42, buffer.share().segment().get(JAVA_BYTE, 5));
            buffer.close();
          });
      assertThrows(IllegalStateException.class, buffer::segment);
      assertThrows(IllegalStateException.class, buffer::share);
      assertEquals(0, pool.statistics().inUseBytes());
    }
  }

  @Test
  void sharedBuffersAreCheckedWhenThePoolIsToldTo() throws Exception {
    try (BufferPool pool = pool(true)) {
      PooledBuffer buffer = pool.acquire("reader", SIZE_BYTES).share();
      MemorySegment segment = buffer.segment();
      elsewhere(buffer::close);
      assertThrows(IllegalStateException.class, () -> segment.get(JAVA_BYTE, 0));
    }
  }

  @Test
  void whatIsNeverReleasedIsTakenBackAndNamed() throws InterruptedException {
    BufferPool pool = pool(true);
    forget(pool, "careless");
    awaitLeaks(pool, 1);
    BufferLeak leak = pool.leaks().getFirst();
    assertEquals("8 KiB of 'careless'", leak.toString());
    assertTrue(
        List.of(leak.origin().orElseThrow().getStackTrace()).toString().contains("forget"),
        "the origin shows where it was acquired");
    try (PooledBuffer next = pool.acquire("next", 10 * SIZE_BYTES)) {
      assertEquals(10 * SIZE_BYTES, next.sizeBytes());
    }
    IllegalStateException failure = assertThrows(IllegalStateException.class, pool::close);
    assertTrue(message(failure).contains("[8 KiB of 'careless']"), failure.getMessage());
    assertEquals("acquired here by 'careless'", failure.getSuppressed()[0].getMessage());
    assertEquals(0, memory.mappedBytes());
  }

  @Test
  void isNotTakenBackWhileASegmentOfItCanStillBeUsed() throws InterruptedException {
    try (BufferPool pool = pool(false)) {
      PooledBuffer buffer = pool.acquire("reader", SIZE_BYTES).share();
      MemorySegment slice = buffer.segment().asSlice(10, 10);
      forget(pool, "careless");
      awaitLeaks(pool, 1);
      slice.set(JAVA_BYTE, 0, (byte) 1);
      assertEquals(SIZE_BYTES, pool.statistics().inUseBytes());
      buffer.close();
      forget(pool, "careless too");
      awaitLeaks(pool, 2);
      assertEquals(2, pool.statistics().leaks());
    } catch (IllegalStateException expected) {
      assertTrue(message(expected).contains("careless too"), expected.getMessage());
    }
  }

  @SuppressWarnings("MustBeClosedChecker")
  private static void forget(BufferPool pool, String holder) throws InterruptedException {
    pool.acquire(holder, SIZE_BYTES).segment().fill((byte) 1);
  }

  @SuppressWarnings("removal")
  private static void awaitLeaks(BufferPool pool, int count) throws InterruptedException {
    while (pool.leaks().size() < count) {
      System.gc();
      Thread.sleep(1);
    }
  }

  private static Throwable failureElsewhere(Runnable action) {
    return Objects.requireNonNull(
        assertThrows(ExecutionException.class, () -> elsewhere(action)).getCause());
  }

  private static void elsewhere(Runnable action) throws ExecutionException, InterruptedException {
    FutureTask<Boolean> task = new FutureTask<>(action, true);
    Thread.ofPlatform().start(task);
    task.get();
  }
}
