package dev.tailwater.destination.s3;

import dev.tailwater.destination.DestinationQuery;
import dev.tailwater.destination.ObjectKeys;
import dev.tailwater.destination.UnknownDestinationException;
import java.net.URI;
import java.net.URISyntaxException;
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
 * @param storageClass of new objects; empty for the bucket's default
 * @param encryption of new objects at rest
 * @param kmsKey empty for the account's key for S3
 * @param createOnly how an existing object is protected
 */
record S3Place(
    URI uri,
    String bucket,
    String keyPrefix,
    Optional<URI> endpoint,
    Optional<String> region,
    boolean pathStyle,
    Optional<String> storageClass,
    Encryption encryption,
    Optional<String> kmsKey,
    boolean requesterPays,
    CreateOnlyMode createOnly) {

  /** How new objects are encrypted at rest. */
  enum Encryption {
    BUCKET,
    S3,
    KMS
  }

  /** How a put is prevented from replacing an object. */
  enum CreateOnlyMode {
    AUTO,
    IF_NONE_MATCH,
    CHECK
  }

  // Wider than AWS's own rule: other servers allow underscores and capitals.
  private static final Pattern BUCKET = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{1,253}");
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.-]+");

  static S3Place parse(URI uri) throws UnknownDestinationException {
    DestinationQuery query = DestinationQuery.parse(uri, S3Option.all());
    @Nullable String bucket = uri.getRawAuthority();
    if (bucket == null || !BUCKET.matcher(bucket).matches()) {
      throw refused("there is no legal name of a bucket in the URI");
    }
    String keyPrefix = keyPrefix(String.valueOf(uri.getPath()));
    Optional<URI> endpoint = endpoint(query);
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
        canonical(bucket, keyPrefix, query),
        bucket,
        keyPrefix,
        endpoint,
        word(query, S3Option.REGION),
        pathStyle,
        word(query, S3Option.STORAGE_CLASS),
        encryption,
        kmsKey,
        query.isTrue(S3Option.REQUESTER_PAYS.key()),
        createOnly);
  }

  private static String keyPrefix(String path) throws UnknownDestinationException {
    String prefix = path.replaceFirst("^/", "").replaceFirst("/$", "");
    if (prefix.isEmpty()) {
      return "";
    }
    Optional<String> problem = ObjectKeys.problem(prefix);
    if (problem.isPresent()) {
      throw refused("the prefix is not legal: " + problem.get());
    }
    return prefix + "/";
  }

  private static Optional<URI> endpoint(DestinationQuery query) throws UnknownDestinationException {
    Optional<String> text = query.value(S3Option.ENDPOINT.key());
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      URI endpoint = new URI(text.get());
      String scheme = String.valueOf(endpoint.getScheme());
      if ((scheme.equals("http") || scheme.equals("https"))
          && endpoint.getHost() != null
          && endpoint.getRawUserInfo() == null
          && endpoint.getRawQuery() == null
          && endpoint.getRawFragment() == null) {
        return Optional.of(endpoint);
      }
    } catch (URISyntaxException e) {
      // Reported below without the text, which may hold a secret.
    }
    throw query.wrong(S3Option.ENDPOINT.key(), "an URL such as https://s3.example.com:9000");
  }

  private static Optional<String> word(DestinationQuery query, S3Option option)
      throws UnknownDestinationException {
    Optional<String> value = query.value(option.key());
    if (value.isPresent() && !WORD.matcher(value.get()).matches()) {
      throw query.wrong(option.key(), "a name of letters, digits, - and _");
    }
    return value;
  }

  private static URI canonical(String bucket, String keyPrefix, DestinationQuery query)
      throws UnknownDestinationException {
    try {
      String path = new URI(null, null, "/" + keyPrefix, null).getRawPath();
      String options = query.toString();
      return new URI(
          "s3://"
              + bucket
              + path.replaceFirst("/$", "")
              + (options.isEmpty() ? "" : "?" + options));
    } catch (URISyntaxException e) {
      throw refused("the prefix cannot be written as a URI");
    }
  }

  private static UnknownDestinationException refused(String reason) {
    return new UnknownDestinationException(
        URI.create("s3:/"), reason, "Write s3://bucket or s3://bucket/prefix.");
  }
}
