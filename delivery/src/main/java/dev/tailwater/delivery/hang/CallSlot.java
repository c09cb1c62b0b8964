package dev.tailwater.delivery.hang;

import dev.tailwater.posix.PosixPath;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The call that one thread is in. The thread writes it twice for each call, without asking the time
 * or allocating anything; another thread looks whether it is still the same.
 */
final class CallSlot {
  private static final int NO_DESCRIPTOR = -1;
  private static final PosixPath NO_PATH = PosixPath.of("");

  private final Thread thread;

  /** Odd during a call; published after the fields that it is about. */
  private final AtomicLong changes = new AtomicLong();

  /** Odd while the thread waits for events. */
  private final AtomicLong rests = new AtomicLong();

  /** Called by the thread when its call returns. */
  private volatile Optional<Runnable> atEnd = Optional.empty();

  /** Called by the thread when it rests. */
  private volatile Optional<Runnable> atRest = Optional.empty();

  private String operation = "";
  private int fd = NO_DESCRIPTOR;
  private PosixPath path = NO_PATH;

  CallSlot(Thread thread) {
    this.thread = thread;
  }

  Thread thread() {
    return thread;
  }

  void begin(String call, int ofFd) {
    begin(call, ofFd, NO_PATH);
  }

  void begin(String call, int ofFd, PosixPath ofPath) {
    operation = call;
    fd = ofFd;
    path = ofPath;
    changes.setRelease(changes.getPlain() + 1);
  }

  void end() {
    // Ordered before the next read: either it finds the action, or who has put it there sees that
    // the call has returned.
    changes.set(changes.getPlain() + 1);
    Optional<Runnable> told = atEnd;
    if (told.isPresent()) {
      atEnd = Optional.empty();
      told.get().run();
    }
  }

  /** Has the thread do this when the call that it is in returns. */
  void atEnd(Runnable action) {
    atEnd = Optional.of(action);
  }

  /** Has the thread do this when it rests. */
  void atRest(Runnable action) {
    atRest = Optional.of(action);
  }

  /** Notes that the thread has done its work and waits for more, or has waited. */
  void restChanged() {
    rests.set(rests.getPlain() + 1);
    Optional<Runnable> told = atRest;
    if (told.isPresent()) {
      atRest = Optional.empty();
      told.get().run();
    }
  }

  /**
   * What a thread does.
   *
   * @param number differs from that of any other call of the thread
   * @param rests changes whenever it begins or ends to rest
   * @param isInCall whether it is in the call, or has returned from it
   * @param fd the descriptor, or that of the directory in which a path begins
   * @param path empty: that of the descriptor
   */
  record Doing(
      long number, long rests, boolean isInCall, String operation, int fd, PosixPath path) {
    boolean isResting() {
      return rests % 2 != 0;
    }
  }

  /** Returns what the thread does; empty when it goes on while it is asked. */
  Optional<Doing> doing() {
    long number = changes.getAcquire();
    Doing now = new Doing(number, rests.getAcquire(), number % 2 != 0, operation, fd, path);
    return changes.get() == number ? Optional.of(now) : Optional.empty();
  }
}
