package dev.tailwater.destination.s3;

import dev.tailwater.destination.DestinationOption;
import java.util.Arrays;
import java.util.List;

/** The table of options in the query of an {@code s3:} URI. */
enum S3Option {
  ENDPOINT(
      "URL",
      "that of AWS in the region",
      "Where a server other than AWS answers, such as https://s3.example.com:9000."),
  REGION(
      "NAME",
      "AWS_REGION, the profile's or the instance's; us-east-1 with an endpoint",
      "The region of the bucket, which is part of every signature."),
  PATH_STYLE(
      "true|false",
      "true with an endpoint, else false",
      "The bucket is in the path of a request instead of in the name of the host."),
  STORAGE_CLASS("NAME", "the bucket's", "Storage class of new objects, such as STANDARD_IA."),
  SSE("s3|kms", "the bucket's", "Encryption at rest with S3's own keys or with a key of KMS."),
  KMS_KEY("ID", "the account's key for S3", "The key's id, alias or ARN, for sse=kms."),
  TAGS("NAME:VALUE,...", "none", "Tags of new objects, such as team:web,stage:test."),
  RETAIN(
      "DAYSd",
      "the bucket's",
      "Object Lock of new segments for so many days, such as 30d; merges nothing by itself."),
  RETAIN_MODE(
      "governance|compliance",
      "governance",
      "Whether nobody, not even the account's owner, can end the lock earlier."),
  REQUESTER_PAYS("true|false", "false", "Agree to pay for requests to a bucket of somebody else."),
  CREATE_ONLY(
      "auto|if-none-match|check",
      "auto: asked of the server once",
      "How an existing object is kept: by If-None-Match, or by a HEAD before each PUT."),
  SIGN_BODIES(
      "true|false",
      "true, except on loopback",
      "Sign the SHA-256 of each body where there is no TLS.");

  private final DestinationOption option;

  S3Option(String placeholder, String standard, String meaning) {
    this.option = DestinationOption.of(name(), placeholder, standard, meaning);
  }

  /** Returns the name in the query of a URI: {@code path-style}. */
  String key() {
    return option.name();
  }

  static List<DestinationOption> all() {
    return Arrays.stream(values()).map(o -> o.option).toList();
  }
}
