package dev.tailwater.delivery.watch;

import dev.tailwater.delivery.quiet.QuietDescriptors;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.FairShares;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The files that are open, and the paths that wait until they may be opened. Each source has a fair
 * share of the descriptors, so that the files of one cannot keep those of another from being
 * opened. A part of the descriptors is for files that are opened early, before the watch has looked
 * ({@link EarlyOpens}). No operation takes longer when there are more files.
 *
 * <p>For one thread, except {@link #takeEarly} and {@link #giveEarly}.
 */
final class OpenFiles {
  /** How many files are tried at most when one must be closed so that another can be opened. */
  private static final int MAX_ASKED = 32;

  /** One in this many descriptors, or files in memory, is for files that are opened early. */
  private static final int EARLY_ONE_IN = 8;

  /** So that what is opened early takes little memory, however many descriptors there are. */
  private static final int MOST_EARLY = 4_096;

  private final Map<PosixPath, Source> sourceByRoot = new LinkedHashMap<>();
  private final Map<WatchedFile, Source> sourceByFile = new HashMap<>();

  /** The open files that still have an early place. */
  private final Set<WatchedFile> early = new HashSet<>();

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

    final FairShares.Share earlyShare;

    /** Of the files that may be in memory. */
    final FairShares.Share memory;

    /** The descriptors of files that left memory. */
    final QuietDescriptors quiet;

    /** The open files; those that were tried longest ago come first. */
    final LinkedHashSet<WatchedFile> open = new LinkedHashSet<>();

    final LinkedHashSet<PosixPath> waiting = new LinkedHashSet<>();

    Source(
        FairShares.Share share,
        FairShares.Share earlyShare,
        FairShares.Share memory,
        FileCalls calls) {
      this.share = share;
      this.earlyShare = earlyShare;
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
    int mostEarly = Math.min(MOST_EARLY, Math.min(most, mostInMemory) / EARLY_ONE_IN);
    int sources = Math.max(1, roots.size());
    FairShares shares = new FairShares(most - mostEarly, sources, 2);
    FairShares earlyShares = new FairShares(mostEarly, sources, 2);
    FairShares memory = new FairShares(mostInMemory, sources, 2);
    Supplier<Source> making =
        () -> new Source(shares.share(), earlyShares.share(), memory.share(), calls);
    roots.forEach(root -> sourceByRoot.put(root, making.get()));
    this.other = making.get();
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

  /**
   * Adds a file that was opened in an early place. It keeps the place for as long as there is no
   * other room.
   */
  void openedEarly(PosixPath path, WatchedFile file) {
    Source source = sourceOf(path);
    source.memory.take(1);
    source.open.add(file);
    sourceByFile.put(file, source);
    if (source.share.tryTake(1)) {
      source.earlyShare.give(1);
    } else {
      early.add(file);
    }
  }

  /** Takes a place for a file that is opened early; false if there is none. For any thread. */
  boolean takeEarly(PosixPath path) {
    return sourceOf(path).earlyShare.tryTake(1);
  }

  /** Gives an early place back. For any thread. */
  void giveEarly(PosixPath path) {
    sourceOf(path).earlyShare.give(1);
  }

  void closed(WatchedFile file) {
    Source source = sourceByFile.remove(file);
    if (source != null) {
      (early.remove(file) ? source.earlyShare : source.share).give(1);
      source.memory.give(1);
      source.open.remove(file);
    }
  }

  /**
   * Returns whether a file that is open has another place than an early one, which it does not take
   * along when it leaves memory; gives it such a place if there is room.
   */
  boolean mayLeave(WatchedFile file) {
    Source source = sourceByFile.get(file);
    if (source == null || !early.contains(file)) {
      return source != null;
    }
    if (!source.share.tryTake(1)) {
      return false;
    }
    early.remove(file);
    source.earlyShare.give(1);
    return true;
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

  /** Returns the descriptors of files at such paths that left memory. */
  QuietDescriptors quietAt(PosixPath path) {
    return sourceOf(path).quiet;
  }

  /** Returns the descriptors of all files that left memory. */
  List<QuietDescriptors> quiet() {
    return sources().stream().map(source -> source.quiet).toList();
  }

  /** Returns how many files that left memory are open. */
  int quietCount() {
    int count = other.quiet.count();
    for (Source source : sourceByRoot.values()) {
      count += source.quiet.count();
    }
    return count;
  }

  /** Returns whether there is room in memory for one of these files. */
  boolean hasRoomInMemory(QuietDescriptors of) {
    return sources().stream().anyMatch(source -> source.quiet == of && source.memory.hasRoom(1));
  }

  /** Notes that the descriptor of a file that left memory is closed. */
  void closedQuiet(QuietDescriptors of) {
    sources().stream().filter(source -> source.quiet == of).forEach(source -> source.share.give(1));
  }

  private List<Source> sources() {
    List<Source> sources = new ArrayList<>(sourceByRoot.values());
    sources.add(other);
    return sources;
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
    return sources().stream().anyMatch(source -> !source.waiting.isEmpty());
  }

  /** Returns how many files below a source wait to be opened. */
  int awaitedBelow(PosixPath root) {
    return sourceOf(root).waiting.size();
  }

  /** Returns how many files wait to be opened, or without a name for room in memory. */
  long waitingFiles() {
    return sources().stream()
        .mapToLong(source -> source.waiting.size() + source.quiet.namelessCount())
        .sum();
  }

  /**
   * Tries to open the paths that wait; of each source, those that wait longest first.
   *
   * @param tryOpen opens one; false when there is no room, and the source must go on waiting
   */
  void retry(Predicate<PosixPath> tryOpen) {
    for (Source source : sources()) {
      for (int i = source.waiting.size(); i > 0; i--) {
        if (!tryOpen.test(source.waiting.getFirst())) {
          break;
        }
      }
    }
  }
}
