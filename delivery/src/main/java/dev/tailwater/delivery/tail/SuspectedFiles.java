package dev.tailwater.delivery.tail;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The files that may have been changed in place, until another look tells. Any thread that looks at
 * a file may add it; the watch thread looks again. Thread-safe.
 */
public final class SuspectedFiles {
  private final Runnable wake;

  @GuardedBy("this")
  private final Set<WatchedFile> files = new LinkedHashSet<>();

  /**
   * @param wake called, on the thread that found it, when there is a file that was not there before
   */
  public SuspectedFiles(Runnable wake) {
    this.wake = wake;
  }

  /** Adds a file that must be looked at again. */
  public void add(WatchedFile file) {
    boolean added;
    synchronized (this) {
      added = files.add(file);
    }
    if (added) {
      wake.run();
    }
  }

  /** Removes and returns all files; a look that cannot tell yet puts its file back. */
  public synchronized List<WatchedFile> takeAll() {
    List<WatchedFile> taken = List.copyOf(files);
    files.clear();
    return taken;
  }

  public synchronized boolean isEmpty() {
    return files.isEmpty();
  }
}
