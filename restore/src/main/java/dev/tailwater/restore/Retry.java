package dev.tailwater.restore;

import dev.tailwater.destination.TransientDestinationException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.random.RandomGenerator;

/** Repeats calls that fail with a transient error, a bounded number of times. Thread-safe. */
public final class Retry {
  /** A call of a destination that may be made twice. */
  public interface Attempt<T> {
    T run() throws IOException;
  }

  private final ReadAttempts attempts;
  private final RandomGenerator random;

  public Retry(ReadAttempts attempts, RandomGenerator random) {
    this.attempts = attempts;
    this.random = random;
  }

  /** Returns the result of the first attempt that succeeds, or throws what the last one threw. */
  public <T> T call(Attempt<T> attempt) throws IOException {
    for (int number = 1; ; number++) {
      try {
        return attempt.run();
      } catch (TransientDestinationException e) {
        if (number == attempts.most()) {
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
