package dev.tailwater.delivery.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.due.DueQueue;
import dev.tailwater.delivery.tail.Tail;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The tails that one worker has claimed. While it hangs in a call, others may take those away that
 * it does not read; its pack is given up then. Thread-safe.
 */
public final class HeldTails {
  private final DueQueue queue;

  @GuardedBy("this")
  private final Set<Tail> held = new LinkedHashSet<>();

  @GuardedBy("this")
  private Optional<Tail> reading = Optional.empty();

  /** Gives up the pack that is being filled. */
  @GuardedBy("this")
  private Optional<Runnable> giveUp = Optional.empty();

  @GuardedBy("this")
  private boolean takenAway;

  HeldTails(DueQueue queue) {
    this.queue = queue;
  }

  /** Notes that the worker reads a tail that it has claimed. */
  public synchronized void read(Tail tail) {
    held.add(tail);
    reading = Optional.of(tail);
  }

  /** Notes that the worker fills a pack with several tails. */
  public synchronized void beginPack(Runnable giveUpPack) {
    giveUp = Optional.of(giveUpPack);
  }

  /** Ends the pack: nothing is taken away any more. Returns whether it is still the worker's. */
  public synchronized boolean endPack() {
    giveUp = Optional.empty();
    return !takenAway;
  }

  /** Returns whether the tails that it does not read were taken away. */
  public synchronized boolean isTakenAway() {
    return takenAway;
  }

  /** Takes away what the worker does not read, and gives its pack up. */
  void takeAway() {
    List<Tail> others;
    synchronized (this) {
      if (giveUp.isEmpty() || takenAway) {
        return;
      }
      takenAway = true;
      giveUp.get().run();
      others = new ArrayList<>(held);
      reading.ifPresent(others::remove);
      held.removeAll(others);
    }
    others.forEach(this::release);
  }

  /** Gives back every tail that is still the worker's, after its work on them. */
  void releaseAll() {
    List<Tail> all;
    synchronized (this) {
      all = List.copyOf(held);
      held.clear();
      reading = Optional.empty();
    }
    all.forEach(this::release);
  }

  private void release(Tail tail) {
    tail.unpin();
    queue.release(tail);
  }
}
