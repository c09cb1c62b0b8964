package dev.tailwater.destination.s3;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.destination.cloud.PartSender;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * A factory of multipart uploads, which also removes those that stopped processes left behind.
 * Before the first upload of a day, it looks for uploads older than a day in the folder of the new
 * key. This is the folder of one agent, so uploads of other users of the bucket are not touched.
 *
 * <p>Thread-safe.
 */
final class S3Uploads {
  /**
   * The age at which an upload counts as left behind; even one over a slow line with a low
   * bandwidth limit takes less.
   */
  private static final Duration LEFT_BEHIND = Duration.ofDays(1);

  private final S3Place place;
  private final UploadRequests requests;
  private final CreateOnly createOnly;
  private final InstantSource clock;

  @GuardedBy("this")
  private final Map<String, Instant> lookedAt = new HashMap<>();

  S3Uploads(S3Place place, UploadRequests requests, CreateOnly createOnly, InstantSource clock) {
    this.place = place;
    this.requests = requests;
    this.createOnly = createOnly;
    this.clock = clock;
  }

  /**
   * @param name the key in the bucket
   */
  PartSender begin(String key, String name) {
    removeLeftovers(key);
    return new S3Upload(requests, createOnly, name, requests.create(name));
  }

  private void removeLeftovers(String key) {
    String folder = key.substring(0, key.indexOf('/') + 1);
    Instant now = clock.instant();
    if (folder.isEmpty() || !isDue(folder, now)) {
      return;
    }
    try {
      for (UploadRequests.Unfinished old :
          requests.begunBefore(place.keyPrefix() + folder, now.minus(LEFT_BEHIND))) {
        S3Upload.abort(requests, old.key(), old.uploadId());
      }
    } catch (S3Exception e) {
      // If the policy forbids this or the server does not support it, a lifecycle rule does
      // it: docs/guide/s3.md.
      if (e.statusCode() != 403 && e.statusCode() != 501 && e.statusCode() != 405) {
        throw e;
      }
    }
  }

  private synchronized boolean isDue(String folder, Instant now) {
    Instant before = lookedAt.get(folder);
    if (before != null && before.plus(LEFT_BEHIND).isAfter(now)) {
      return false;
    }
    lookedAt.put(folder, now);
    return true;
  }
}
