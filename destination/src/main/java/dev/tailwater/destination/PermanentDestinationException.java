package dev.tailwater.destination;

import java.net.URI;

/**
 * Signals a failure that lasts until somebody acts: no space, no permission, no such bucket, an
 * illegal key. Callers report it, keep the data, and retry slowly.
 */
public sealed class PermanentDestinationException extends DestinationException
    permits BrokenPluginException,
        ColdObjectException,
        NoSuchObjectException,
        RefusedDestinationException,
        UnknownDestinationException,
        UnsuitableKeyException {
  private static final long serialVersionUID = 1L;

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

  @Override
  public boolean permanent() {
    return true;
  }
}
