package dev.tailwater.delivery.due;

import dev.tailwater.delivery.tail.Tail;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the waiting tail that is claimed next: by turn, or by gain where nothing waits to be due.
 * It knows what was claimed last, so that nobody waits for ever. Not thread-safe: the {@link
 * DueQueue} guards it.
 */
final class ClaimChoice {
  private final WaitingTails waiting;
  private @Nullable Tail lastClaimed;

  /** Whether the last claim was by gain. */
  private boolean claimedByGain;

  /**
   * The first tail.
   *
   * @param waitNanos how long it is until it may be claimed
   * @param byGain whether it is first for its gain
   */
  record Next(WaitingTails.Entry entry, long waitNanos, boolean byGain) {
    boolean isDue() {
      return waitNanos <= 0;
    }
  }

  ClaimChoice(WaitingTails waiting) {
    this.waiting = waiting;
  }

  /** Returns the tail whose turn it is. */
  Optional<Next> inTurn(long now) {
    return waiting
        .nextInTurn(now)
        .map(entry -> new Next(entry, entry.dueNanos() - now, /* byGain= */ false));
  }

  /** Returns the tail with the most gain, although others may be due for longer. */
  Optional<Next> byGain(long now) {
    return best(now)
        .map(entry -> new Next(entry, waiting.pressedWaitNanos(entry, now), /* byGain= */ true));
  }

  /** Returns the next tail by turn and by gain alternately, while a tail is due. */
  Optional<Next> byTurnAndGain(long now) {
    Optional<Next> inTurn = inTurn(now).filter(Next::isDue);
    // Or short files of one owner would wait for as long as another's long ones grow.
    return claimedByGain && inTurn.isPresent() ? inTurn : byGain(now);
  }

  /**
   * Returns the tail with the most gain. One that has the most gain again right after its turn, as
   * a file of zeros may for hours, takes turns with the others.
   */
  private Optional<WaitingTails.Entry> best(long now) {
    Optional<WaitingTails.Entry> best = waiting.best(now);
    return best.isPresent() && best.get().tail() == lastClaimed
        ? waiting.longestWaiting(lastClaimed, now).or(() -> best)
        : best;
  }

  /** Notes that a tail is claimed that was chosen here. */
  void claimed(Next next) {
    claimedByGain = next.byGain();
    claimed(next.entry().tail());
  }

  /** Notes that a tail is claimed. */
  void claimed(Tail tail) {
    lastClaimed = tail;
  }
}
