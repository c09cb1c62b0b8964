package dev.tailwater.io.read;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the users of something that can be closed by any thread. What is in use stays whole: the
 * last one out closes it really. A descriptor that is closed in the middle of a read may be another
 * file by then.
 */
final class UseCount {
  /** The sign bit: closed to new users. */
  private static final int CLOSED = Integer.MIN_VALUE;

  private final String what;
  private final Closing closing;
  private final AtomicInteger state = new AtomicInteger();

  /** What the last one out does. */
  interface Closing {
    void close() throws IOException;
  }

  /**
   * @param what words for the exception: {@code /x: this reader}
   */
  UseCount(String what, Closing closing) {
    this.what = what;
    this.closing = closing;
  }

  /** Must be followed by {@link #exit}; {@link IllegalStateException} after close. */
  void enter() {
    int users;
    do {
      users = state.get();
      if (users < 0) {
        throw new IllegalStateException(what + " is closed; open it again");
      }
    } while (!state.compareAndSet(users, users + 1));
  }

  void exit() throws IOException {
    if (state.decrementAndGet() == CLOSED) {
      closing.close();
    }
  }

  boolean isOpen() {
    return state.get() >= 0;
  }

  /** Lets nobody in any more; {@link IllegalStateException} the second time. */
  void close() throws IOException {
    int users = state.getAndUpdate(now -> now | CLOSED);
    if (users < 0) {
      throw new IllegalStateException(what + " is closed twice");
    }
    if (users == 0) {
      closing.close();
    }
  }
}
