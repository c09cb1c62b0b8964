package dev.tailwater.io.watch.early;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/**
 * The watches of directories that only an event has told of. The watch takes a directory up at its
 * next look, or leaves it out. For one thread.
 */
final class NewDirectories {
  static final int MOST = 1_000;
  private static final long CLAIM_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final LongSupplier nanoClock;
  private final Deque<Fresh> all = new ArrayDeque<>();

  private record Fresh(int watch, long sinceNanos) {}

  NewDirectories(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Returns whether there is room for one more; if not, the watch finds it at its next look. */
  boolean hasRoom() {
    return all.size() < MOST;
  }

  void add(int watch) {
    all.add(new Fresh(watch, nanoClock.getAsLong()));
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** Forgets those that had time enough to be taken up, and hands them on. */
  void removeOld(IntConsumer each) {
    long nowNanos = nanoClock.getAsLong();
    while (!all.isEmpty() && nowNanos - all.getFirst().sinceNanos() > CLAIM_WITHIN_NANOS) {
      each.accept(all.removeFirst().watch());
    }
  }
}
