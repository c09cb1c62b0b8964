package dev.tailwater.delivery.tail;

/**
 * Takes tails whose files were written to, so that what was read of them is compared with what they
 * hold now. Thread-safe; returns at once.
 */
public interface Comparisons {
  /** Nothing is compared: what is changed in place is reported, and not delivered. */
  Comparisons NONE =
      new Comparisons() {
        @Override
        public boolean compares() {
          return false;
        }

        @Override
        public void grown(Tail tail) {}

        @Override
        public void changed(Tail tail) {}

        @Override
        public void want(Tail tail) {}

        @Override
        public void ended(Tail tail) {}
      };

  /** Returns whether tails are compared. */
  boolean compares();

  /** Notes that the file has grown: it may have been written to elsewhere at the same time. */
  void grown(Tail tail);

  /** Notes that the file was written to and has not grown. */
  void changed(Tail tail);

  /** Has the tail compared as soon as possible, because something waits for that. */
  void want(Tail tail);

  /**
   * Has a tail that waits be compared in a drain however often that was done just before; also
   * although more was read than is durable, once all that was read before an offset is.
   */
  default void awaited(Tail tail, long untilBytes) {}

  /** Has the tail looked at when the archive may be told of its file's time again. */
  default void untold(Tail tail) {}

  /** Returns whether somebody waits for what is found out, and for what is told of it. */
  default boolean isAwaited() {
    return false;
  }

  /** Forgets a tail that has ended. */
  void ended(Tail tail);

  /**
   * Returns whether the tail waits to be compared, perhaps once more, or is compared now; also
   * while what that took must be remembered.
   */
  default boolean needs(Tail tail) {
    return false;
  }
}
