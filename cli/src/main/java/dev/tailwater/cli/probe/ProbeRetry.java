package dev.tailwater.cli.probe;

import dev.tailwater.destination.TransientDestinationException;
import java.util.concurrent.TimeUnit;

/** Repeats calls that fail with a transient error, up to three times, with pauses. */
final class ProbeRetry {
  private static final long[] PAUSES_MILLIS = {200, 1000};

  private ProbeRetry() {}

  /** A call to a destination. */
  @FunctionalInterface
  interface Call<T> {
    T run() throws Exception;
  }

  /** Returns the result of the first call that succeeds, or throws the failure of the last. */
  static <T> T of(Call<T> call) throws Exception {
    for (long pauseMillis : PAUSES_MILLIS) {
      try {
        return call.run();
      } catch (TransientDestinationException e) {
        if (Thread.currentThread().isInterrupted()) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(pauseMillis);
      }
    }
    return call.run();
  }
}
