package dev.tailwater.store.simulated;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Polls a condition, with a deadline that only a broken program reaches. */
public final class Eventually {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  private static final long PAUSE_NANOS = 1_000_000;

  private Eventually() {}

  public static void until(BooleanSupplier condition, Supplier<String> otherwise) {
    long end = System.nanoTime() + DEADLINE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError(otherwise.get());
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
