package dev.tailwater.delivery.drain;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The pauses of a drain that waits. In them, calls that wait after a failure are tried again, and
 * the stages of each destination are tuned. Used by one thread.
 */
final class DrainPace {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** How long a pause is in terms of the work before it, which grows with the number of files. */
  private static final int PAUSE_TO_WORK = 10;

  /** How often calls that wait after a failure are tried again at once. */
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final DrainContext context;
  private long retriedNanos;
  private long pausedNanos;

  DrainPace(DrainContext context) {
    this.context = context;
    this.pausedNanos = context.clocks().nanos();
  }

  /** Makes calls that wait after a failure be tried again at once. */
  void retryNow() {
    retriedNanos = context.clocks().nanos();
    context.lanes().forEach(lane -> lane.deliverer().retryNow());
  }

  /** Pauses for ten times as long as the work since the last pause took, within 5 to 50 ms. */
  void pause() throws InterruptedException {
    if (context.clocks().nanos() - retriedNanos >= RETRY_NANOS) {
      retryNow();
    }
    context.lanes().forEach(lane -> lane.speedTuner().ifPresent(SpeedTuner::tune));
    long workedNanos = context.clocks().nanos() - pausedNanos;
    long pauseNanos = Math.clamp(PAUSE_TO_WORK * workedNanos, PAUSE_NANOS, LONGEST_PAUSE_NANOS);
    Thread.sleep(Duration.ofNanos(pauseNanos));
    pausedNanos = context.clocks().nanos();
  }
}
