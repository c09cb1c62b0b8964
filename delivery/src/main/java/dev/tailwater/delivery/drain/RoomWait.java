package dev.tailwater.delivery.drain;

import dev.tailwater.delivery.room.RoomShortage;
import java.util.concurrent.TimeUnit;

/**
 * Whether a drain should wait for files for which there is no descriptor yet, or no memory: others
 * that are delivered give theirs back. Used by the draining thread only.
 */
final class RoomWait {
  /** How long such files are waited for when nothing else is delivered, at the least. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final DrainContext context;
  private long segmentsBefore;
  private long waitingBefore;
  private long progressNanos;
  private boolean isTimeOver;

  /** How many looks had ended when the time was over. */
  private long looksBefore;

  RoomWait(DrainContext context) {
    this.context = context;
    this.progressNanos = context.clocks().nanos();
  }

  /** Returns whether files wait for room, and some got room or others were delivered lately. */
  boolean isWorthWaiting() {
    long segments = context.lanes().stream().mapToLong(lane -> lane.counters().segments()).sum();
    long waiting = context.watch().waitingFiles();
    long now = context.clocks().nanos();
    boolean isProgress = segments > segmentsBefore || waiting < waitingBefore;
    waitingBefore = waiting;
    if (isProgress) {
      segmentsBefore = segments;
      progressNanos = now;
      isTimeOver = false;
    } else if (!isTimeOver && now - progressNanos >= PATIENCE_NANOS) {
      isTimeOver = true;
      looksBefore = context.watch().endedLooks();
    }
    // A look that takes long may be about to open thousands of files.
    boolean isPatient = !isTimeOver || !context.watch().hasLookedSince(looksBefore);
    return isPatient
        && (context.watch().statistics().leftOut() > 0
            || !context.watch().isNothingWaiting()
            || context.problems().open().stream().anyMatch(RoomShortage::isMeant));
  }
}
