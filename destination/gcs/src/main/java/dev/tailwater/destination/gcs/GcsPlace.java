package dev.tailwater.destination.gcs;

import dev.tailwater.destination.DestinationQuery;
import dev.tailwater.destination.UnknownDestinationException;
import dev.tailwater.destination.cloud.CloudPlace;
import dev.tailwater.destination.cloud.CloudUri;
import dev.tailwater.destination.cloud.Retention;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parsed form of a {@code gs:} URI.
 *
 * @param place the canonical URI and the prefix of every name
 * @param bucket the name of the bucket
 * @param endpoint of the server, without a slash at its end
 * @param storageClass of new objects; empty for the bucket's default
 * @param kmsKey of new objects; empty for the bucket's default
 * @param userProject that pays for requests
 * @param metadata of new objects
 * @param retention of new objects that never change; empty for the bucket's default
 */
record GcsPlace(
    CloudPlace place,
    String bucket,
    URI endpoint,
    Optional<String> storageClass,
    Optional<String> kmsKey,
    Optional<String> userProject,
    Map<String, String> metadata,
    Optional<Retention> retention) {
  private static final URI GOOGLE = URI.create("https://storage.googleapis.com");
  private static final CloudUri URIS = new CloudUri("gs", "gs://bucket or gs://bucket/prefix");

  /** See <a href="https://cloud.google.com/storage/docs/buckets#naming">bucket names</a>. */
  private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]");

  private static final Pattern KMS_KEY =
      Pattern.compile("projects/[^/?#&]+/locations/[^/?#&]+/keyRings/[^/?#&]+/cryptoKeys/[^/?#&]+");

  GcsPlace {
    metadata = Map.copyOf(metadata);
  }

  static GcsPlace parse(URI uri) throws UnknownDestinationException {
    DestinationQuery query = DestinationQuery.parse(uri, GcsOption.all());
    @Nullable String bucket = uri.getRawAuthority();
    if (bucket == null || !BUCKET.matcher(bucket).matches()) {
      throw URIS.refused("there is no legal name of a bucket in the URI");
    }
    String prefix = URIS.prefix(String.valueOf(uri.getPath()));
    Optional<String> kmsKey = query.value(GcsOption.KMS_KEY.key());
    if (kmsKey.isPresent() && !KMS_KEY.matcher(kmsKey.get()).matches()) {
      throw query.wrong(
          GcsOption.KMS_KEY.key(), "projects/PROJECT/locations/PLACE/keyRings/RING/cryptoKeys/KEY");
    }
    Optional<Retention> retention =
        Retention.of(
            query, GcsOption.RETAIN.key(), GcsOption.RETAIN_MODE.key(), "unlocked", "locked");
    return new GcsPlace(
        new CloudPlace(URIS.canonical(bucket, prefix, query), prefix, retention.isPresent()),
        bucket,
        CloudUri.safeEndpoint(query, GcsOption.ENDPOINT.key(), "http://127.0.0.1:4443")
            .orElse(GOOGLE),
        CloudUri.word(query, GcsOption.STORAGE_CLASS.key()),
        kmsKey,
        CloudUri.word(query, GcsOption.USER_PROJECT.key()),
        CloudUri.metadata(query, GcsOption.METADATA.key()),
        retention);
  }

  /** Returns whether requests carry credentials. */
  boolean needsCredentials() {
    return !CloudUri.isLoopback(endpoint);
  }
}
