package dev.tailwater.delivery.risk;

/**
 * Tells from two looks at a destination what keeps its bytes at risk. A queue builds up before the
 * stage that is the limit: behind a failing or a slow destination segments are on their way and
 * workers wait for their buffers; before slow workers, bytes are unread.
 */
public final class Bottleneck {
  /** Deliveries have waited after failures for at least such a part of the time. */
  private static final double SOME = 0.1;

  private static final double MOST = 0.5;

  private Bottleneck() {}

  /** What was the limit between the looks. */
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
