package dev.tailwater.delivery.tail;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashSet;
import java.util.Set;

/**
 * Makes sure that a range is sealed once for several destinations: of a file's tails at the same
 * place, one gets a turn, seals and hands over; the others wait for that. Thread-safe.
 *
 * <p>A worker that has a turn waits for no destination and for no staging buffer, only for the
 * file, so a slow destination holds up nobody.
 */
public final class SealTurns {
  @GuardedBy("this")
  private Set<Position.Place> underWay = Set.of();

  /** The answer to a request for a turn. */
  public enum Turn {
    /** The caller seals, and then calls {@link #end}. Nobody else moves the tail meanwhile. */
    TAKEN,
    /** Another worker has moved the tail on. */
    MOVED,
    /** Another worker is sealing just that; {@link #await} its end. */
    BUSY
  }

  /** What has a turn: a tail that others move on unless it is pinned. */
  public interface Pinnable {
    /** Makes sure that only the caller moves it; false when it is not at the position any more. */
    boolean pin(Position at);

    /** Lets others move it. */
    void unpin();
  }

  /** Requests a turn. */
  public synchronized Turn take(Pinnable tail, Position at) {
    if (!tail.pin(at)) {
      return Turn.MOVED;
    }
    if (underWay.isEmpty()) {
      underWay = new HashSet<>();
    }
    if (underWay.add(at.place())) {
      return Turn.TAKEN;
    }
    tail.unpin(); // So that the worker that seals can move it on.
    return Turn.BUSY;
  }

  /** Waits until the worker that seals at this position is done. */
  public synchronized void await(Position at) throws InterruptedException {
    while (underWay.contains(at.place())) {
      wait();
    }
  }

  /**
   * Ends a turn.
   *
   * @param handOver moves the tails in step on; nobody gets a turn at this position meanwhile
   */
  public synchronized void end(Position at, Runnable handOver) {
    try {
      handOver.run();
    } finally {
      underWay.remove(at.place());
      if (underWay.isEmpty()) {
        underWay = Set.of(); // Nearly all files are in no turn.
      }
      notifyAll();
    }
  }
}
