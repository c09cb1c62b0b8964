package dev.tailwater.destination;

import java.net.URI;

/**
 * Signals that the destination knows who asks and forbids what was asked: a policy, a role or a
 * lock of the object. Other calls of the same client may be permitted.
 */
public final class RefusedDestinationException extends PermanentDestinationException {
  private static final long serialVersionUID = 1L;

  /**
   * @param destination {@link Destination#uri}
   * @param operation see {@link #operation}
   * @param key see {@link #key}
   * @param reason what the destination said
   * @param hint see {@link #hint}
   */
  public RefusedDestinationException(
      URI destination, String operation, String key, String reason, String hint) {
    super(destination, operation, key, reason, hint);
  }

  /** Creates an exception with a cause. */
  public RefusedDestinationException(
      URI destination, String operation, String key, String reason, String hint, Throwable cause) {
    super(destination, operation, key, reason, hint, cause);
  }
}
