package dev.tailwater.destination;

import java.net.URI;

/**
 * The same call may well succeed later, without anybody doing anything: a time-out, a lost
 * connection, an I/O error, a vanished mount. Callers retry it, with growing pauses, for ever.
 */
public final class TransientDestinationException extends DestinationException {
  private static final long serialVersionUID = 1L;

  /**
   * @param destination {@link Destination#uri}
   * @param operation see {@link #operation}
   * @param key see {@link #key}
   * @param reason what went wrong, with the names and numbers that tell it from other failures
   * @param hint see {@link #hint}
   */
  public TransientDestinationException(
      URI destination, String operation, String key, String reason, String hint) {
    super(destination, operation, key, reason, hint);
  }

  /** The same with the failure behind it. */
  public TransientDestinationException(
      URI destination, String operation, String key, String reason, String hint, Throwable cause) {
    super(destination, operation, key, reason, hint, cause);
  }

  @Override
  public boolean permanent() {
    return false;
  }
}
