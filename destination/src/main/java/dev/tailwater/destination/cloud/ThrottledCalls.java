package dev.tailwater.destination.cloud;

import dev.tailwater.destination.DestinationException;

/**
 * A sender of requests at the pace of the throttle, which translates their failures into those of a
 * destination.
 */
final class ThrottledCalls {
  private final Throttle throttle;
  private final CloudFailures<?> failures;

  ThrottledCalls(Throttle throttle, CloudFailures<?> failures) {
    this.throttle = throttle;
    this.failures = failures;
  }

  /** A request, or a few that belong together. */
  interface Request<T> {
    T send() throws DestinationException, InterruptedException;
  }

  /** A request without a result. */
  interface Command {
    void send() throws DestinationException, InterruptedException;
  }

  <T> T call(String operation, String key, Request<T> request) throws DestinationException {
    try {
      long beganNanos = throttle.awaitTurn();
      try {
        T result = request.send();
        throttle.succeeded();
        return result;
      } catch (RuntimeException e) {
        if (failures.slowsDown(e)) {
          throttle.slowDown(beganNanos);
        }
        throw failures.translated(operation, key, e);
      }
    } catch (InterruptedException e) {
      throw failures.interrupted(operation, key, e);
    }
  }

  void run(String operation, String key, Command command) throws DestinationException {
    call(
        operation,
        key,
        () -> {
          command.send();
          return this;
        });
  }
}
