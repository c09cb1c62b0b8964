package dev.tailwater.destination;

import java.net.URI;

/**
 * Signals that the destination can never hold an object of this key, whatever anybody does, though
 * it may well hold others: the key is too long for it, or not legal.
 */
public final class UnsuitableKeyException extends PermanentDestinationException {
  private static final long serialVersionUID = 1L;

  /**
   * @param destination {@link Destination#uri}
   * @param operation see {@link #operation}
   * @param key see {@link #key}
   * @param reason what is wrong with the key
   * @param hint see {@link #hint}
   */
  public UnsuitableKeyException(
      URI destination, String operation, String key, String reason, String hint) {
    super(destination, operation, key, reason, hint);
  }

  /** Creates an exception with a cause. */
  public UnsuitableKeyException(
      URI destination, String operation, String key, String reason, String hint, Throwable cause) {
    super(destination, operation, key, reason, hint, cause);
  }
}
