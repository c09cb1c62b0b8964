package dev.tailwater.destination;

import java.net.URI;

/**
 * Signals a failure that may pass by itself: a time-out, a lost connection, an I/O error, a
 * vanished mount. Callers retry forever, with growing pauses.
 */
public final class TransientDestinationException extends DestinationException {
  private static final long serialVersionUID = 1L;

  /**
   * @param destination {@link Destination#uri}
   * @param operation see {@link #operation}
   * @param key see {@link #key}
   * @param reason what went wrong, with the names and numbers that distinguish it from other
   *     failures
   * @param hint see {@link #hint}
   */
  public TransientDestinationException(
      URI destination, String operation, String key, String reason, String hint) {
    super(destination, operation, key, reason, hint);
  }

  /** Creates an exception with a cause. */
  public TransientDestinationException(
      URI destination, String operation, String key, String reason, String hint, Throwable cause) {
    super(destination, operation, key, reason, hint, cause);
  }

  /** Creates the failure of a read that had begun. */
  public static TransientDestinationException whileReading(
      URI destination, String key, Exception cause) {
    return new TransientDestinationException(
        destination, "read", key, String.valueOf(cause.getMessage()), MAY_PASS, cause);
  }

  @Override
  public boolean permanent() {
    return false;
  }
}
