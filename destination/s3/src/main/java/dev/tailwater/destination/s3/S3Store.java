package dev.tailwater.destination.s3;

import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.cloud.ListPage;
import dev.tailwater.destination.cloud.ObjectStore;
import dev.tailwater.destination.cloud.PartSender;
import dev.tailwater.destination.cloud.StoredObject;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * A bucket of S3. Each call sends one request, except where {@link CreateOnly} needs two.
 * Thread-safe.
 */
final class S3Store implements ObjectStore {
  /**
   * The length of all parts but the last. S3 accepts no shorter part before the last, and at most
   * 10 000 parts, so an upload can have up to 48 GiB.
   */
  static final int PART_BYTES = 5 << 20;

  private static final int RANGE_BEYOND_END = 416;

  private final S3Requests requests;
  private final CreateOnly createOnly;
  private final S3Uploads uploads;

  S3Store(S3Place place, S3Requests requests, InstantSource clock) {
    this.requests = requests;
    this.createOnly = new CreateOnly(requests, place);
    this.uploads = new S3Uploads(place, requests.uploads(), createOnly, clock);
  }

  @Override
  public PutResult create(String name, ByteBuffer content) throws InterruptedException {
    return createOnly.put(name, BufferBody.of(content));
  }

  @Override
  public void replace(String name, ByteBuffer content) {
    requests.put(name, BufferBody.of(content), false, false);
  }

  @Override
  public StoredObject read(String name, Optional<String> range) {
    try {
      ResponseInputStream<GetObjectResponse> answer = requests.get(name, range);
      @Nullable Long lengthBytes = answer.response().contentLength();
      return new StoredObject.Found(
          answer,
          answer::abort,
          lengthBytes == null ? OptionalLong.empty() : OptionalLong.of(lengthBytes),
          Optional.ofNullable(answer.response().contentRange()));
    } catch (S3Exception e) {
      if (e.statusCode() == RANGE_BEYOND_END) {
        return new StoredObject.BeyondEnd();
      }
      if (Failures.isNoSuchObject(e)) {
        return new StoredObject.Missing();
      }
      throw e;
    }
  }

  @Override
  public ListPage list(
      String prefix, Optional<String> after, Optional<String> continuation, int maxEntries) {
    Optional<String> start = continuation.isPresent() ? Optional.empty() : after;
    ListObjectsV2Response page = requests.list(prefix, start, continuation, maxEntries);
    List<ListPage.Item> items = page.contents().stream().map(S3Store::item).toList();
    return new ListPage(
        items,
        Boolean.TRUE.equals(page.isTruncated()),
        Optional.ofNullable(page.nextContinuationToken()));
  }

  private static ListPage.Item item(S3Object object) {
    @Nullable Long sizeBytes = object.size();
    @Nullable Instant modified = object.lastModified();
    return new ListPage.Item(
        Optional.ofNullable(object.key()),
        sizeBytes == null ? OptionalLong.empty() : OptionalLong.of(sizeBytes),
        modified == null ? 0 : modified.toEpochMilli());
  }

  @Override
  public void remove(String name) {
    try {
      requests.delete(name);
    } catch (S3Exception e) {
      if (!Failures.isNoSuchObject(e)) {
        throw e;
      }
    }
  }

  @Override
  public PartSender begin(String key, String name) {
    return uploads.begin(key, name);
  }

  @Override
  public int partBytes() {
    return PART_BYTES;
  }

  @Override
  public void close() {
    requests.close();
  }
}
