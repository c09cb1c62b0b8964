package dev.tailwater.destination.s3;

import dev.tailwater.destination.DestinationQuery;
import dev.tailwater.destination.UnknownDestinationException;
import dev.tailwater.destination.cloud.CloudUri;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parsed form of an {@code s3:} URI.
 *
 * @param uri the canonical form of the URI
 * @param bucket the name of the bucket
 * @param keyPrefix the prefix of every key; empty, or ends with a slash
 * @param endpoint of a server other than AWS
 * @param region empty to take it from the environment
 * @param newObjects the attributes of new objects
 * @param createOnly how an existing object is protected
 * @param signsBodies whether a signature includes the SHA-256 of the body where there is no TLS
 */
record S3Place(
    URI uri,
    String bucket,
    String keyPrefix,
    Optional<URI> endpoint,
    Optional<String> region,
    boolean pathStyle,
    ObjectAttributes newObjects,
    boolean requesterPays,
    CreateOnlyMode createOnly,
    boolean signsBodies) {

  /** How a put is prevented from replacing an object. */
  enum CreateOnlyMode {
    AUTO,
    IF_NONE_MATCH,
    CHECK
  }

  // Wider than AWS's own rule: other servers allow underscores and capitals.
  private static final Pattern BUCKET = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{1,253}");
  private static final String GOOGLE = "storage.googleapis.com";
  private static final CloudUri URIS = new CloudUri("s3", "s3://bucket or s3://bucket/prefix");

  static S3Place parse(URI uri) throws UnknownDestinationException {
    DestinationQuery query = DestinationQuery.parse(uri, S3Option.all());
    @Nullable String bucket = uri.getRawAuthority();
    if (bucket == null || !BUCKET.matcher(bucket).matches()) {
      throw URIS.refused("there is no legal name of a bucket in the URI");
    }
    String keyPrefix = URIS.prefix(String.valueOf(uri.getPath()));
    Optional<URI> endpoint = endpoint(query);
    CreateOnlyMode createOnly =
        switch (query.value(S3Option.CREATE_ONLY.key()).orElse("auto")) {
          case "auto" -> CreateOnlyMode.AUTO;
          case "if-none-match" -> CreateOnlyMode.IF_NONE_MATCH;
          case "check" -> CreateOnlyMode.CHECK;
          default -> throw query.wrong(S3Option.CREATE_ONLY.key(), "auto, if-none-match or check");
        };
    boolean pathStyle =
        query.value(S3Option.PATH_STYLE.key()).isPresent()
            ? query.isTrue(S3Option.PATH_STYLE.key())
            : endpoint.isPresent();
    return new S3Place(
        URIS.canonical(bucket, keyPrefix, query),
        bucket,
        keyPrefix,
        endpoint,
        CloudUri.word(query, S3Option.REGION.key()),
        pathStyle,
        ObjectAttributes.of(query),
        query.isTrue(S3Option.REQUESTER_PAYS.key()),
        createOnly,
        signsBodies(endpoint, query));
  }

  /** By default, bodies are signed where somebody could change them on their way. */
  private static boolean signsBodies(Optional<URI> endpoint, DestinationQuery query)
      throws UnknownDestinationException {
    return query.value(S3Option.SIGN_BODIES.key()).isPresent()
        ? query.isTrue(S3Option.SIGN_BODIES.key())
        : endpoint.filter(CloudUri::isLoopback).isEmpty();
  }

  private static boolean isPlainHttp(URI endpoint) {
    return endpoint.getScheme().equals("http");
  }

  private static Optional<URI> endpoint(DestinationQuery query) throws UnknownDestinationException {
    Optional<URI> endpoint =
        CloudUri.endpoint(query, S3Option.ENDPOINT.key(), "https://s3.example.com:9000");
    if (endpoint.isPresent()) {
      refuseGoogle(endpoint.get());
    }
    return endpoint;
  }

  private static void refuseGoogle(URI endpoint) throws UnknownDestinationException {
    if (isGoogle(String.valueOf(endpoint.getHost()).toLowerCase(Locale.ROOT))) {
      throw new UnknownDestinationException(
          URI.create("s3:/"),
          "Google Cloud Storage ignores If-None-Match where it speaks the protocol of S3, so"
              + " objects would be replaced silently",
          "Write gs://bucket/prefix instead.");
    }
  }

  /**
   * Checks the server that the process's settings name, which the SDK uses where the URI names
   * none.
   *
   * @throws UnknownDestinationException no archive may be there
   */
  void checkWith(AwsSettings settings) throws UnknownDestinationException {
    if (endpoint.isEmpty() && settings.endpoint().isPresent()) {
      try {
        refuseGoogle(new URI(settings.endpoint().get()));
      } catch (URISyntaxException e) {
        // The SDK refuses it when the destination is opened.
      }
    }
  }

  /** Returns whether requests go over connections without TLS. */
  boolean isPlainHttp() {
    return endpoint.filter(S3Place::isPlainHttp).isPresent();
  }

  private static boolean isGoogle(String host) {
    return host.equals(GOOGLE) || host.endsWith("." + GOOGLE);
  }
}
