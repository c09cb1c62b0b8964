package dev.tailwater.destination.s3;

import dev.tailwater.destination.DestinationQuery;
import dev.tailwater.destination.UnknownDestinationException;
import dev.tailwater.destination.cloud.CloudUri;
import dev.tailwater.destination.cloud.Retention;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.ObjectLockMode;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.ServerSideEncryption;
import software.amazon.awssdk.services.s3.model.Tag;
import software.amazon.awssdk.services.s3.model.Tagging;

/**
 * What the options of a URI say of new objects.
 *
 * @param storageClass empty for the bucket's default
 * @param encryption at rest
 * @param kmsKey empty for the account's key for S3
 * @param tags by name
 * @param retention of objects that never change, by Object Lock; empty for the bucket's default
 */
record ObjectAttributes(
    Optional<String> storageClass,
    Encryption encryption,
    Optional<String> kmsKey,
    Map<String, String> tags,
    Optional<Retention> retention) {

  /** How objects are encrypted at rest. */
  enum Encryption {
    BUCKET,
    S3,
    KMS
  }

  ObjectAttributes {
    tags = Map.copyOf(tags);
  }

  static ObjectAttributes of(DestinationQuery query) throws UnknownDestinationException {
    Optional<String> kmsKey = query.value(S3Option.KMS_KEY.key());
    Encryption encryption =
        switch (query.value(S3Option.SSE.key()).orElse("")) {
          case "" -> Encryption.BUCKET;
          case "s3" -> Encryption.S3;
          case "kms" -> Encryption.KMS;
          default -> throw query.wrong(S3Option.SSE.key(), "s3 or kms");
        };
    if (kmsKey.isPresent() && encryption != Encryption.KMS) {
      throw query.wrong(S3Option.KMS_KEY.key(), "sse=kms beside it");
    }
    return new ObjectAttributes(
        CloudUri.word(query, S3Option.STORAGE_CLASS.key()),
        encryption,
        kmsKey,
        CloudUri.tags(query, S3Option.TAGS.key()),
        Retention.of(
            query, S3Option.RETAIN.key(), S3Option.RETAIN_MODE.key(), "governance", "compliance"));
  }

  /**
   * Sets the attributes of an object.
   *
   * @param retained whether the object never changes
   */
  void set(PutObjectRequest.Builder request, boolean retained, Instant now) {
    storageClass.ifPresent(request::storageClass);
    switch (encryption) {
      case BUCKET -> {}
      case S3 -> request.serverSideEncryption(ServerSideEncryption.AES256);
      case KMS -> {
        request.serverSideEncryption(ServerSideEncryption.AWS_KMS);
        kmsKey.ifPresent(request::ssekmsKeyId);
      }
    }
    if (!tags.isEmpty()) {
      request.tagging(tagging());
    }
    if (retained && retention.isPresent()) {
      request
          .objectLockMode(mode(retention.get()))
          .objectLockRetainUntilDate(retention.get().until(now));
    }
  }

  /** Sets the attributes of an object that is sent in parts and never changes. */
  void set(CreateMultipartUploadRequest.Builder request, Instant now) {
    storageClass.ifPresent(request::storageClass);
    switch (encryption) {
      case BUCKET -> {}
      case S3 -> request.serverSideEncryption(ServerSideEncryption.AES256);
      case KMS -> {
        request.serverSideEncryption(ServerSideEncryption.AWS_KMS);
        kmsKey.ifPresent(request::ssekmsKeyId);
      }
    }
    if (!tags.isEmpty()) {
      request.tagging(tagging());
    }
    if (retention.isPresent()) {
      request
          .objectLockMode(mode(retention.get()))
          .objectLockRetainUntilDate(retention.get().until(now));
    }
  }

  private Tagging tagging() {
    List<Tag> set =
        tags.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(tag -> Tag.builder().key(tag.getKey()).value(tag.getValue()).build())
            .toList();
    return Tagging.builder().tagSet(set).build();
  }

  private static ObjectLockMode mode(Retention retention) {
    return retention.locked() ? ObjectLockMode.COMPLIANCE : ObjectLockMode.GOVERNANCE;
  }
}
