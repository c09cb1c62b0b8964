package dev.tailwater.restore.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PieceBuffersTest {
  private static final int SIZE_BYTES = 4096;

  @Test
  void usesTheSameBufferForOnePieceAfterTheOther() throws Exception {
    try (PieceBuffers buffers = new PieceBuffers(2, SIZE_BYTES)) {
      MemorySegment first;
      try (PieceBuffers.Loan loan = buffers.acquire()) {
        first = loan.segment();
      }
      try (PieceBuffers.Loan again = buffers.acquire();
          PieceBuffers.Loan other = buffers.acquire()) {
        assertEquals(SIZE_BYTES, first.byteSize());
        assertEquals(first.address(), again.segment().address());
        assertNotEquals(first.address(), other.segment().address());
      }
    }
  }

  @Test
  void waitsUntilOneIsGivenBackWhereAllAreInUse() throws Exception {
    try (PieceBuffers buffers = new PieceBuffers(1, SIZE_BYTES)) {
      PieceBuffers.Loan mine = buffers.acquire();
      CountDownLatch has = new CountDownLatch(1);
      Thread other =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try (PieceBuffers.Loan loan = buffers.acquire()) {
                      loan.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
                      has.countDown();
                    } catch (InterruptedException e) {
                      throw new AssertionError(e);
                    }
                  });
      while (other.getState() != Thread.State.WAITING) {
        Thread.sleep(1);
      }
      assertEquals(1, has.getCount());
      mine.close();
      has.await();
      other.join();
    }
  }

  /** As where an SMB server takes 57344 bytes in a write. */
  @Test
  void hasAllOfThemWhereTheMemoryOfEachIsLongerThanItself() throws Exception {
    int sizeBytes = 9 * 57_344;
    try (PieceBuffers buffers = new PieceBuffers(4, sizeBytes);
        PieceBuffers.Loan one = buffers.acquire();
        PieceBuffers.Loan two = buffers.acquire();
        PieceBuffers.Loan three = buffers.acquire();
        PieceBuffers.Loan four = buffers.acquire()) {
      for (PieceBuffers.Loan loan : List.of(one, two, three, four)) {
        assertEquals(sizeBytes, loan.segment().byteSize());
      }
    }
  }

  @Test
  void neverHasMoreThanItMay() throws Exception {
    AtomicInteger inUse = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    try (PieceBuffers buffers = new PieceBuffers(2, SIZE_BYTES)) {
      Thread[] threads = new Thread[4];
      for (int i = 0; i < threads.length; i++) {
        threads[i] =
            Thread.ofPlatform()
                .start(
                    () -> {
                      for (int piece = 0; piece < 1000; piece++) {
                        try (PieceBuffers.Loan loan = buffers.acquire()) {
                          most.accumulateAndGet(inUse.incrementAndGet(), Math::max);
                          loan.segment().fill((byte) piece);
                          inUse.decrementAndGet();
                        } catch (InterruptedException e) {
                          throw new AssertionError(e);
                        }
                      }
                    });
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    assertTrue(most.get() <= 2, "most " + most);
  }

  @Test
  void freesThoseThatAreNotGivenBack() throws Exception {
    PieceBuffers buffers = new PieceBuffers(1, SIZE_BYTES);
    PieceBuffers.Loan dropped = buffers.acquire();
    buffers.close();
    assertThrows(IllegalStateException.class, dropped::segment);
  }
}
