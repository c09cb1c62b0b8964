package dev.tailwater.delivery.watch;

import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.FairShares;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The files that are open, and the paths that wait until they may be opened. Each source has a fair
 * share of the descriptors, so that the files of one cannot keep those of another from being
 * opened. No operation takes longer when there are more files. For one thread.
 */
final class OpenFiles {
  /** How many files are tried at most when one must be closed so that another can be opened. */
  private static final int MAX_ASKED = 32;

  private final Map<PosixPath, Source> sourceByRoot = new LinkedHashMap<>();
  private final Map<WatchedFile, Source> sourceByFile = new HashMap<>();

  /** The source of paths below no root, which there are only when a root is given up. */
  private final Source other;

  /** Closes files that are not needed now, and then calls {@link #closed}. */
  interface Closing {
    /** Lets files leave memory that are not needed now. */
    default void leaveMemory() {}

    /** Closes some files that left memory; returns whether any was. */
    default boolean closeSome(QuietDescriptors quiet) {
      return false;
    }

    /** Closes a file if it is not needed now; returns whether it was. */
    boolean closeIfQuiet(WatchedFile file);
  }

  private static final class Source {
    /** Of the descriptors. */
    final FairShares.Share share;

    /** Of the files that may be in memory. */
    final FairShares.Share memory;

    /** The open files; those that were tried longest ago come first. */
    final LinkedHashSet<WatchedFile> open = new LinkedHashSet<>();

    final LinkedHashSet<PosixPath> waiting = new LinkedHashSet<>();

    /** The descriptors of files that left memory. */
    final QuietDescriptors quiet;

    Source(FairShares.Share share, FairShares.Share memory, FileCalls calls) {
      this.share = share;
      this.memory = memory;
      this.quiet = new QuietDescriptors(calls);
    }
  }

  /**
   * Creates an empty set.
   *
   * @param most how many files may be open at once
   * @param mostInMemory how many of them may be in memory
   */
  OpenFiles(FileCalls calls, int most, int mostInMemory, List<PosixPath> roots) {
    FairShares shares = new FairShares(most, Math.max(1, roots.size()), 2);
    FairShares memory = new FairShares(mostInMemory, Math.max(1, roots.size()), 2);
    roots.forEach(
        root -> sourceByRoot.put(root, new Source(shares.share(), memory.share(), calls)));
    this.other = new Source(shares.share(), memory.share(), calls);
  }

  private Source sourceOf(PosixPath path) {
    for (Map.Entry<PosixPath, Source> entry : sourceByRoot.entrySet()) {
      if (path.startsWith(entry.getKey())) {
        return entry.getValue();
      }
    }
    return other;
  }

  /** Returns whether one more file may be opened at this path. */
  boolean hasRoom(PosixPath path) {
    Source source = sourceOf(path);
    return source.share.hasRoom(1) && source.memory.hasRoom(1);
  }

  /** Returns whether there is no room in memory for one more file at this path. */
  boolean isMemoryFull(PosixPath path) {
    return !sourceOf(path).memory.hasRoom(1);
  }

  /**
   * Closes files so that one more can be opened at this path: first of its own source, then of the
   * one with the most open files.
   *
   * @param closing closes files that are not needed now
   * @return whether there is room now
   */
  boolean makeRoom(PosixPath path, Closing closing) {
    Source own = sourceOf(path);
    if (!own.memory.hasRoom(1)) {
      closing.leaveMemory();
      if (!own.memory.hasRoom(1)) {
        return false;
      }
    }
    return own.share.hasRoom(1) || freeDescriptors(path, closing);
  }

  /**
   * Closes files as {@link #makeRoom} does; also where the machine has no descriptors left, though
   * there should be some.
   *
   * @return whether there is room now
   */
  boolean freeDescriptors(PosixPath path, Closing closing) {
    Source own = sourceOf(path);
    if (closeSome(own, closing) && own.share.hasRoom(1)) {
      return true;
    }
    Source largest = own;
    for (Source source : sourceByRoot.values()) {
      largest = source.share.taken() > largest.share.taken() ? source : largest;
    }
    return largest != own && closeSome(largest, closing) && own.share.hasRoom(1);
  }

  private static boolean closeSome(Source source, Closing closing) {
    if (source.quiet.size() > 0 && closing.closeSome(source.quiet)) {
      return true;
    }
    boolean closedAny = false;
    for (int i = Math.min(MAX_ASKED, source.open.size()); i > 0; i--) {
      WatchedFile file = source.open.removeFirst();
      source.open.addLast(file);
      closedAny |= closing.closeIfQuiet(file);
    }
    return closedAny;
  }

  void opened(PosixPath path, WatchedFile file) {
    Source source = sourceOf(path);
    source.share.take(1);
    source.memory.take(1);
    source.open.add(file);
    sourceByFile.put(file, source);
  }

  void closed(WatchedFile file) {
    Source source = sourceByFile.remove(file);
    if (source != null) {
      source.share.give(1);
      source.memory.give(1);
      source.open.remove(file);
    }
  }

  /** Returns the descriptors of files at such paths that left memory. */
  QuietDescriptors quietAt(PosixPath path) {
    return sourceOf(path).quiet;
  }

  /** Returns the descriptors of all files that left memory. */
  List<QuietDescriptors> quiet() {
    List<QuietDescriptors> all = new ArrayList<>();
    sourceByRoot.values().forEach(source -> all.add(source.quiet));
    all.add(other.quiet);
    return all;
  }

  /** Returns how many files that left memory are open. */
  int quietCount() {
    int count = other.quiet.size();
    for (Source source : sourceByRoot.values()) {
      count += source.quiet.size();
    }
    return count;
  }

  /** Notes that an open file left memory with its descriptor. */
  void left(WatchedFile file, PosixPath name) {
    closed(file);
    sourceOf(name).share.take(1);
  }

  /** Notes that a file that left memory is back with its descriptor. */
  void cameBack(PosixPath name, WatchedFile file) {
    sourceOf(name).share.give(1);
    opened(name, file);
  }

  /** Notes that the descriptor of a file that left memory is closed. */
  void closedQuiet(QuietDescriptors of) {
    for (Source source : sourceByRoot.values()) {
      if (source.quiet == of) {
        source.share.give(1);
        return;
      }
    }
    other.share.give(1);
  }

  /**
   * Returns whether other paths of the same source wait: one that comes later waits behind them,
   * instead of having files asked again whether they can be closed.
   */
  boolean isQueued(PosixPath path) {
    return !sourceOf(path).waiting.isEmpty();
  }

  /** Adds a path that is to be opened when there is room. */
  void await(PosixPath path) {
    sourceOf(path).waiting.add(path);
  }

  /** Removes a path that is opened, or need not be opened any more. */
  void forget(PosixPath path) {
    sourceOf(path).waiting.remove(path);
  }

  boolean isAwaited(PosixPath path) {
    return sourceOf(path).waiting.contains(path);
  }

  boolean anyAwaited() {
    return !other.waiting.isEmpty()
        || sourceByRoot.values().stream().anyMatch(source -> !source.waiting.isEmpty());
  }

  /**
   * Tries to open the paths that wait; of each source, those that wait longest first.
   *
   * @param tryOpen opens one; false when there is no room, and the source must go on waiting
   */
  void retry(Predicate<PosixPath> tryOpen) {
    List<Source> sources = new ArrayList<>(sourceByRoot.values());
    sources.add(other);
    for (Source source : sources) {
      for (int i = source.waiting.size(); i > 0; i--) {
        if (!tryOpen.test(source.waiting.getFirst())) {
          break;
        }
      }
    }
  }
}
