package dev.tailwater.restore;

/**
 * How often a read that failed is repeated. The delay doubles from the first to the longest; each
 * wait is drawn at random between zero and the delay ("full jitter").
 *
 * @param attempts in all, at least 1
 */
public record RetryPolicy(int attempts, long firstDelayMillis, long maxDelayMillis) {
  public RetryPolicy {
    if (attempts < 1 || firstDelayMillis < 0 || maxDelayMillis < firstDelayMillis) {
      throw new IllegalArgumentException(
          "attempts at least 1, delays at least 0 and in order: "
              + attempts
              + ", "
              + firstDelayMillis
              + ", "
              + maxDelayMillis);
    }
  }

  /** Six attempts over at most half a minute. */
  public static RetryPolicy defaults() {
    return new RetryPolicy(6, 500, 10_000);
  }

  long maxDelayMillisAfter(int attempt) {
    return Math.min(maxDelayMillis, firstDelayMillis << Math.min(attempt - 1, 30));
  }
}
