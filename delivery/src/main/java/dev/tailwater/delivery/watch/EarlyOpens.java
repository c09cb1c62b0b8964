package dev.tailwater.delivery.watch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.tail.ArchivedNames;
import dev.tailwater.delivery.tail.TailOpener;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.watch.early.NameListener;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Opens each file as soon as its name appears, and holds it until the watch thread takes it: a file
 * may be deleted before the watch looks, and only a descriptor keeps its bytes. It opens no more
 * files than have an early place in {@link OpenFiles}; the watch opens the others, or misses them.
 *
 * <p>The listener's methods belong to the thread that tells of names, the others to the watch
 * thread.
 */
final class EarlyOpens implements NameListener {
  private static final String SUBJECT = "new names";

  /** What is found beyond this between two looks is forgotten, unless it was opened. */
  private static final int MOST_FOUND = 10_000;

  private final TailOpener opener;
  private final OpenFiles openFiles;
  private final FileRegistry registry;
  private final Problems problems;
  private final Losses losses;
  private final ArchivedNames archivedNames;

  /** The lock of the fields below; held only while they are read or changed. */
  private final Object lock = new Object();

  @GuardedBy("lock")
  private List<Found> found = new ArrayList<>();

  /** The files in {@link #found} that are open. */
  @GuardedBy("lock")
  private Set<FileIdentity> held = new HashSet<>();

  /** Which file each name led to, of those in {@link #found}. */
  @GuardedBy("lock")
  private Map<PosixPath, FileIdentity> names = new HashMap<>();

  /** As {@link #names}, of those that the watch took last and may not have in its table yet. */
  @GuardedBy("lock")
  private Map<PosixPath, FileIdentity> takenNames = Map.of();

  @GuardedBy("lock")
  private boolean closed;

  private volatile boolean paused;

  /**
   * A file that was found at a name.
   *
   * @param opened its descriptor, which belongs to whoever takes it; empty if it was found under
   *     another name before
   */
  record Found(PosixPath path, FileIdentity identity, Optional<TailOpener.Opened> opened) {}

  EarlyOpens(ObserverContext context, OpenFiles openFiles, Losses losses) {
    this.losses = losses;
    this.archivedNames = context.settings().names();
    this.opener = context.opener();
    this.openFiles = openFiles;
    this.registry = context.registry();
    this.problems = context.problems();
  }

  @Override
  public boolean appeared(PosixPath path) {
    if (paused || !openFiles.takeEarly(path)) {
      return false;
    }
    Optional<TailOpener.Opened> opened = Optional.empty();
    boolean kept = false;
    try {
      opened = opener.open(path);
      kept = opened.isPresent() && add(path, opened.get());
      return opened.isPresent();
    } catch (ErrnoException e) {
      return false; // The watch tries the same at its next look, and reports what fails then.
    } finally {
      if (!kept) {
        openFiles.giveEarly(path);
        opened.ifPresent(this::close);
      }
    }
  }

  /** Adds a file that was opened; false if its descriptor is not needed. */
  private boolean add(PosixPath path, TailOpener.Opened opened) {
    FileIdentity identity = opened.identity();
    synchronized (lock) {
      if (closed) {
        return false;
      }
      boolean isNew = held.add(identity);
      if (isNew) {
        found.add(new Found(path, identity, Optional.of(opened)));
        names.put(path, identity);
      } else {
        addName(path, identity);
      }
      return isNew;
    }
  }

  @GuardedBy("lock")
  private void addName(PosixPath path, FileIdentity identity) {
    if (!identity.equals(names.put(path, identity)) && found.size() < MOST_FOUND) {
      found.add(new Found(path, identity, Optional.empty()));
    }
  }

  @Override
  public boolean renamed(PosixPath from, PosixPath path) {
    Optional<FileIdentity> moved;
    synchronized (lock) {
      moved =
          Optional.ofNullable(names.remove(from))
              .or(() -> Optional.ofNullable(takenNames.get(from)))
              .or(() -> registry.find(from).map(WatchedFile::identity));
      if (moved.isPresent()) {
        addName(path, moved.get());
      }
    }
    boolean has = appeared(path); // The file may be another one than that name had.
    return has || moved.isPresent();
  }

  @Override
  public void missed(PosixPath path) {
    losses.missed(archivedNames.archived(path), 1);
  }

  @Override
  public void limited(ErrnoException why) {
    problems.reportHarmless(
        SUBJECT,
        why.getMessage() + "; new files are opened at the next look, up to 250 ms later",
        Optional.of(
            "files that live for milliseconds may be missed, and are counted then; raise"
                + " fs.inotify.max_user_watches and max_user_instances, and restart the agent"),
        false);
  }

  @Override
  public void failed(Throwable why) {
    problems.reportHarmless(
        SUBJECT,
        "opening new files at once has failed: " + why,
        Optional.of("they are opened at the next look"),
        false);
  }

  /** Takes what was found since the last call, in the order in which it was found. */
  List<Found> take() {
    synchronized (lock) {
      List<Found> taken = found;
      found = new ArrayList<>();
      held = new HashSet<>();
      takenNames = names;
      names = new HashMap<>();
      return taken;
    }
  }

  /** Gives up a file that was taken. */
  void drop(Found file) {
    file.opened()
        .ifPresent(
            opened -> {
              openFiles.giveEarly(file.path());
              close(opened);
            });
  }

  private void close(TailOpener.Opened opened) {
    try {
      opened.descriptor().close();
    } catch (ErrnoException e) {
      // Linux frees the descriptor all the same, and of a file that was only read nothing is lost.
      problems.report(
          opened.descriptor().path().toString(), e, "nothing is lost; the file was only read");
    }
  }

  /** Opens nothing for now, or goes on. */
  void pause(boolean isPaused) {
    paused = isPaused;
  }

  /** Closes what nobody has taken, and opens nothing any more. */
  void close() {
    List<Found> left;
    synchronized (lock) {
      closed = true;
      left = found;
      found = new ArrayList<>();
    }
    left.forEach(this::drop);
  }
}
