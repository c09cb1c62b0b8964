package dev.tailwater.delivery.risk;

/**
 * What is at risk at one destination at a moment, and what its stages have spent time on since the
 * start.
 *
 * @param atNanos the moment
 * @param connected whether the destination has told what it holds, if it must be asked
 * @param paced whether deliveries wait because of the configured bandwidth
 * @param unreadBytes bytes seen in files and not read
 * @param unreadableBytes those of them whose files could not be read just now
 * @param stagedBytes bytes of files that were read and are not durable
 * @param oldestMillis the age of the oldest of all these; 0 when there are none
 * @param workers how many threads seal
 * @param sealingNanos for how long all workers together have read, compressed and encrypted
 * @param awaitingStagingNanos for how long they have waited, since all buffers were in flight
 * @param retrying how many deliveries have failed and wait now
 * @param retryingNanos for how long all deliveries together have waited after failures
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

  /** Returns how many bytes would be lost now. */
  public long atRiskBytes() {
    return unreadBytes + stagedBytes;
  }
}
