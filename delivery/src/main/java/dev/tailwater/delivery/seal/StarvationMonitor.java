package dev.tailwater.delivery.seal;

import dev.tailwater.delivery.neighbour.Neighbour;
import dev.tailwater.delivery.neighbour.ThreadPriorities.Lowered;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Whether the bytes get older than they may because the workers, being lower than others, get no
 * processor: then politeness is suspended until they have caught up. Looked at once a second by one
 * thread.
 */
final class StarvationMonitor {
  static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** So many looks in a row must say the same before anything is done. */
  private static final int STARVED_LOOKS = 3;

  private static final int CALM_LOOKS = 10;

  private final Neighbour neighbour;
  private long lookedAtNanos;
  private long waitedBeforeNanos;
  private int starvedLooks;
  private int calmLooks;
  private boolean urgent;

  StarvationMonitor(Neighbour neighbour, long nowNanos) {
    this.neighbour = neighbour;
    this.lookedAtNanos = nowNanos;
  }

  /**
   * Looks.
   *
   * @param latenessNanos how long ago the oldest work was due
   * @param maxLatenessNanos how late it may be
   * @return whether politeness must be suspended
   */
  boolean look(
      Iterable<Lowered> lowered, long latenessNanos, long maxLatenessNanos, long nowNanos) {
    long waitedNanos = 0;
    for (Lowered thread : lowered) {
      waitedNanos += neighbour.waitedNanos(thread);
    }
    long periodNanos = nowNanos - lookedAtNanos;
    boolean starved = waitedNanos - waitedBeforeNanos > periodNanos / 2;
    lookedAtNanos = nowNanos;
    waitedBeforeNanos = waitedNanos;
    starvedLooks = starved && latenessNanos > maxLatenessNanos ? starvedLooks + 1 : 0;
    calmLooks = latenessNanos < maxLatenessNanos / 2 ? calmLooks + 1 : 0;
    if (urgent ? calmLooks >= CALM_LOOKS : starvedLooks >= STARVED_LOOKS) {
      urgent = !urgent;
      neighbour.suspend(urgent);
    }
    return urgent;
  }

  /** The calling thread becomes as low as the settings say, until it is replaced. */
  Optional<Lowered> lower() {
    return neighbour.priorities().lower();
  }

  /** Whether the thread is as high as before now. */
  boolean raise(Lowered thread) {
    boolean raised = neighbour.priorities().raise(thread);
    if (raised) {
      ended(thread);
    }
    return raised;
  }

  void ended(Lowered thread) {
    neighbour.priorities().ended(thread);
  }
}
