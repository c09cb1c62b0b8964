package dev.tailwater.delivery.drain;

import dev.tailwater.delivery.watch.RoomShortage;
import java.util.concurrent.TimeUnit;

/**
 * Whether a drain should wait for files for which there is no descriptor yet, or no memory: others
 * that are delivered give theirs back. Used by the draining thread only.
 */
final class RoomWait {
  /** How long such files are waited for when nothing else is delivered. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final DrainContext context;
  private long segmentsBefore;
  private long progressNanos;

  RoomWait(DrainContext context) {
    this.context = context;
    this.progressNanos = context.clocks().nanos();
  }

  /** Returns whether files wait for room, and others were delivered lately. */
  boolean isWorthWaiting() {
    long segments = context.lanes().stream().mapToLong(lane -> lane.counters().segments()).sum();
    long now = context.clocks().nanos();
    if (segments > segmentsBefore) {
      segmentsBefore = segments;
      progressNanos = now;
    }
    return now - progressNanos < PATIENCE_NANOS
        && (context.watch().statistics().leftOut() > 0
            || !context.watch().isNothingWaiting()
            || context.problems().open().stream().anyMatch(RoomShortage::isMeant));
  }
}
