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
    double workerNanos = nanos * Math.max(1, now.sealing().workers());
    double retrying = (now.retrying().nanos() - before.retrying().nanos()) / nanos;
    if (!now.connected() || now.retrying().present() > 0 || retrying >= SOME) {
      return Limit.DESTINATION;
    }
    LaneLoad.Backlog backlog = now.backlog();
    if (backlog.unreadableBytes() > MOST * backlog.atRiskBytes()) {
      return Limit.SOURCES;
    }
    double awaiting =
        (now.sealing().awaitingStagingNanos() - before.sealing().awaitingStagingNanos())
            / workerNanos;
    if (backlog.stagedBytes() >= backlog.unreadBytes() || awaiting >= MOST) {
      return now.paced() ? Limit.BANDWIDTH : Limit.UPLINK;
    }
    double sealing = (now.sealing().nanos() - before.sealing().nanos()) / workerNanos;
    return sealing >= MOST ? Limit.CPU : Limit.WRITERS;
  }
}
