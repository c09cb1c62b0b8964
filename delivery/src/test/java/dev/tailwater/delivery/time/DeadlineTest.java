package dev.tailwater.delivery.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeadlineTest {
  private long nanos = Long.MAX_VALUE - 10;

  private Deadline after(long deadlineNanos) {
    return Deadline.after(Duration.ofNanos(deadlineNanos), () -> nanos);
  }

  @Test
  void passesWithTheClockEvenWhenThatOverflows() {
    Deadline deadline = after(20);
    assertEquals(Duration.ofNanos(20), deadline.left());
    nanos += 19;
    assertFalse(deadline.isPast());
    nanos += 1;
    assertTrue(deadline.isPast());
    nanos += 5;
    assertEquals(Duration.ZERO, deadline.left());
  }

  @Test
  void theEarlierOfTwoCounts() {
    Deadline deadline = after(20);
    assertEquals(Duration.ofNanos(5), deadline.within(Duration.ofNanos(5)).left());
    assertEquals(Duration.ofNanos(20), deadline.within(Duration.ofNanos(50)).left());
  }

  @Test
  void aVeryLongTimeIsAsGoodAsAYear() {
    assertEquals(
        Duration.ofDays(365),
        Deadline.after(Duration.ofSeconds(Long.MAX_VALUE), () -> nanos).left());
  }

  @Test
  void waitsForAThreadNoLongerThanIsLeft() throws Exception {
    Thread hanging = Thread.ofVirtual().start(() -> await(Duration.ofDays(1)));
    assertFalse(Deadline.after(Duration.ofMillis(5)).join(hanging));
    hanging.interrupt();
    assertTrue(Deadline.after(Duration.ofDays(1)).join(hanging));
    assertTrue(after(0).join(Thread.ofVirtual().unstarted(() -> {})), "it was never started");
  }

  private static void await(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void waitsOnAMonitorNoLongerThanIsLeft() throws Exception {
    Deadline deadline = Deadline.after(Duration.ofMillis(5));
    synchronized (this) {
      while (!deadline.isPast()) {
        deadline.timedWait(this);
      }
    }
    assertTrue(deadline.isPast());
  }
}
