package dev.tailwater.cli.probe;

import dev.tailwater.destination.TransientDestinationException;
import java.util.concurrent.TimeUnit;

/** Calls that may fail for a moment are made up to three times, with pauses. */
final class ProbeRetry {
  private static final long[] PAUSES_MILLIS = {200, 1000};

  private ProbeRetry() {}

  /** A call to a destination. */
  @FunctionalInterface
  interface Call<T> {
    T run() throws Exception;
  }

  /** What the first that succeeds gives; the failure of the last. */
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
