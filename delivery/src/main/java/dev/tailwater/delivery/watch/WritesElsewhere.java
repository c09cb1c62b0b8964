package dev.tailwater.delivery.watch;

import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.watch.event.Schedule;
import dev.tailwater.posix.PosixPath;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Remembers that somebody writes to files that no longer have the names that the kernel tells of.
 * Nobody tells which files these are, so all files in memory must be looked at; that is done seldom
 * enough to take little of the time. Used by the watch thread only.
 */
final class WritesElsewhere {
  private static final int PERIOD_MILLIS = 250;

  private final LongSupplier nanoClock;
  private final Schedule looks;
  private final Set<PosixPath> names = new HashSet<>();

  WritesElsewhere(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.looks = new Schedule(nanoClock, PERIOD_MILLIS);
  }

  /** Records a write to a file that had this name. */
  void add(PosixPath name) {
    names.add(name);
  }

  /** Returns how soon {@link #lookIfDue} has something to do; empty when it has nothing. */
  OptionalInt afterMillis() {
    return names.isEmpty() ? OptionalInt.empty() : OptionalInt.of((int) looks.millisLeft());
  }

  /**
   * Looks for the files that were written to, if it is time.
   *
   * @param nameless the deleted files, which are looked at anyway: writes to these are explained
   * @param look looks at all files
   */
  void lookIfDue(List<WatchedFile> nameless, Runnable look) {
    if (names.isEmpty() || !looks.due()) {
      return;
    }
    nameless.forEach(file -> names.remove(file.name()));
    if (!names.isEmpty()) {
      names.clear();
      long startNanos = nanoClock.getAsLong();
      look.run();
      looks.ran(nanoClock.getAsLong() - startNanos);
    }
  }
}
