package dev.tailwater.delivery.watch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.FileIdentity;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The files that are new, or that the watch has looked at because something about them has changed,
 * since somebody took them last. However often a file changes, it is here once. Tells of those that
 * were taken, until they are released, whether they are watched still. Thread-safe.
 */
public final class LookedAtFiles {
  @GuardedBy("this")
  private final Set<WatchedFile> files = new LinkedHashSet<>();

  @GuardedBy("this")
  private final Set<FileIdentity> taken = new HashSet<>();

  /** Creates an empty set. */
  public LookedAtFiles() {}

  /** Adds a file. */
  public synchronized void add(WatchedFile file) {
    files.add(file);
  }

  /** Removes a file that is not watched any more. One that left memory only is. */
  public synchronized void remove(WatchedFile file) {
    files.remove(file);
    taken.remove(file.identity());
  }

  /** Returns whether a file that was taken, and not released since, is watched now. */
  public synchronized boolean isWatched(FileIdentity file) {
    return taken.contains(file);
  }

  /** Returns the files, and begins anew. */
  public synchronized List<WatchedFile> takeAll() {
    List<WatchedFile> all = List.copyOf(files);
    all.forEach(file -> taken.add(file.identity()));
    files.clear();
    return all;
  }

  /** Has nobody told of a file until it is taken again. */
  public synchronized void release(FileIdentity file) {
    taken.remove(file);
  }
}
