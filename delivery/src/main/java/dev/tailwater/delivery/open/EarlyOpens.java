package dev.tailwater.delivery.open;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.life.Life;
import dev.tailwater.delivery.life.Lives;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.room.OpenFiles;
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
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Opens each file as soon as its name appears, and holds it until the watch thread takes it: a file
 * may be deleted before the watch looks, and only a descriptor keeps its bytes. It opens no more
 * files than have an early place in {@link OpenFiles}; the watch opens the others, or misses them.
 *
 * <p>The listener's methods belong to the thread that tells of names, the others to the watch
 * thread.
 */
public final class EarlyOpens implements NameListener {
  private static final String SUBJECT = "new names";

  /** What is found beyond this between two looks is forgotten, unless it was opened. */
  private static final int MOST_FOUND = 10_000;

  private final TailOpener opener;
  private final OpenFiles openFiles;
  private final Function<PosixPath, Optional<FileIdentity>> fileInMemory;
  private final Problems problems;

  /** The lock of the fields below; held only while they are read or changed. */
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final Lives lives = new Lives();

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

  /** Whether the watch has seen events that were not told here yet. */
  @GuardedBy("lock")
  private boolean behind;

  private volatile boolean paused;

  /**
   * A file that was found at a name.
   *
   * @param opened its descriptor, which belongs to whoever takes it; empty if it was found under
   *     another name before
   */
  record Found(PosixPath path, FileIdentity identity, Optional<TailOpener.Opened> opened) {}

  /**
   * Creates one that holds nothing.
   *
   * @param fileInMemory returns which file in memory has a name; called by the thread that tells of
   *     names
   */
  public EarlyOpens(
      TailOpener opener,
      OpenFiles openFiles,
      Function<PosixPath, Optional<FileIdentity>> fileInMemory,
      Problems problems) {
    this.opener = opener;
    this.openFiles = openFiles;
    this.fileInMemory = fileInMemory;
    this.problems = problems;
  }

  @Override
  public void reading() {
    synchronized (lock) {
      lives.reading();
    }
  }

  @Override
  public void created(PosixPath path) {
    follow(path, Lives::created);
  }

  @Override
  public void listed(PosixPath path) {
    follow(path, Lives::listed);
  }

  @Override
  public void movedIn(PosixPath path) {
    follow(path, Lives::arrived);
  }

  private void follow(PosixPath path, BiFunction<Lives, PosixPath, Optional<Life>> beginning) {
    Optional<Life> life;
    synchronized (lock) {
      life = beginning.apply(lives, path);
    }
    open(path, life);
  }

  @Override
  public void renamed(PosixPath from, PosixPath path) {
    Optional<Life> life;
    synchronized (lock) {
      Optional<FileIdentity> known = fileInMemory.apply(from);
      Optional<FileIdentity> moved =
          Optional.ofNullable(names.remove(from))
              .or(() -> Optional.ofNullable(takenNames.get(from)))
              .or(() -> known);
      life = lives.renamed(from, path, moved);
      moved.ifPresent(identity -> addName(path, identity));
    }
    open(path, life); // The file may be another one than that name had.
  }

  @Override
  public void movedOut(PosixPath path) {
    deleted(path);
  }

  @Override
  public void deleted(PosixPath path) {
    synchronized (lock) {
      lives.gone(path);
    }
  }

  @Override
  public void caughtUp() {
    synchronized (lock) {
      lives.caughtUp();
    }
  }

  @Override
  public void directoryRenamed(PosixPath from, PosixPath path) {
    synchronized (lock) {
      lives.directoryRenamed(from, path);
    }
  }

  @Override
  public void directoryReleased(PosixPath path) {
    synchronized (lock) {
      lives.forgetBelow(path);
    }
  }

  /** Opens the file at a name; if there are too many to follow, the watch does. */
  private void open(PosixPath path, Optional<Life> life) {
    if (life.isEmpty() || paused || !openFiles.takeEarly(path)) {
      return;
    }
    Optional<TailOpener.Opened> opened = Optional.empty();
    OptionalLong owner = OptionalLong.empty();
    boolean kept = false;
    try {
      opened = opener.open(path);
      if (opened.isPresent()) {
        long ownerId = opened.get().status().ownerId();
        if (openFiles.ownEarly(path, ownerId)) {
          owner = OptionalLong.of(ownerId);
          kept = add(path, opened.get(), life.get());
        } // Else the watch opens it when it is the owner's turn.
      } else if (opener.isOther(path)) {
        synchronized (lock) {
          lives.noFile(life.get());
        }
      }
    } catch (ErrnoException e) {
      // The watch tries the same at its next look, and reports what fails then.
    } finally {
      if (!kept) {
        giveBack(path, owner);
        opened.ifPresent(this::close);
      }
    }
  }

  private void giveBack(PosixPath path, OptionalLong owner) {
    if (owner.isPresent()) {
      openFiles.giveEarly(path, owner.getAsLong());
    } else {
      openFiles.giveEarly(path);
    }
  }

  /** Adds a file that was opened; false if its descriptor is not needed. */
  private boolean add(PosixPath path, TailOpener.Opened opened, Life life) {
    FileIdentity identity = opened.identity();
    synchronized (lock) {
      lives.opened(life, identity, opened.status().links());
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
  public void overflowed() {
    synchronized (lock) {
      lives.clear();
    }
    problems.reportHarmless(
        SUBJECT,
        "the kernel has dropped events of new names, since too many came at once",
        Optional.of(
            "files that lived for milliseconds then may be missed without being counted; raise"
                + " fs.inotify.max_queued_events, and restart the agent"),
        false);
  }

  @Override
  public void limited(ErrnoException why) {
    synchronized (lock) {
      lives.clear();
    }
    problems.reportHarmless(
        SUBJECT,
        why.getMessage() + "; new files are opened at the next look, up to 250 ms later",
        Optional.of(
            "files that live for milliseconds may be missed, and are counted then; "
                + remedy(why)
                + ", and restart the agent"),
        false);
  }

  private static String remedy(ErrnoException why) {
    return switch (why.errno()) {
      case EPERM, ENOSYS -> NOT_PERMITTED;
      case EMFILE, ENFILE ->
          "raise fs.inotify.max_user_instances and the limit of open files (ulimit -n)";
      default -> "raise fs.inotify.max_user_watches and max_user_instances";
    };
  }

  /** Reports that names come faster than they are told. */
  public void cannotKeepUp() {
    problems.reportHarmless(
        SUBJECT,
        "names come and go faster than the agent can follow",
        Optional.of("files that lived for milliseconds now may be missed without being counted"),
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

  /** Notes that the watch begins to apply what it has seen. */
  public void beginLook(boolean isBehind) {
    synchronized (lock) {
      behind = isBehind;
    }
  }

  /**
   * Notes that the watch has opened a file.
   *
   * @param links how many hard links it has
   * @param isAhead whether it may be one of which no event was told yet
   */
  public void openedByWatch(PosixPath path, FileIdentity identity, int links, boolean isAhead) {
    synchronized (lock) {
      lives.openedByWatch(path, identity, links, isAhead);
    }
  }

  /**
   * Notes that a file is gone that the watch could not open.
   *
   * @param certain whether it was a file for certain, and was written
   */
  public void missedByWatch(PosixPath path, boolean certain) {
    synchronized (lock) {
      if (!lives.hasTold(path)) {
        lives.missedByWatch(path, certain);
      } else if (certain) {
        lives.written(path);
      }
    }
  }

  /**
   * Ends a look of the watch.
   *
   * @param last whether everything must be decided now
   * @return what is known to be missed
   */
  public List<Lives.Missed> endLook(boolean last) {
    synchronized (lock) {
      return lives.endLook(behind, last);
    }
  }

  /** Returns whether there must be another look to decide whether something is missed. */
  public boolean isUndecided() {
    synchronized (lock) {
      return lives.isUndecided();
    }
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
              openFiles.giveEarly(file.path(), opened.status().ownerId());
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
  public void pause(boolean isPaused) {
    paused = isPaused;
  }

  /** Closes what nobody has taken, and opens nothing any more. */
  public void close() {
    List<Found> left;
    synchronized (lock) {
      closed = true;
      left = found;
      found = new ArrayList<>();
    }
    left.forEach(this::drop);
  }
}
