package dev.tailwater.delivery.staging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class StagingQuotaTest {
  private static final int LARGE_BYTES = 1 << 20;

  private final StagingPool pool = new StagingPool(LARGE_BYTES);
  private final StagingQuota mine = new StagingQuota(pool, 1, 1);
  private final StagingQuota others = new StagingQuota(pool, 1, 1);

  @Test
  void aSharedBufferIsFreeWhenAllHaveReleasedIt() throws Exception {
    StagingBuffer shared = mine.acquire(LARGE_BYTES);
    assertTrue(others.tryShare(shared));
    mine.release(shared);
    assertNotSame(shared, mine.acquire(LARGE_BYTES), "the other still holds it");
    others.release(shared);
    assertSame(shared, others.acquire(LARGE_BYTES));
  }

  @Test
  @Timeout(60)
  void aFreeBufferIsGivenUpWhenTheCollectorLooks() throws Exception {
    WeakReference<StagingBuffer> before = usedOnce();
    while (before.get() != null) {
      System.gc();
    }
    assertEquals(LARGE_BYTES, mine.acquire(LARGE_BYTES).bytes().length);
  }

  @Test
  void aFreeBufferIsKeptAsLongAsAnotherOneIsInUse() throws Exception {
    StagingBuffer inUse = others.acquire(LARGE_BYTES);
    WeakReference<StagingBuffer> free = usedOnce();
    System.gc();
    StagingBuffer next = mine.acquire(LARGE_BYTES);
    assertSame(free.get(), next);
    others.release(inUse);
  }

  @Test
  @Timeout(60)
  void aKeptBufferIsGivenUpWhenNoneIsInUseAnyMore() throws Exception {
    StagingBuffer inUse = others.acquire(LARGE_BYTES);
    WeakReference<StagingBuffer> kept = usedOnce();
    others.release(inUse);
    while (kept.get() != null) {
      System.gc();
    }
  }

  @Test
  void aHeldBufferIsNotGivenUp() throws Exception {
    StagingBuffer held = mine.acquire(LARGE_BYTES);
    System.gc();
    mine.release(held);
    assertSame(held, mine.acquire(LARGE_BYTES));
  }

  private WeakReference<StagingBuffer> usedOnce() throws InterruptedException {
    StagingBuffer buffer = mine.acquire(LARGE_BYTES);
    mine.release(buffer);
    return new WeakReference<>(buffer);
  }

  @Test
  void whoHoldsAllItMayTakesNothingFromTheOthers() throws Exception {
    StagingBuffer kept = mine.acquire(LARGE_BYTES);
    assertTrue(others.tryShare(kept));
    mine.release(kept);
    StagingBuffer second = mine.acquire(LARGE_BYTES);
    assertFalse(others.tryShare(second), "its one large buffer is taken");
    assertTrue(others.tryShare(mine.acquire(10)), "but its small one is not");
  }

  @Test
  void smallSegmentsHaveSmallBuffers() throws Exception {
    assertEquals(StagingPool.SMALL_BYTES, mine.acquire(StagingPool.SMALL_BYTES).bytes().length);
    assertEquals(LARGE_BYTES, mine.acquire(StagingPool.SMALL_BYTES + 1).bytes().length);
  }

  @Test
  void aLargeBufferIsAsLongAsItsSegmentsNeed() throws Exception {
    int mostBytes = 16 << 20;
    StagingQuota quota = new StagingQuota(new StagingPool(mostBytes), 1, 0);
    StagingBuffer buffer = quota.acquire(mostBytes);
    int firstBytes = buffer.bytes().length;
    assertTrue(firstBytes < mostBytes / 4, firstBytes + " bytes");

    assertEquals(2 * firstBytes, buffer.emptyWithRoom(firstBytes + 1).length);
    quota.release(buffer);

    assertEquals(2 * firstBytes, quota.acquire(mostBytes).emptyWithRoom(1).length);
    assertEquals(mostBytes, buffer.emptyWithRoom(Integer.MAX_VALUE).length);
    assertEquals(mostBytes, buffer.bytes().length);
  }

  @Test
  void aBufferKeepsWhatIsInItWhenItGrows() throws Exception {
    int mostBytes = 16 << 20;
    StagingBuffer buffer = new StagingQuota(new StagingPool(mostBytes), 1, 0).acquire(mostBytes);
    buffer.bytes()[9] = 7;

    byte[] grown = buffer.grow(mostBytes / 4 + 1, 10);

    assertSame(grown, buffer.bytes());
    assertEquals(7, grown[9]);
    assertThrows(IllegalArgumentException.class, () -> buffer.grow(mostBytes + 1, 10));
  }

  @Test
  void aBufferThatIsReleasedTwiceDoesNotMakeTheQuotaLarger() throws Exception {
    StagingBuffer buffer = mine.acquire(LARGE_BYTES);
    mine.release(buffer);
    assertThrows(IllegalStateException.class, () -> mine.release(buffer));
    assertSame(buffer, mine.acquire(LARGE_BYTES));
    StagingBuffer others = this.others.acquire(LARGE_BYTES);
    assertFalse(mine.tryShare(others), "it has one large buffer");
  }

  @Test
  void waitsForARelease() throws Exception {
    StagingBuffer first = mine.acquire(LARGE_BYTES);
    CountDownLatch got = new CountDownLatch(1);
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                assertSame(first, mine.acquire(LARGE_BYTES));
                got.countDown();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    mine.release(first);
    assertTrue(got.await(20, TimeUnit.SECONDS));
  }

  @Test
  void givesNothingOnceItIsClosed() throws Exception {
    StagingBuffer buffer = others.acquire(10);
    mine.close();
    assertThrows(InterruptedException.class, () -> mine.acquire(10));
    assertFalse(mine.tryShare(buffer));
  }
}
