package dev.tailwater.delivery.tail;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashSet;
import java.util.Set;

/**
 * Lets one seal what several need: of a file's tails that stand at the same place, one has its turn
 * and hands over what it has sealed; the others wait for that. Thread-safe.
 *
 * <p>Whoever has a turn waits for no destination and for no staging buffer, only for the file; so a
 * slow destination holds nobody up.
 */
public final class SealTurns {
  @GuardedBy("this")
  private final Set<Position.Place> underWay = new HashSet<>();

  /** What became of asking for a turn. */
  public enum Turn {
    /** The caller seals now, and calls {@link #end}. Nobody else moves the tail meanwhile. */
    TAKEN,
    /** Another has moved the tail on. */
    MOVED,
    /** Another is sealing just that; {@link #await} its end. */
    BUSY
  }

  /** Asks for a turn. */
  public synchronized Turn take(Tail tail, Position at) {
    if (!tail.pin(at)) {
      return Turn.MOVED;
    }
    if (underWay.add(at.place())) {
      return Turn.TAKEN;
    }
    tail.unpin(); // So that it can be moved on by whoever seals.
    return Turn.BUSY;
  }

  /** Waits until the one that seals there is done. */
  public synchronized void await(Position at) throws InterruptedException {
    while (underWay.contains(at.place())) {
      wait();
    }
  }

  /**
   * Ends a turn.
   *
   * @param handOver moves on the tails that are in step; nobody begins to seal there meanwhile
   */
  public synchronized void end(Position at, Runnable handOver) {
    try {
      handOver.run();
    } finally {
      underWay.remove(at.place());
      notifyAll();
    }
  }
}
