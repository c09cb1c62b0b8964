package dev.tailwater.delivery.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.tempo.Tempo;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.testkit.InMemoryDestination;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.LocalTime;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The clock stands still unless a test moves it. */
class PacerTest {
  private long nanos = 5;
  private LocalTime time = LocalTime.of(12, 0);
  private final Tempo tempo = new Tempo();

  private Pacer pacer(Bandwidth bandwidth) {
    return new Pacer(bandwidth, () -> nanos, () -> time, tempo);
  }

  private static Bandwidth always(long bytesPerSecond) {
    return new Bandwidth(List.of(), OptionalLong.of(bytesPerSecond));
  }

  private void pass(long millis) {
    nanos += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private static void await(Pacer pacer, long bytes) {
    assertTimeoutPreemptively(
        Duration.ofSeconds(20), () -> assertTrue(pacer.await(bytes), "it may go"));
  }

  @Test
  void whoeverComesAfterALargeOneWaitsUntilThatIsPaidFor() {
    Pacer pacer = pacer(always(1_000));
    await(pacer, 2_500); // More than a second gives.
    assertEquals(1_000, pacer.waitMillis(), "looks again after a second");
    pass(1_000);
    assertEquals(1_000, pacer.waitMillis());
    pass(1_000);
    assertEquals(500, pacer.waitMillis());
    pass(499);
    assertEquals(1, pacer.waitMillis());
    pass(1);
    await(pacer, 10);
    assertEquals(10, pacer.waitMillis());
  }

  @Test
  void overALongTimeTheLimitHolds() {
    Pacer pacer = pacer(always(1_000));
    long sentBytes = 0;
    for (int millis = 0; millis < 60_000; millis++) {
      while (pacer.waitMillis() == 0) {
        await(pacer, 700);
        sentBytes += 700;
      }
      pass(1);
    }
    assertTrue(sentBytes > 60_000 - 700 && sentBytes <= 60_000 + 700, "sent " + sentBytes);
  }

  @Test
  void whatWasNotUsedIsKeptForASecondOnly() {
    Pacer pacer = pacer(always(1_000));
    pass(3_600_000);
    await(pacer, 1_000);
    await(pacer, 1);
    assertEquals(1, pacer.waitMillis());
  }

  @Test
  void theTimeOfDayChangesTheLimit() {
    Bandwidth bandwidth =
        new Bandwidth(
            List.of(
                new Bandwidth.Window(LocalTime.of(8, 0), LocalTime.of(18, 0), 0),
                new Bandwidth.Window(LocalTime.of(22, 0), LocalTime.of(6, 0), 100)),
            OptionalLong.empty());
    Pacer pacer = pacer(bandwidth);
    assertEquals(1_000, pacer.waitMillis(), "nothing goes at noon");
    pass(100_000);
    assertEquals(1_000, pacer.waitMillis());
    time = LocalTime.of(18, 0);
    await(pacer, 1 << 30);
    await(pacer, 1 << 30);
    time = LocalTime.of(5, 59);
    await(pacer, 50);
    assertEquals(500, pacer.waitMillis());
    time = LocalTime.of(6, 0);
    assertEquals(0, pacer.waitMillis());
  }

  @Test
  void aWindowOfEqualTimesIsAWholeDay() {
    Bandwidth.Window window = new Bandwidth.Window(LocalTime.NOON, LocalTime.NOON, 1);
    assertTrue(window.contains(LocalTime.NOON));
    assertTrue(window.contains(LocalTime.MIDNIGHT));
    assertThrows(
        IllegalArgumentException.class,
        () -> new Bandwidth.Window(LocalTime.NOON, LocalTime.NOON, -1));
  }

  @Test
  void inAHurryNobodyWaits() throws Exception {
    Pacer pacer = pacer(always(0));
    CountDownLatch gone = new CountDownLatch(2);
    for (int i = 0; i < 2; i++) {
      Thread.ofVirtual()
          .start(
              () -> {
                await(pacer, 1 << 20);
                gone.countDown();
              });
    }
    try (Tempo.Lease _ = tempo.lease(Tempo.Mode.UNLIMITED)) {
      assertTrue(gone.await(20, TimeUnit.SECONDS));
      await(pacer, 1 << 20);
    }
    assertEquals(1_000, pacer.waitMillis());
  }

  @Test
  void aHurryWithoutADeadlineKeepsToTheLimit() throws Exception {
    Pacer pacer = pacer(always(0));
    CountDownLatch gone = new CountDownLatch(1);
    try (Tempo.Lease _ = tempo.lease(Tempo.Mode.HURRY)) {
      Thread.ofVirtual()
          .start(
              () -> {
                await(pacer, 1 << 20);
                gone.countDown();
              });
      assertFalse(gone.await(200, TimeUnit.MILLISECONDS));
      tempo.lease(Tempo.Mode.UNLIMITED);
      assertTrue(gone.await(20, TimeUnit.SECONDS));
    }
  }

  @Test
  void nothingGoesOnceItIsClosed() throws Exception {
    InMemoryDestination memory = InMemoryDestination.create();
    Pacer pacer = pacer(always(0));
    PacedDestination paced = new PacedDestination(memory, pacer);
    CountDownLatch refused = new CountDownLatch(1);
    Thread.ofVirtual()
        .start(
            () -> {
              assertThrows(
                  TransientDestinationException.class,
                  () -> paced.putSegment("a/b", ByteBuffer.wrap(new byte[5])));
              refused.countDown();
            });
    pacer.close();
    assertTrue(refused.await(20, TimeUnit.SECONDS));
    assertTrue(memory.snapshot().isEmpty());
    assertFalse(pacer.await(1));
  }
}
