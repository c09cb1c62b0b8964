package dev.tailwater.delivery.risk;

/**
 * Finds, from two measurements of a destination's load, the stage that keeps bytes at risk. A queue
 * builds up before the bottleneck: before a failing or slow destination, segments are in flight and
 * workers wait for buffers; before slow workers, bytes are unread.
 */
public final class Bottleneck {
  /** The part of the time that deliveries wait after failures when the destination is the limit. */
  private static final double SOME = 0.1;

  private static final double MOST = 0.5;

  private Bottleneck() {}

  /** Returns what was the limit between the measurements. */
  public static Limit between(LaneLoad before, LaneLoad now) {
    double nanos = Math.max(1, now.atNanos() - before.atNanos());
    double workerNanos = nanos * Math.max(1, now.workers());
    double retrying = (now.retryingNanos() - before.retryingNanos()) / nanos;
    if (!now.connected() || now.retrying() > 0 || retrying >= SOME) {
      return Limit.DESTINATION;
    }
    if (now.unreadableBytes() > MOST * now.atRiskBytes()) {
      return Limit.SOURCES;
    }
    double awaiting = (now.awaitingStagingNanos() - before.awaitingStagingNanos()) / workerNanos;
    if (now.stagedBytes() >= now.unreadBytes() || awaiting >= MOST) {
      return now.paced() ? Limit.BANDWIDTH : Limit.UPLINK;
    }
    double sealing = (now.sealingNanos() - before.sealingNanos()) / workerNanos;
    return sealing >= MOST ? Limit.CPU : Limit.WRITERS;
  }
}
