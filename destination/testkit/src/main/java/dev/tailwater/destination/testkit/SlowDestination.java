package dev.tailwater.destination.testkit;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.InterceptedDestination;
import dev.tailwater.destination.TransientDestinationException;
import java.time.Duration;

/** A destination whose calls each take at least a given time. As thread-safe as the wrapped one. */
public final class SlowDestination extends InterceptedDestination {
  private final Duration delay;

  private SlowDestination(Destination real, Duration delay) {
    super(real);
    this.delay = delay;
  }

  /**
   * Creates a destination that waits before each call except {@link #uri}, {@link #capabilities}
   * and the closing ones.
   */
  public static SlowDestination wrap(Destination real, Duration delay) {
    return new SlowDestination(real, delay);
  }

  @Override
  protected <T> T around(Operation operation, String key, Call<T> call)
      throws DestinationException {
    switch (operation) {
      case DISCARD, CLOSE_UPLOAD, CLOSE -> {}
      default -> delay(operation, key);
    }
    return call.run();
  }

  /** Waits. An interrupt is a transient failure, as it is on a slow network. */
  private void delay(Operation operation, String key) throws TransientDestinationException {
    try {
      Thread.sleep(delay);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransientDestinationException(
          uri(), operation.method(), key, "interrupted while it waited", "A test did this.", e);
    }
  }
}
