package dev.tailwater.delivery.worker;

import dev.tailwater.delivery.neighbour.Neighbour;
import dev.tailwater.delivery.neighbour.ThreadPriorities.Lowered;
import dev.tailwater.delivery.tempo.Tempo;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Detects that bytes get older than they may because the workers, with their low priority, get no
 * processor. Politeness is suspended then, until they have caught up. Used by one thread, once a
 * second, except for the changes of priorities.
 */
final class StarvationMonitor {
  static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** So many consecutive looks must agree before politeness is suspended. */
  private static final int STARVED_LOOKS = 3;

  /** So many consecutive looks must agree before politeness is restored. */
  private static final int CALM_LOOKS = 10;

  private final Neighbour neighbour;
  private final Tempo tempo;
  private long lookedAtNanos;
  private long waitedBeforeNanos;
  private int starvedLooks;
  private int calmLooks;

  /** Present while politeness is suspended; an agent that ends then keeps it. */
  private Optional<Tempo.Lease> urgency = Optional.empty();

  StarvationMonitor(Neighbour neighbour, Tempo tempo, long nowNanos) {
    this.neighbour = neighbour;
    this.tempo = tempo;
    this.lookedAtNanos = nowNanos;
  }

  /**
   * Looks how long the threads have waited since the last look.
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
    if (urgency.isEmpty() && starvedLooks >= STARVED_LOOKS) {
      urgency = Optional.of(tempo.lease(Tempo.Mode.NO_RESTS));
    } else if (urgency.isPresent() && calmLooks >= CALM_LOOKS) {
      urgency.get().close();
      urgency = Optional.empty();
    }
    return urgency.isPresent();
  }

  /** Lowers the calling thread as the settings say, until it is raised or replaced. */
  Optional<Lowered> lower() {
    return neighbour.priorities().lower();
  }

  /** Tries to restore the thread's priority; returns whether it is now as before. */
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
