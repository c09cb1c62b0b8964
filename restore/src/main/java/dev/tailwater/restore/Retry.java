package dev.tailwater.restore;

import dev.tailwater.destination.TransientDestinationException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** Repeats calls that fail with a transient error, a bounded number of times. Thread-safe. */
public final class Retry {
  /** A call of a destination that may be made twice. */
  public interface Attempt<T> {
    T run() throws IOException;
  }

  /** No attempt begins later: of a server that never answers, two have to end by their limits. */
  private static final long LAST_BEGIN_NANOS = TimeUnit.SECONDS.toNanos(45);

  private final ReadAttempts attempts;
  private final RandomGenerator random;

  public Retry(ReadAttempts attempts, RandomGenerator random) {
    this.attempts = attempts;
    this.random = random;
  }

  /** Returns the result of the first attempt that succeeds, or throws what the last one threw. */
  public <T> T call(Attempt<T> attempt) throws IOException {
    return call(attempt, () -> 0);
  }

  /**
   * Does the same for attempts that may take long. A server that gave something is one that
   * answers: the time begins anew when a connection to it breaks.
   *
   * @param doneBytes tells how many bytes came so far
   */
  public <T> T call(Attempt<T> attempt, LongSupplier doneBytes) throws IOException {
    LongSupplier nanoTime = attempts.nanoTime();
    long startNanos = nanoTime.getAsLong();
    for (int number = 1; ; number++) {
      long beforeBytes = doneBytes.getAsLong();
      try {
        return attempt.run();
      } catch (TransientDestinationException e) {
        if (doneBytes.getAsLong() > beforeBytes) {
          startNanos = nanoTime.getAsLong();
        }
        if (number == attempts.most() || nanoTime.getAsLong() - startNanos > LAST_BEGIN_NANOS) {
          throw e;
        }
        sleep(attempts.backoff().waitMillis(number, random), e);
      }
    }
  }

  private static void sleep(long millis, IOException reason) throws IOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      IOException interrupted =
          new InterruptedIOException("interrupted while waiting to try again");
      interrupted.initCause(reason);
      throw interrupted;
    }
  }
}
