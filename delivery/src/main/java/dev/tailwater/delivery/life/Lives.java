package dev.tailwater.delivery.life;

import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The files that came to names, and which of them were gone before anybody opened them. It follows
 * one queue of events in their order, which tell names and not files; which file a name leads to is
 * known only to whoever opens it, and that may be a later file than the event is about. So each
 * file that was opened is assigned to one of those that came to its name, as soon as everything is
 * read that had happened until it was opened; whatever has none then was missed.
 *
 * <p>A file that was not opened is missed for certain if somebody wrote to its name, and perhaps
 * otherwise: it may have been a link or a socket, the second name of a file that is open, or have
 * moved to where nothing is watched. Not thread-safe.
 */
public final class Lives {
  /** Beyond this, the watch alone decides what is missed. */
  static final int MOST = 10_000;

  /** How long to wait for word that something was written; the watch's queue may be behind. */
  private static final int DOUBTFUL_LOOKS = 3;

  /** How long the watch, whose queue may be behind, can still have events of a name. */
  private static final int TOLD_LOOKS = 8;

  private final Map<PosixPath, Life> current = new HashMap<>();

  /** Files without a name of which it is not decided yet whether they were opened. */
  private List<Life> ended = new ArrayList<>();

  private final Assignments assignments = new Assignments();
  private final List<Lost> lost = new ArrayList<>();
  private final Map<PosixPath, List<Lost>> lostByName = new HashMap<>();

  /** Names at which writes were seen before the loss was, and in which look. */
  private final Map<PosixPath, Long> written = new LinkedHashMap<>();

  /** Names of which events were told, and in which look last; in this order. */
  private final Map<PosixPath, Long> told = new LinkedHashMap<>();

  private long reading;
  private long look;

  /** A file that was gone before it could be opened. */
  private static final class Lost {
    final List<PosixPath> names; // The last one last.
    final long since;

    /** Whether only the watch has told of it, so that events of the same file may still come. */
    final boolean byWatch;

    boolean certain;

    Lost(Collection<PosixPath> names, long since, boolean byWatch, boolean certain) {
      this.names = List.copyOf(names);
      this.since = since;
      this.byWatch = byWatch;
      this.certain = certain;
    }
  }

  /**
   * A file that was gone before it could be opened.
   *
   * @param path its last name
   * @param certain whether it was a file that was written; if not, perhaps nothing is missed
   */
  public record Missed(PosixPath path, boolean certain) {}

  /** Notes that the queue is read from now on. */
  public void reading() {
    reading++;
  }

  /**
   * Notes that the queue is read to its end: of the files that were opened before, nothing more is
   * to be found out.
   */
  public void caughtUp() {
    assignments.assign(ended, reading);
    List<Life> undecided = new ArrayList<>();
    for (Life life : ended) {
      if (life.isUnopened()) {
        lose(life);
      } else if (assignments.isSure(life, reading)) {
        life.names.forEach(written::remove);
      } else {
        undecided.add(life);
      }
    }
    ended = undecided;
    for (Life life : assignments.sure(reading)) {
      life.at.ifPresent(path -> current.remove(path, life));
    }
    assignments.endReading(reading);
  }

  /**
   * Notes that a name was created.
   *
   * @return the file; empty if there are too many to follow
   */
  public Optional<Life> created(PosixPath path) {
    Life before = current.get(path);
    if (before != null && before.listed) {
      before.listed = false;
      return Optional.of(before);
    }
    return arrived(path);
  }

  /** Notes that a name was found in a new directory; as {@link #created}. */
  public Optional<Life> listed(PosixPath path) {
    Life before = current.get(path);
    if (before != null) {
      return Optional.of(before);
    }
    Optional<Life> life = arrived(path);
    life.ifPresent(file -> file.listed = true);
    return life;
  }

  /** Notes that a file came to a name from outside; as {@link #created}. */
  public Optional<Life> arrived(PosixPath path) {
    gone(path);
    if (!hasRoom()) {
      return Optional.empty();
    }
    Life life = new Life();
    place(life, path);
    return Optional.of(life);
  }

  /**
   * Notes a rename; as {@link #created}.
   *
   * @param known the file that is known to have moved, if any
   */
  public Optional<Life> renamed(PosixPath from, PosixPath path, Optional<FileIdentity> known) {
    Life life = current.remove(from);
    gone(path);
    if (life == null) {
      if (!hasRoom()) {
        return Optional.empty();
      }
      life = new Life(); // It had its name before names were told, or was opened long ago.
      life.exempt = true;
      assignments.date(life, reading);
      if (known.isPresent()) {
        assignments.known(life, known.get());
      }
    } else {
      tell(from);
    }
    life.listed = false;
    place(life, path);
    return Optional.of(life);
  }

  private void place(Life life, PosixPath path) {
    life.moveTo(path);
    current.put(path, life);
    assignments.came(life, path);
    if (!life.exempt) {
      tell(path);
    }
  }

  /** Notes that the file at a name is deleted, has been replaced, or has left the sources. */
  public void gone(PosixPath path) {
    Life life = current.remove(path);
    if (life != null) {
      tell(path);
      life.at = Optional.empty();
      ended.add(life);
    }
  }

  private void lose(Life life) {
    boolean certain = life.names.stream().anyMatch(name -> written.remove(name) != null);
    Optional<Lost> same =
        life.names.stream()
            .flatMap(name -> lostAt(name).stream())
            .filter(file -> file.byWatch)
            .findFirst();
    if (same.isPresent()) {
      certain |= same.get().certain;
      lost.remove(same.get());
      forget(same.get());
    }
    lost(new Lost(life.names, look, false, certain));
  }

  private List<Lost> lostAt(PosixPath name) {
    return lostByName.getOrDefault(name, List.of());
  }

  private void lost(Lost file) {
    lost.add(file);
    file.names.forEach(
        name -> lostByName.computeIfAbsent(name, key -> new ArrayList<>(1)).add(file));
  }

  private void forget(Lost file) {
    for (PosixPath name : file.names) {
      lostByName.computeIfPresent(name, (_, there) -> without(file, there));
    }
  }

  private static @Nullable List<Lost> without(Lost file, List<Lost> there) {
    there.remove(file);
    return there.isEmpty() ? null : there;
  }

  /** Notes that no file is at the name, but a link, a socket or the like. */
  public void noFile(Life life) {
    if (life.identity.isEmpty()) {
      life.exempt = true;
      assignments.date(life, reading);
    }
  }

  /**
   * Notes that a file was opened at the name of another one, by the thread that follows the events.
   *
   * @param links how many names the file had then
   */
  public void opened(Life life, FileIdentity identity, int links) {
    life.at.ifPresent(path -> assignments.opened(life, path, identity, links, reading));
  }

  /**
   * Notes that the watch has opened a file, of which the events may not be read yet.
   *
   * @param ahead whether it may be one of which no event was told yet
   */
  public void openedByWatch(PosixPath path, FileIdentity identity, int links, boolean ahead) {
    Life life = current.get(path);
    if (life != null) {
      assignments.opened(life, path, identity, links, reading + 1);
    } else if (ahead) {
      assignments.seen(path, identity, reading + 1);
    }
  }

  /** Returns whether events of the name were told lately, so that this decides what is missed. */
  public boolean hasTold(PosixPath path) {
    Life life = current.get(path);
    return told.containsKey(path) || (life != null && !life.exempt);
  }

  private void tell(PosixPath path) {
    told.remove(path);
    told.put(path, look);
  }

  private boolean hasRoom() {
    return current.size() < MOST && told.size() < MOST && ended.size() < MOST && lost.size() < MOST;
  }

  /** Notes that the watch has seen a file go that nobody opened, and of which nothing was told. */
  public void missedByWatch(PosixPath path, boolean certain) {
    lost(new Lost(List.of(path), look, true, certain));
  }

  /** Notes that somebody wrote to a file at a name at which nothing is now. */
  public void written(PosixPath path) {
    List<Lost> there = lostAt(path).stream().filter(file -> !file.certain).toList();
    if (there.size() == 1) {
      there.getFirst().certain = true;
    } else if (there.isEmpty() && hasTold(path)) {
      written.put(path, look);
    }
  }

  /**
   * Ends a look of the watch.
   *
   * @param behind whether there are events that the watch has seen and this has not
   * @param last whether to decide now about everything of which the events are read
   * @return the files that are known to be missed now
   */
  public List<Missed> endLook(boolean behind, boolean last) {
    look++;
    removeOld(told, TOLD_LOOKS);
    removeOld(written, DOUBTFUL_LOOKS);
    List<Missed> missed = new ArrayList<>();
    lost.removeIf(
        file -> {
          boolean decided =
              file.byWatch ? !behind : last || file.certain || look - file.since > DOUBTFUL_LOOKS;
          if (decided) {
            missed.add(new Missed(file.names.getLast(), file.certain));
            forget(file);
          }
          return decided;
        });
    return missed;
  }

  private void removeOld(Map<PosixPath, Long> lookByName, int looks) {
    var names = lookByName.entrySet().iterator();
    while (names.hasNext() && look - names.next().getValue() > looks) {
      names.remove();
    }
  }

  /** Returns whether {@link #endLook} is to be called again, though nothing else happens. */
  public boolean isUndecided() {
    return !lost.isEmpty();
  }

  /** Notes that a directory has a new path. */
  public void directoryRenamed(PosixPath from, PosixPath path) {
    for (PosixPath before : below(from)) {
      Life life = current.remove(before);
      if (life != null) {
        PosixPath now = path.resolve(before.below(from));
        gone(now);
        place(life, now);
      }
    }
  }

  /** Leaves the files below a directory to the watch, which knows where it is. */
  public void forgetBelow(PosixPath directory) {
    for (PosixPath path : below(directory)) {
      Life life = current.remove(path);
      if (life != null) {
        assignments.forget(life);
      }
    }
  }

  /** What is called as the directory was took its place, as when both are exchanged. */
  private Set<PosixPath> below(PosixPath directory) {
    Set<PosixPath> names = new HashSet<>();
    for (PosixPath path : current.keySet()) {
      if (path.startsWith(directory) && !path.equals(directory)) {
        names.add(path);
      }
    }
    return names;
  }

  /** Leaves all files to the watch. */
  public void clear() {
    current.clear();
    ended.clear();
    assignments.clear();
    written.clear();
    told.clear();
  }
}
