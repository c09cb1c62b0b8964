package dev.tailwater.delivery.drain;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

class ConcurrencyTunerTest {
  private long nanos = 5;
  private long bytes;
  private long segments;

  /** Returns the number that it settles on, for a throughput by the number of deliveries. */
  private int found(IntToLongFunction bytesPerSecond, boolean someWait) {
    ConcurrencyTuner tuner = new ConcurrencyTuner(4, nanos, bytes, segments);
    int parallel = 4;
    for (int i = 0; i < 100; i++) {
      nanos += TimeUnit.MILLISECONDS.toNanos(100);
      bytes += bytesPerSecond.applyAsLong(parallel) / 10;
      segments += 10;
      parallel = tuner.tune(nanos, bytes, segments, someWait);
    }
    return parallel;
  }

  @Test
  void staysWhereMoreDeliveriesDoNotMakeItFaster() {
    assertEquals(4, found(parallel -> 2_000_000, true));
  }

  @Test
  void climbsAsLongAsEachDoublingHelps() {
    assertEquals(16, found(parallel -> Math.min(16, parallel) * 100_000L, true));
    assertEquals(32, found(parallel -> parallel * 100_000L, true));
  }

  @Test
  void doesNotClimbWhereNobodyWaits() {
    assertEquals(4, found(parallel -> parallel * 100_000L, false));
  }
}
