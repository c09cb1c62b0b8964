package dev.tailwater.destination.s3;

import dev.tailwater.destination.ObjectKeys;
import dev.tailwater.destination.cloud.TimeLimits;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.AbortMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsRequest;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.RequestPayer;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;
import software.amazon.awssdk.services.s3.model.UploadPartResponse;

/**
 * The requests of a multipart upload, sent through the SDK, whose exceptions pass unchanged. Keys
 * are those of the bucket. Thread-safe.
 *
 * @see <a href="https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html">Multipart
 *     upload</a>
 */
final class UploadRequests {
  /** The limit of pages, of 1000 uploads each: more are left for another day. */
  private static final int MAX_PAGES = 1000;

  private final S3Client sdk;
  private final S3Place place;
  private final TimeLimits limits;
  private final InstantSource clock;

  UploadRequests(S3Client sdk, S3Place place, TimeLimits limits, InstantSource clock) {
    this.sdk = sdk;
    this.place = place;
    this.limits = limits;
    this.clock = clock;
  }

  /** Begins an upload; returns its id. */
  String create(String key) {
    CreateMultipartUploadRequest.Builder request =
        CreateMultipartUploadRequest.builder()
            .bucket(place.bucket())
            .key(key)
            .checksumAlgorithm(ChecksumAlgorithm.CRC32_C)
            .overrideConfiguration(o -> o.apiCallAttemptTimeout(limits.question()));
    payer().ifPresent(request::requestPayer);
    place.newObjects().set(request, clock.instant());
    @Nullable String id = sdk.createMultipartUpload(request.build()).uploadId();
    if (id == null || id.isEmpty()) {
      throw AnswerChecks.failure(200, "names no upload", new byte[0]);
    }
    return id;
  }

  /**
   * Sends a part.
   *
   * @param number from 1
   */
  CompletedPart part(String key, String uploadId, int number, BufferBody body) {
    String crc32c = body.crc32c();
    UploadPartRequest.Builder request =
        UploadPartRequest.builder()
            .bucket(place.bucket())
            .key(key)
            .uploadId(uploadId)
            .partNumber(number)
            .checksumAlgorithm(ChecksumAlgorithm.CRC32_C)
            .checksumCRC32C(crc32c)
            .overrideConfiguration(o -> o.apiCallAttemptTimeout(limits.put(body.lengthBytes())));
    payer().ifPresent(request::requestPayer);
    UploadPartResponse sent = sdk.uploadPart(request.build(), body.asRequestBody());
    AnswerChecks.requireChecksum(crc32c, sent.checksumCRC32C());
    return CompletedPart.builder()
        .partNumber(number)
        .eTag(sent.eTag())
        .checksumCRC32C(crc32c)
        .build();
  }

  /**
   * Creates the object from the parts.
   *
   * @param lengthBytes of all parts, which a server may have to copy
   * @param onlyIfAbsent fails with 412 if the object exists
   */
  void complete(
      String key,
      String uploadId,
      List<CompletedPart> parts,
      long lengthBytes,
      boolean onlyIfAbsent) {
    CompleteMultipartUploadRequest.Builder request =
        CompleteMultipartUploadRequest.builder()
            .bucket(place.bucket())
            .key(key)
            .uploadId(uploadId)
            .multipartUpload(u -> u.parts(parts))
            .overrideConfiguration(o -> o.apiCallAttemptTimeout(limits.put(lengthBytes)));
    if (onlyIfAbsent) {
      request.ifNoneMatch("*");
    }
    payer().ifPresent(request::requestPayer);
    @Nullable String tag = sdk.completeMultipartUpload(request.build()).eTag();
    if (tag == null || tag.isEmpty()) {
      throw AnswerChecks.failure(200, "has no ETag of the object", new byte[0]);
    }
  }

  /** Aborts an upload and removes its parts; fails with 404 if there is no such upload. */
  void abort(String key, String uploadId) {
    AbortMultipartUploadRequest.Builder request =
        AbortMultipartUploadRequest.builder()
            .bucket(place.bucket())
            .key(key)
            .uploadId(uploadId)
            .overrideConfiguration(o -> o.apiCallAttemptTimeout(limits.question()));
    payer().ifPresent(request::requestPayer);
    sdk.abortMultipartUpload(request.build());
  }

  /** Where a page of uploads begins. */
  private record Marker(String key, Optional<String> uploadId) {}

  /** An upload that is neither completed nor aborted. */
  record Unfinished(String key, String uploadId) {}

  /**
   * Returns the unfinished uploads whose keys start with the prefix and that began before the
   * limit.
   */
  List<Unfinished> begunBefore(String prefix, Instant limit) {
    List<Unfinished> found = new ArrayList<>();
    // S3 orders the uploads of one key by age, which ids do not show: so none may come again.
    Set<Marker> seen = new HashSet<>();
    Optional<Marker> from = Optional.empty();
    boolean more = true;
    while (more) {
      ListMultipartUploadsResponse page = list(prefix, from);
      for (MultipartUpload upload : page.uploads()) {
        Unfinished unfinished = unfinished(upload);
        if (upload.initiated() != null
            && upload.initiated().isBefore(limit)
            && unfinished.key().startsWith(prefix)) {
          found.add(unfinished);
        }
      }
      // Stops if the server does not say where to continue, or goes back: the rest has time.
      Optional<Marker> next = next(page);
      more =
          next.isPresent()
              && seen.add(next.get())
              && seen.size() < MAX_PAGES
              && (from.isEmpty()
                  || ObjectKeys.ORDER.compare(from.get().key(), next.get().key()) <= 0);
      from = next;
    }
    return found;
  }

  private ListMultipartUploadsResponse list(String prefix, Optional<Marker> from) {
    ListMultipartUploadsRequest.Builder request =
        ListMultipartUploadsRequest.builder()
            .bucket(place.bucket())
            .prefix(prefix)
            .overrideConfiguration(o -> o.apiCallAttemptTimeout(limits.question()));
    from.ifPresent(
        marker -> {
          request.keyMarker(marker.key());
          marker.uploadId().ifPresent(request::uploadIdMarker);
        });
    payer().ifPresent(request::requestPayer);
    return sdk.listMultipartUploads(request.build());
  }

  private static Optional<Marker> next(ListMultipartUploadsResponse page) {
    @Nullable String key = page.nextKeyMarker();
    return Boolean.TRUE.equals(page.isTruncated()) && key != null
        ? Optional.of(new Marker(key, Optional.ofNullable(page.nextUploadIdMarker())))
        : Optional.empty();
  }

  private static Unfinished unfinished(MultipartUpload upload) {
    @Nullable String key = upload.key();
    @Nullable String id = upload.uploadId();
    if (key == null || id == null) {
      throw AnswerChecks.failure(200, "lists an upload without its key or id", new byte[0]);
    }
    return new Unfinished(key, id);
  }

  private Optional<RequestPayer> payer() {
    return place.requesterPays() ? Optional.of(RequestPayer.REQUESTER) : Optional.empty();
  }
}
