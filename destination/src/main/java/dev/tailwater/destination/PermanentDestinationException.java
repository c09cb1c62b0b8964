package dev.tailwater.destination;

import java.net.URI;

/**
 * Signals a failure that lasts until somebody acts: no space, no permission, no such bucket, an
 * illegal key. Callers report it, keep the data, and retry slowly.
 */
public sealed class PermanentDestinationException extends DestinationException
    permits BrokenPluginException,
        NoSuchObjectException,
        RefusedDestinationException,
        UnknownDestinationException {
  private static final long serialVersionUID = 1L;

  private boolean ofKey;

  /**
   * @param destination {@link Destination#uri}
   * @param operation see {@link #operation}
   * @param key see {@link #key}
   * @param reason what went wrong, with the names and numbers that distinguish it from other
   *     failures
   * @param hint see {@link #hint}
   */
  public PermanentDestinationException(
      URI destination, String operation, String key, String reason, String hint) {
    super(destination, operation, key, reason, hint);
  }

  /** Creates an exception with a cause. */
  public PermanentDestinationException(
      URI destination, String operation, String key, String reason, String hint, Throwable cause) {
    super(destination, operation, key, reason, hint, cause);
  }

  /**
   * Returns this failure as one that lasts whatever anybody does, and that other keys do not have:
   * the destination can never hold an object of this key, such as one that is too long.
   */
  public PermanentDestinationException ofUnsuitableKey() {
    ofKey = true;
    return this;
  }

  /** Returns whether the destination can never hold an object of this key. */
  public boolean isOfUnsuitableKey() {
    return ofKey;
  }

  @Override
  public boolean permanent() {
    return true;
  }
}
