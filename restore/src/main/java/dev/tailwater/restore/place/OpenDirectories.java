package dev.tailwater.restore.place;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The directories in which files were placed last. They stay open, so that the next file in one of
 * them costs no walk from the target. A directory that is replaced meanwhile, by a symbolic link or
 * by another directory, still gets the files that are begun while it is open: no name is looked up
 * again, so nothing is followed. Thread-safe; opens one directory at a time.
 */
final class OpenDirectories implements AutoCloseable {
  private final TargetTree tree;
  private final int most;

  /** In the order of their last use. */
  @GuardedBy("this")
  private final Map<List<PosixPath>, Shared> kept = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * @param most how many are kept open; those in use come on top
   */
  OpenDirectories(TargetTree tree, int most) {
    this.tree = tree;
    this.most = most;
  }

  /** An open directory. It is closed when nobody uses it and it is not kept. */
  private static final class Shared {
    final Descriptor directory;
    final boolean isNew;
    final long device;
    int uses;
    boolean isKept = true;

    Shared(Descriptor directory, boolean isNew, long device) {
      this.directory = directory;
      this.isNew = isNew;
      this.device = device;
    }
  }

  /**
   * Returns a directory, which is made with its parents where they are not there; see {@link
   * TargetTree#makeDirectories}.
   */
  synchronized Lease open(List<PosixPath> names) throws ErrnoException {
    Shared shared = kept.get(names);
    if (shared == null) {
      while (kept.size() >= most) {
        drop(kept.entrySet().iterator().next().getKey());
      }
      shared = openAnew(names);
      kept.put(names, shared);
    }
    shared.uses++;
    return new Lease(shared);
  }

  private Shared openAnew(List<PosixPath> names) throws ErrnoException {
    Descriptor directory = tree.makeDirectories(names);
    boolean opened = false;
    try {
      long device = tree.calls().fstat(directory.fd()).device();
      opened = true;
      return new Shared(directory, tree.hasMade(names), device);
    } finally {
      if (!opened) {
        directory.close();
      }
    }
  }

  @GuardedBy("this")
  private void drop(List<PosixPath> names) throws ErrnoException {
    Shared shared = kept.remove(names);
    if (shared != null) {
      shared.isKept = false;
      closeIfUnused(shared);
    }
  }

  @GuardedBy("this")
  private void closeIfUnused(Shared shared) throws ErrnoException {
    if (shared.uses == 0 && !shared.isKept) {
      shared.directory.close();
    }
  }

  private synchronized void giveBack(Shared shared) throws ErrnoException {
    shared.uses--;
    closeIfUnused(shared);
  }

  /** The use of a directory. For one thread at a time. */
  final class Lease implements AutoCloseable {
    private final Shared shared;
    private boolean closed;

    private Lease(Shared shared) {
      this.shared = shared;
    }

    /** Returns the directory, which is open until this is closed. */
    Descriptor directory() {
      return shared.directory;
    }

    /** Whether this run has made it, so that nothing was in it before. */
    boolean isNew() {
      return shared.isNew;
    }

    /** Returns the device number of its file system, which is that of new files in it. */
    long device() {
      return shared.device;
    }

    @Override
    public void close() throws ErrnoException {
      if (!closed) {
        closed = true;
        giveBack(shared);
      }
    }
  }

  /** Closes those that are kept; one that is in use is closed by its user. */
  @Override
  public synchronized void close() throws ErrnoException {
    List<ErrnoException> failures = new ArrayList<>();
    for (List<PosixPath> names : List.copyOf(kept.keySet())) {
      try {
        drop(names);
      } catch (ErrnoException e) {
        failures.add(e);
      }
    }
    if (!failures.isEmpty()) {
      throw failures.getFirst();
    }
  }
}
