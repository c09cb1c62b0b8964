package dev.tailwater.delivery.risk;

import dev.tailwater.archive.ByteSum;

/**
 * What is at risk at one destination at a moment, and what its stages have spent time on since the
 * start.
 *
 * @param atNanos the moment
 * @param connected whether the destination has told what it holds, if it must be asked
 * @param paced whether deliveries wait because of the configured bandwidth
 */
public record LaneLoad(
    long atNanos,
    boolean connected,
    boolean paced,
    Backlog backlog,
    Sealing sealing,
    Retrying retrying) {

  /**
   * What is at risk.
   *
   * @param unreadBytes bytes seen in files and not read, those included that were replaced
   * @param unreadableBytes those of them whose files could not be read just now
   * @param stagedBytes bytes of files that were read and are not durable
   * @param oldestMillis the age of the oldest of all these; 0 when there are none
   */
  public record Backlog(
      long unreadBytes, long unreadableBytes, long stagedBytes, long oldestMillis) {
    /** Returns how many bytes would be lost now. */
    public long atRiskBytes() {
      return ByteSum.of(unreadBytes, stagedBytes);
    }
  }

  /**
   * What the threads that seal have spent time on.
   *
   * @param workers how many there are
   * @param nanos for how long all together have read, compressed and encrypted
   * @param awaitingStagingNanos for how long they have waited, since all buffers were in flight
   */
  public record Sealing(int workers, long nanos, long awaitingStagingNanos) {}

  /**
   * Deliveries that have failed.
   *
   * @param present how many wait now
   * @param nanos for how long all together have waited after failures
   */
  public record Retrying(int present, long nanos) {}
}
