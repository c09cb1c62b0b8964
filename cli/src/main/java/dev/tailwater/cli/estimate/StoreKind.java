package dev.tailwater.cli.estimate;

import dev.tailwater.destination.cloud.CloudDestination;
import java.time.Duration;
import java.util.Arrays;

/** A kind of destination: what it recommends, which decides the number of requests. */
public enum StoreKind {
  /** A directory, which charges for nothing. */
  FILE("file", "directory", 1000, 64L << 20, 0),
  HDFS("hdfs", "HDFS", 1000, 128L << 20, 0),
  S3("s3", "S3", CloudDestination.MAX_AGE_MILLIS, CloudDestination.MERGE_BYTES, 3),
  GS("gs", "GCS", CloudDestination.MAX_AGE_MILLIS, CloudDestination.MERGE_BYTES, 1),
  AZ("az", "Azure Blob", CloudDestination.MAX_AGE_MILLIS, CloudDestination.MERGE_BYTES, 1),
  /** Another plug-in. */
  OTHER("", "other", CloudDestination.MAX_AGE_MILLIS, CloudDestination.MERGE_BYTES, 1);

  private final String scheme;
  private final String title;
  private final long maxAgeMillis;
  private final long mergeBytes;
  private final int requestsOfUpload;

  StoreKind(String scheme, String title, long maxAgeMillis, long mergeBytes, int requestsOfUpload) {
    this.scheme = scheme;
    this.title = title;
    this.maxAgeMillis = maxAgeMillis;
    this.mergeBytes = mergeBytes;
    this.requestsOfUpload = requestsOfUpload;
  }

  /** Returns the kind of a URI's scheme. */
  public static StoreKind of(String scheme) {
    return Arrays.stream(values())
        .filter(kind -> kind != OTHER && kind.scheme.equals(scheme))
        .findFirst()
        .orElse(OTHER);
  }

  /** Returns the scheme of its URIs, which is also its name in a table of prices. */
  public String scheme() {
    return scheme;
  }

  /** Returns its name for people. */
  public String title() {
    return title;
  }

  /** Returns the {@code max_age} that it recommends. */
  public Duration maxAge() {
    return Duration.ofMillis(maxAgeMillis);
  }

  /** Returns the {@code merge_to} that it recommends. */
  public long mergeBytes() {
    return mergeBytes;
  }

  /** Returns how many requests an upload in parts takes beside those of its parts. */
  public int requestsOfUpload() {
    return requestsOfUpload;
  }
}
