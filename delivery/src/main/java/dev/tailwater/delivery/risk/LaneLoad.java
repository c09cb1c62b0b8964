package dev.tailwater.delivery.risk;

/**
 * What is at risk at one destination at a moment, and what its stages have been at since the start.
 *
 * @param atNanos the moment
 * @param connected whether it has told what it holds, where that must be asked first
 * @param paced whether deliveries wait for the bandwidth that is configured
 * @param unreadBytes seen in files and not read
 * @param unreadableBytes of them, those of files that could not be read just now
 * @param stagedBytes bytes of files that were read and are not durable
 * @param oldestMillis for how long the oldest of all these has been there; 0 when there are none
 * @param workers that seal
 * @param sealingNanos that all workers together have read, compressed and encrypted
 * @param awaitingStagingNanos that they have waited, since all buffers were on their way
 * @param retrying deliveries that have failed and wait now
 * @param retryingNanos that all deliveries together have waited after a failure
 */
public record LaneLoad(
    long atNanos,
    boolean connected,
    boolean paced,
    long unreadBytes,
    long unreadableBytes,
    long stagedBytes,
    long oldestMillis,
    int workers,
    long sealingNanos,
    long awaitingStagingNanos,
    int retrying,
    long retryingNanos) {

  /** All that would be lost. */
  public long atRiskBytes() {
    return unreadBytes + stagedBytes;
  }
}
