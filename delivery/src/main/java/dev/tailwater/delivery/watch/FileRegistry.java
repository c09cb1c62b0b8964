package dev.tailwater.delivery.watch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.pack.DirectoryStatement;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The watched files in memory, by identity and by name. Changed by the watch thread only.
 * Thread-safe.
 */
public final class FileRegistry {
  @GuardedBy("this")
  private final Map<FileIdentity, WatchedFile> byIdentity = new LinkedHashMap<>();

  /** The files that have an inode number, on whatever file systems: nearly always one. */
  @GuardedBy("this")
  private final Map<Long, List<WatchedFile>> byInode = new HashMap<>();

  @GuardedBy("this")
  private final Map<PosixPath, WatchedFile> byName = new HashMap<>();

  /** Files that had several names when they got the last one. */
  @GuardedBy("this")
  private final Set<WatchedFile> severalNames = new LinkedHashSet<>();

  /** How many files left memory. */
  @GuardedBy("this")
  private long quiet;

  /** Which sources have files that left memory, or had. */
  @GuardedBy("this")
  private final BitSet sourcesOfQuiet = new BitSet();

  private final List<Predicate<PosixPath>> sources;
  private final List<LookedAtFiles> followers = new CopyOnWriteArrayList<>();

  /**
   * Creates an empty registry.
   *
   * @param sources tell which names belong to each source
   */
  public FileRegistry(List<Predicate<PosixPath>> sources) {
    this.sources = List.copyOf(sources);
  }

  /** Removes a file that leaves memory. */
  synchronized void leave(WatchedFile file) {
    byName.remove(file.name(), file);
    forget(file); // It is watched all the same.
    addQuiet(file.name());
  }

  /** Adds a file that need not be in memory. */
  synchronized void addQuiet(PosixPath name) {
    for (int i = 0; i < sources.size(); i++) {
      if (!sourcesOfQuiet.get(i) && sources.get(i).test(name)) {
        sourcesOfQuiet.set(i);
      }
    }
    quiet++;
  }

  /** Adds a file that is back in memory, and that has lost its name since it left. */
  synchronized void comeBack(WatchedFile file) {
    quiet--;
    add(file);
  }

  /** Notes that a file that left memory is there under another descriptor. */
  synchronized void forgetQuiet() {
    quiet--;
  }

  /** Adds a file that is back in memory. */
  synchronized void comeBack(PosixPath name, WatchedFile file) {
    quiet--;
    add(file);
    byName.put(name, file);
  }

  /** Returns how many files there are, in memory or not. */
  public synchronized long count() {
    return byIdentity.size() + quiet;
  }

  /** Returns whether a source has files, or had. */
  public boolean hasFilesOf(int source) {
    synchronized (this) {
      if (sourcesOfQuiet.get(source)) {
        return true;
      }
    }
    return all().stream().anyMatch(file -> sources.get(source).test(file.name()));
  }

  synchronized void add(WatchedFile file) {
    WatchedFile before = byIdentity.put(file.identity(), file);
    if (before != null) {
      forgetInode(before);
    }
    byInode.merge(file.identity().inode(), List.of(file), FileRegistry::joined);
    lookedAt(file);
  }

  /** Returns a set that collects the files that are looked at from now on. */
  public LookedAtFiles follow() {
    LookedAtFiles follower = new LookedAtFiles();
    followers.add(follower);
    return follower;
  }

  /** Returns whether somebody has to know of each file that is found. */
  boolean isFollowed() {
    return !followers.isEmpty();
  }

  /** Notes that a file was looked at because something about it has changed. */
  void lookedAt(WatchedFile file) {
    followers.forEach(follower -> follower.add(file));
  }

  /** Binds a name to a file; returns the other file that it led to before, if any. */
  synchronized Optional<WatchedFile> bind(PosixPath name, WatchedFile file) {
    WatchedFile before = byName.put(name, file);
    return before == file ? Optional.empty() : Optional.ofNullable(before);
  }

  /** Notes that a file has one more name. */
  synchronized void named(WatchedFile file) {
    if (file.names().size() > 1) {
      severalNames.add(file);
    }
  }

  /**
   * Returns the names of files that have several, but for the one under which each is archived.
   *
   * @param agent the agent's name in the archive
   * @param archived returns the path in the archive of a path here
   */
  public Map<PosixPath, List<DirectoryStatement.FurtherName>> furtherNames(
      String agent, UnaryOperator<PosixPath> archived) {
    Map<PosixPath, List<DirectoryStatement.FurtherName>> further = new HashMap<>();
    for (WatchedFile file : withSeveralNames()) {
      WatchedFile.Names names = file.lastAndOtherNames();
      PosixPath archivedPath = archived.apply(names.last());
      Optional<StreamId> id = Optional.of(StreamId.of(agent, file.identity(), 0));
      for (PosixPath name : names.others()) {
        further
            .computeIfAbsent(name.parent(), _ -> new ArrayList<>())
            .add(new DirectoryStatement.FurtherName(name.fileName(), archivedPath, id));
      }
    }
    further
        .values()
        .forEach(names -> names.sort(Comparator.comparing(DirectoryStatement.FurtherName::name)));
    return further;
  }

  private synchronized List<WatchedFile> withSeveralNames() {
    severalNames.removeIf(file -> file.names().size() < 2);
    return List.copyOf(severalNames);
  }

  synchronized Optional<WatchedFile> unbind(PosixPath name) {
    return Optional.ofNullable(byName.remove(name));
  }

  synchronized void remove(WatchedFile file) {
    forget(file);
    followers.forEach(follower -> follower.remove(file));
  }

  @GuardedBy("this")
  private void forget(WatchedFile file) {
    severalNames.remove(file);
    byIdentity.remove(file.identity());
    forgetInode(file);
  }

  public synchronized Optional<WatchedFile> find(FileIdentity identity) {
    return Optional.ofNullable(byIdentity.get(identity));
  }

  private static List<WatchedFile> joined(List<WatchedFile> some, List<WatchedFile> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }

  @GuardedBy("this")
  private void forgetInode(WatchedFile file) {
    byInode.computeIfPresent(
        file.identity().inode(),
        (_, files) -> {
          List<WatchedFile> others = files.stream().filter(other -> other != file).toList();
          return others.isEmpty() ? null : others;
        });
  }

  /** Returns whether some open file has this inode number, on whatever file system. */
  synchronized boolean hasOpen(long inode) {
    return byInode.getOrDefault(inode, List.of()).stream().anyMatch(WatchedFile::isOpen);
  }

  synchronized Optional<WatchedFile> find(PosixPath name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** Returns all files in the order in which they were first seen. */
  public synchronized List<WatchedFile> all() {
    return new ArrayList<>(byIdentity.values());
  }

  /** Returns the tails of one destination, in the order of their files. */
  public List<Tail> tails(int lane) {
    List<Tail> tails = new ArrayList<>();
    for (WatchedFile file : all()) {
      file.tail(lane).ifPresent(tails::add);
    }
    return tails;
  }
}
