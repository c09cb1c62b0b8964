package dev.tailwater.delivery.watch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The watched files by identity and by name. Changed by the watch thread only. Thread-safe. */
public final class FileRegistry {
  @GuardedBy("this")
  private final Map<FileIdentity, WatchedFile> byIdentity = new LinkedHashMap<>();

  @GuardedBy("this")
  private final Map<PosixPath, WatchedFile> byName = new HashMap<>();

  /** How many files have left memory. */
  @GuardedBy("this")
  private long away;

  /** Which sources a file has left memory of. */
  @GuardedBy("this")
  private final BitSet sourcesOfAway = new BitSet();

  private final List<Predicate<PosixPath>> sources;

  /**
   * Creates an empty registry.
   *
   * @param sources tell which names belong to each source
   */
  public FileRegistry(List<Predicate<PosixPath>> sources) {
    this.sources = List.copyOf(sources);
  }

  /** Returns whether a file of the source is known, or was. */
  public boolean hasFilesOf(int source) {
    synchronized (this) {
      if (sourcesOfAway.get(source)) {
        return true;
      }
    }
    return all().stream().anyMatch(file -> sources.get(source).test(file.name()));
  }

  /** Removes a file, of which the table of files knows all. */
  synchronized void leave(WatchedFile file) {
    for (int i = sourcesOfAway.nextClearBit(0);
        i < sources.size();
        i = sourcesOfAway.nextClearBit(i + 1)) {
      sourcesOfAway.set(i, sources.get(i).test(file.name()));
    }
    byIdentity.remove(file.identity());
    byName.remove(file.name(), file);
    away++;
  }

  /** Notes that a file that had left memory is back, or is gone. */
  synchronized void cameBack() {
    away--;
  }

  /** Returns how many files are known, in memory or not. */
  public synchronized long known() {
    return byIdentity.size() + away;
  }

  synchronized void add(WatchedFile file) {
    byIdentity.put(file.identity(), file);
  }

  /** Binds a name to a file; returns the other file that it led to before, if any. */
  synchronized Optional<WatchedFile> bind(PosixPath name, WatchedFile file) {
    WatchedFile before = byName.put(name, file);
    return before == file ? Optional.empty() : Optional.ofNullable(before);
  }

  synchronized Optional<WatchedFile> unbind(PosixPath name) {
    return Optional.ofNullable(byName.remove(name));
  }

  synchronized void remove(WatchedFile file) {
    byIdentity.remove(file.identity());
  }

  public synchronized Optional<WatchedFile> find(FileIdentity identity) {
    return Optional.ofNullable(byIdentity.get(identity));
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
