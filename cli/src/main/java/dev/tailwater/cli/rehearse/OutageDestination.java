package dev.tailwater.cli.rehearse;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.InterceptedDestination;
import dev.tailwater.destination.TransientDestinationException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A destination that cannot be reached while a certain file exists: calls wait as for an answer and
 * then fail, and the answer to a call that was under way is lost. Thread-safe if the real one is.
 */
public final class OutageDestination extends InterceptedDestination {
  private static final long TIME_OUT_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long PAUSE_MILLIS = 20;

  private final Path cut;

  /**
   * @param real is closed with this one
   * @param cut the file
   */
  public OutageDestination(Destination real, Path cut) {
    super(real);
    this.cut = cut;
  }

  @Override
  protected <T> T around(Operation operation, String key, Call<T> call)
      throws DestinationException {
    boolean crossesNetwork =
        switch (operation) {
          case DISCARD, CLOSE_UPLOAD, CLOSE -> false;
          default -> true;
        };
    if (!crossesNetwork) {
      return call.run();
    }
    requireWay(operation.method(), key);
    T result = call.run();
    requireWay(operation.method(), key);
    return result;
  }

  private void requireWay(String operation, String key) throws DestinationException {
    long startNanos = System.nanoTime();
    while (Files.exists(cut)) {
      boolean interrupted = false;
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        interrupted = true;
      }
      if (interrupted || System.nanoTime() - startNanos > TIME_OUT_NANOS) {
        throw new TransientDestinationException(
            uri(), operation, key, "the rehearsal has cut the network", "It comes back by itself.");
      }
    }
  }
}
