package dev.tailwater.destination.s3;

import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.cloud.TimeLimits;
import java.net.SocketException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import javax.net.ssl.TrustManager;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.NoHttpResponseException;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.RequestPayer;

/**
 * The requests that an archive needs, sent through the SDK, whose exceptions pass unchanged. Keys
 * are those of the bucket. Thread-safe.
 *
 * <p>The SDK repeats only a request on a kept connection that the server has closed meanwhile.
 * Delivery and restore do all other retries, and report them.
 */
final class S3Requests implements AutoCloseable {
  /**
   * The limit of connections. Each open stream holds one, so the limit only guards against a leak.
   */
  private static final int MAX_CONNECTIONS = 1024;

  private final S3Client sdk;
  private final SdkHttpClient client;
  private final ScheduledThreadPoolExecutor timer;
  private final S3Place place;
  private final TimeLimits limits;
  private final InstantSource clock;

  private S3Requests(
      S3Client sdk,
      SdkHttpClient client,
      ScheduledThreadPoolExecutor timer,
      S3Place place,
      TimeLimits limits,
      InstantSource clock) {
    this.sdk = sdk;
    this.client = client;
    this.timer = timer;
    this.place = place;
    this.limits = limits;
    this.clock = clock;
  }

  static S3Requests open(S3Place place, TimeLimits limits, InstantSource clock)
      throws DestinationException {
    ScheduledThreadPoolExecutor timer = timer();
    Apache5HttpClient.Builder http =
        Apache5HttpClient.builder()
            .connectionTimeout(limits.connect())
            .socketTimeout(limits.answer())
            .maxConnections(MAX_CONNECTIONS);
    if (place.isPlainHttp()) {
      // Otherwise all certificates of the JDK would be read, which is a tenth of a start.
      http.tlsTrustManagersProvider(() -> new TrustManager[] {new TrustNobody()});
    }
    SdkHttpClient client = new WatchedBodies(http.build(), timer, limits.question());
    S3ClientBuilder builder =
        S3Client.builder()
            .httpClient(client)
            .forcePathStyle(place.pathStyle())
            // This project computes the checksum once for each segment, however often the segment
            // is sent.
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            // Bodies without chunks, which every server understands.
            .serviceConfiguration(s3 -> s3.chunkedEncodingEnabled(false))
            .overrideConfiguration(
                o ->
                    o.retryStrategy(onceOnAClosedConnection())
                        .scheduledExecutorService(timer)
                        // The answer passes through them in the opposite order.
                        .addExecutionInterceptor(new AnswerChecks())
                        .addExecutionInterceptor(new AnswerLimits()));
    if (place.isPlainHttp() && !place.signsBodies()) {
      builder.putAuthScheme(new BodySigning());
    }
    place.endpoint().ifPresent(builder::endpointOverride);
    if (place.region().isPresent()) {
      builder.region(Region.of(place.region().get()));
    } else if (place.endpoint().isPresent() && AwsSettings.ofProcess().region().isEmpty()) {
      // Otherwise the SDK would query an instance's metadata, which takes seconds if there is none.
      builder.region(Region.US_EAST_1);
    }
    try {
      return new S3Requests(builder.build(), client, timer, place, limits, clock);
    } catch (SdkClientException e) {
      client.close();
      timer.shutdownNow();
      DestinationException failure = new Failures(place.uri()).of("open", "", e);
      if (failure.permanent()) {
        throw failure;
      }
      throw new PermanentDestinationException(
          place.uri(),
          "open",
          "",
          String.valueOf(e.getMessage()),
          "Check the options in the URI and the profile in ~/.aws/config.",
          e);
    }
  }

  /**
   * Enforces the time limits of requests. The SDK's own executor keeps the data of a request until
   * its limit, long after the answer: thousands of them at a hundred requests per second.
   */
  private static ScheduledThreadPoolExecutor timer() {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("s3-time-limits-", 0).factory());
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }

  private static RetryStrategy onceOnAClosedConnection() {
    return StandardRetryStrategy.builder()
        .maxAttempts(2)
        // Otherwise the SDK would add its own list of failures to retry.
        .useClientDefaults(false)
        .circuitBreakerEnabled(false)
        .backoffStrategy(BackoffStrategy.retryImmediately())
        .throttlingBackoffStrategy(BackoffStrategy.retryImmediately())
        .retryOnException(S3Requests::isClosedConnection)
        .build();
  }

  private static boolean isClosedConnection(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof NoHttpResponseException
          || cause instanceof ConnectionClosedException
          || cause.getClass() == SocketException.class) {
        return true;
      }
    }
    return false;
  }

  /**
   * Creates or replaces an object.
   *
   * @param onlyIfAbsent fails with 412 if the object exists
   * @param retained whether the object never changes, so that it may be locked
   */
  void put(String key, BufferBody body, boolean onlyIfAbsent, boolean retained) {
    String crc32c = body.crc32c();
    PutObjectRequest.Builder request =
        PutObjectRequest.builder()
            .bucket(place.bucket())
            .key(key)
            .checksumAlgorithm(ChecksumAlgorithm.CRC32_C)
            .checksumCRC32C(crc32c)
            .overrideConfiguration(o -> o.apiCallAttemptTimeout(limits.put(body.lengthBytes())));
    if (onlyIfAbsent) {
      request.ifNoneMatch("*");
    }
    payer().ifPresent(request::requestPayer);
    place.newObjects().set(request, retained, clock.instant());
    AnswerChecks.requireChecksum(
        crc32c, sdk.putObject(request.build(), body.asRequestBody()).checksumCRC32C());
  }

  /**
   * Opens a range of an object.
   *
   * @param range as in the header: {@code bytes=0-99}; empty for the whole object
   */
  ResponseInputStream<GetObjectResponse> get(String key, Optional<String> range) {
    GetObjectRequest.Builder request =
        GetObjectRequest.builder()
            .bucket(place.bucket())
            .key(key)
            // The limit until the answer begins; ObjectBody limits the time for its bytes.
            .overrideConfiguration(o -> o.apiCallAttemptTimeout(limits.question()));
    range.ifPresent(request::range);
    payer().ifPresent(request::requestPayer);
    return sdk.getObject(request.build());
  }

  /** Sends a HEAD request; fails with 404 if the object does not exist. */
  void head(String key) {
    HeadObjectRequest.Builder request =
        HeadObjectRequest.builder()
            .bucket(place.bucket())
            .key(key)
            .overrideConfiguration(o -> o.apiCallAttemptTimeout(limits.question()));
    payer().ifPresent(request::requestPayer);
    sdk.headObject(request.build());
  }

  /** Requests one page of a list. */
  ListObjectsV2Response list(
      String prefix, Optional<String> after, Optional<String> continuation, int maxKeys) {
    ListObjectsV2Request.Builder request =
        ListObjectsV2Request.builder()
            .bucket(place.bucket())
            .prefix(prefix)
            .maxKeys(maxKeys)
            // XML 1.0 cannot represent every character that a key may have.
            .encodingType(EncodingType.URL)
            .overrideConfiguration(o -> o.apiCallAttemptTimeout(limits.question()));
    after.ifPresent(request::startAfter);
    continuation.ifPresent(request::continuationToken);
    payer().ifPresent(request::requestPayer);
    ListObjectsV2Response page = sdk.listObjectsV2(request.build());
    if (page.isTruncated() == null) {
      throw AnswerChecks.failure(200, "does not say whether the list goes on", new byte[0]);
    }
    return page;
  }

  /** Removes the object, if it exists. */
  void delete(String key) {
    DeleteObjectRequest.Builder request =
        DeleteObjectRequest.builder()
            .bucket(place.bucket())
            .key(key)
            .overrideConfiguration(o -> o.apiCallAttemptTimeout(limits.question()));
    payer().ifPresent(request::requestPayer);
    sdk.deleteObject(request.build());
  }

  /** Returns the requests of multipart uploads, which use the same client. */
  UploadRequests uploads() {
    return new UploadRequests(sdk, place, limits, clock);
  }

  private Optional<RequestPayer> payer() {
    return place.requesterPays() ? Optional.of(RequestPayer.REQUESTER) : Optional.empty();
  }

  /** Returns the number of requests with a time limit that wait for their answer. */
  int underWay() {
    return timer.getQueue().size();
  }

  @Override
  public void close() {
    try {
      sdk.close();
      client.close(); // The SDK closes only clients that it has built.
    } finally {
      timer.shutdownNow();
    }
  }
}
