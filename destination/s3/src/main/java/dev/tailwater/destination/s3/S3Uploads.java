package dev.tailwater.destination.s3;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.SegmentUpload;
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
final class S3Uploads implements S3Upload.Removal {
  /**
   * The age at which an upload counts as left behind; even one over a slow line with a low
   * bandwidth limit takes less.
   */
  private static final Duration LEFT_BEHIND = Duration.ofDays(1);

  private final S3Place place;
  private final UploadRequests requests;
  private final ThrottledCalls calls;
  private final InstantSource clock;
  private final S3Upload.Tools tools;

  @GuardedBy("this")
  private final Map<String, Instant> lookedAt = new HashMap<>();

  S3Uploads(
      S3Place place,
      UploadRequests requests,
      CreateOnly createOnly,
      ThrottledCalls calls,
      InstantSource clock) {
    this.place = place;
    this.requests = requests;
    this.calls = calls;
    this.clock = clock;
    this.tools = new S3Upload.Tools(requests, createOnly, calls, this);
  }

  /**
   * @param full the key in the bucket
   */
  SegmentUpload begin(String key, String full) {
    return new S3Upload(tools, key, full);
  }

  @Override
  public void removeLeftovers(String key) throws DestinationException {
    String folder = key.substring(0, key.indexOf('/') + 1);
    Instant now = clock.instant();
    if (folder.isEmpty() || !isDue(folder, now)) {
      return;
    }
    calls.run(
        "upload",
        key,
        () -> {
          try {
            for (UploadRequests.Unfinished old :
                requests.begunBefore(place.keyPrefix() + folder, now.minus(LEFT_BEHIND))) {
              abort(old.key(), old.uploadId());
            }
          } catch (S3Exception e) {
            // If the policy forbids this or the server does not support it, a lifecycle rule does
            // it: docs/guide/s3.md.
            if (e.statusCode() != 403 && e.statusCode() != 501 && e.statusCode() != 405) {
              throw e;
            }
          }
        });
  }

  private synchronized boolean isDue(String folder, Instant now) {
    Instant before = lookedAt.get(folder);
    if (before != null && before.plus(LEFT_BEHIND).isAfter(now)) {
      return false;
    }
    lookedAt.put(folder, now);
    return true;
  }

  /** Aborts an upload, if it still exists. */
  private void abort(String full, String uploadId) {
    try {
      requests.abort(full, uploadId);
    } catch (S3Exception e) {
      if (e.statusCode() != 404) {
        throw e;
      }
    }
  }

  @Override
  public void abort(String key, String full, String uploadId) throws DestinationException {
    calls.run("upload", key, () -> abort(full, uploadId));
  }
}
