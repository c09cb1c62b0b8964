package dev.tailwater.destination;

import java.net.URI;

/**
 * Signals a {@link Destination#read} of an object that is there, in a class of storage from which
 * the service must fetch it before anybody can read it: that takes minutes to days, and costs.
 *
 * @see <a href="https://docs.aws.amazon.com/AmazonS3/latest/userguide/restoring-objects.html">S3:
 *     restoring an archived object</a>
 * @see <a
 *     href="https://learn.microsoft.com/en-us/azure/storage/blobs/archive-rehydrate-overview">Azure:
 *     rehydration from the archive tier</a>
 */
public final class ColdObjectException extends PermanentDestinationException {
  private static final long serialVersionUID = 1L;

  /**
   * @param destination {@link Destination#uri}
   * @param operation see {@link #operation}
   * @param key see {@link #key}
   * @param reason what the destination said
   * @param hint see {@link #hint}
   */
  public ColdObjectException(
      URI destination, String operation, String key, String reason, String hint) {
    super(destination, operation, key, reason, hint);
  }

  /** Creates an exception with a cause. */
  public ColdObjectException(
      URI destination, String operation, String key, String reason, String hint, Throwable cause) {
    super(destination, operation, key, reason, hint, cause);
  }
}
