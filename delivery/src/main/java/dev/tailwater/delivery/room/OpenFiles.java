package dev.tailwater.delivery.room;

import dev.tailwater.delivery.quiet.QuietDescriptors;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.FairShares;
import dev.tailwater.io.watch.Backlog;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The files that are open, and the paths that wait until they may be opened. Each source has a fair
 * share of the descriptors, so that the files of one cannot keep those of another from being
 * opened. Within a source, each owner of files has a fair share of the {@linkplain OwnerPlaces
 * places in memory}, and whose files wait {@linkplain WaitingPaths take turns}. A part of the
 * descriptors is for files that are opened before the watch has looked, by the thread that reads
 * new names. No operation takes longer when there are more files.
 *
 * <p>For one thread, except those for files that are opened early.
 */
public final class OpenFiles {
  /** The owner of files whose owner is not known. */
  public static final long NOBODY = -1;

  /** How many files are tried at most when one must be closed so that another can be opened. */
  private static final int MAX_ASKED = 32;

  /** One in this many descriptors, or files in memory, is for files that are opened early. */
  private static final int EARLY_ONE_IN = 8;

  /** So that what is opened early takes little memory, however many descriptors there are. */
  private static final int MOST_EARLY = 4_096;

  /** Descriptors are short where there are not so many more for files of a source that waits. */
  private static final int SHORT_BELOW = 1_024;

  private final Map<PosixPath, Source> sourceByRoot = new LinkedHashMap<>();
  private final Map<WatchedFile, Owner> ownerByFile = new HashMap<>();

  /** The open files that still have an early place. */
  private final Set<WatchedFile> early = new HashSet<>();

  /** The source of paths below no root, which there are only when a root is given up. */
  private final Source other;

  /** Those of the roots, and the other. */
  private final List<Source> sources;

  /** Closes files that are not needed now, and then calls {@link #closed}. */
  public interface Closing {
    /** Lets files leave memory that are not needed now. */
    default void leaveMemory() {}

    /** Closes some files that left memory; returns whether any was. */
    default boolean closeSome(QuietDescriptors quiet) {
      return false;
    }

    /** Closes a file if it is not needed now; returns whether it was. */
    boolean closeIfQuiet(WatchedFile file);
  }

  /** Tells who owns what is at a path. For any thread. */
  public interface Owners {
    /** Returns the user id; empty where that is not known. */
    OptionalLong of(PosixPath path);
  }

  /** Somebody who has files in memory. */
  private record Owner(Source source, long id) {}

  private static final class Source {
    /** Of the descriptors. */
    final FairShares.Share share;

    /** Of the files that may be opened early. */
    final OwnerPlaces early;

    /** Of the files that may be in memory. */
    final OwnerPlaces memory;

    /** The descriptors of files that left memory. */
    final QuietDescriptors quiet;

    /** The open files; those that were tried longest ago come first. */
    final LinkedHashSet<WatchedFile> open = new LinkedHashSet<>();

    final WaitingPaths waiting = new WaitingPaths();

    /** The owners of files in memory, each once. */
    final Map<Long, Owner> owners = new HashMap<>();

    Source(FairShares.Share share, OwnerPlaces early, OwnerPlaces memory, QuietDescriptors quiet) {
      this.share = share;
      this.early = early;
      this.memory = memory;
      this.quiet = quiet;
    }

    Owner owner(long id) {
      return owners.computeIfAbsent(id, owner -> new Owner(this, owner));
    }
  }

  /**
   * Creates an empty set.
   *
   * @param most how many files may be open at once
   * @param mostInMemory how many of them may be in memory
   * @param owners tells who owns a source, who may have all of its places
   */
  public OpenFiles(
      FileCalls calls, int most, int mostInMemory, List<PosixPath> roots, Owners owners) {
    int mostEarly = Math.min(MOST_EARLY, Math.min(most, mostInMemory) / EARLY_ONE_IN);
    int sources = Math.max(1, roots.size());
    FairShares shares = new FairShares(most - mostEarly, sources, 2);
    FairShares earlyShares = new FairShares(mostEarly, sources, 2);
    FairShares memory = new FairShares(mostInMemory, sources, 2);
    Function<Supplier<OptionalLong>, Source> making =
        host ->
            new Source(
                shares.share(),
                new OwnerPlaces(earlyShares.share(), host),
                new OwnerPlaces(memory.share(), host),
                new QuietDescriptors(calls));
    roots.forEach(root -> sourceByRoot.put(root, making.apply(() -> owners.of(root))));
    this.other = making.apply(OptionalLong::empty);
    this.sources = Stream.concat(sourceByRoot.values().stream(), Stream.of(other)).toList();
  }

  private Source sourceOf(PosixPath path) {
    for (Map.Entry<PosixPath, Source> entry : sourceByRoot.entrySet()) {
      if (path.startsWith(entry.getKey())) {
        return entry.getValue();
      }
    }
    return other;
  }

  /** Returns whether one more file may be opened at this path, whoever owns it. */
  public boolean hasRoomForAll(PosixPath path) {
    Source source = sourceOf(path);
    return source.share.hasRoom(1) && source.memory.hasRoomForAll();
  }

  /** Returns whether one more file of an owner may be opened at this path. */
  public boolean hasRoom(PosixPath path, long ownerId) {
    return hasRoom(sourceOf(path), ownerId);
  }

  private static boolean hasRoom(Source source, long ownerId) {
    return source.share.hasRoom(1) && source.memory.hasRoom(ownerId);
  }

  /** Returns whether there is no room in memory for one more file at this path. */
  public boolean isMemoryFull(PosixPath path) {
    return !sourceOf(path).memory.hasRoom();
  }

  /** Returns whether there is no room in memory for one more file of some owner. */
  public boolean isMemoryShort(PosixPath path) {
    return !sourceOf(path).memory.hasRoomForAll();
  }

  /** Returns whether there is no room in memory for one more file of an owner. */
  public boolean isMemoryFull(PosixPath path, long ownerId) {
    return !sourceOf(path).memory.hasRoom(ownerId);
  }

  /**
   * Closes files so that one more of an owner can be opened at this path: first of its own source,
   * then of the one with the most open files.
   *
   * @param closing closes files that are not needed now
   * @return whether there is room now
   */
  public boolean makeRoom(PosixPath path, long ownerId, Closing closing) {
    Source own = sourceOf(path);
    if (!own.memory.hasRoom(ownerId)) {
      closing.leaveMemory();
      if (!own.memory.hasRoom(ownerId)) {
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
  public boolean freeDescriptors(PosixPath path, Closing closing) {
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

  public void opened(PosixPath path, long ownerId, WatchedFile file) {
    Source source = sourceOf(path);
    source.share.take(1);
    add(source.owner(ownerId), file);
  }

  private void add(Owner owner, WatchedFile file) {
    owner.source.memory.take(owner.id);
    owner.source.open.add(file);
    ownerByFile.put(file, owner);
  }

  /**
   * Adds a file that was opened in an early place. It keeps the place for as long as there is no
   * other room.
   */
  public void openedEarly(PosixPath path, long ownerId, WatchedFile file) {
    Source source = sourceOf(path);
    boolean hasOtherRoom = source.memory.hasRoom(ownerId) && source.share.tryTake(1);
    add(source.owner(ownerId), file);
    if (hasOtherRoom) {
      source.early.give(ownerId);
    } else {
      early.add(file);
    }
  }

  /** Takes a place for a file that is opened early; false if there is none. For any thread. */
  public boolean takeEarly(PosixPath path) {
    return sourceOf(path).early.tryTakeUnowned();
  }

  /**
   * Gives an early place that was taken to the owner of the file; false if that has too many. For
   * any thread.
   */
  public boolean ownEarly(PosixPath path, long ownerId) {
    return sourceOf(path).early.tryOwn(ownerId);
  }

  /** Gives back an early place that was taken for nobody yet. For any thread. */
  public void giveEarly(PosixPath path) {
    sourceOf(path).early.giveUnowned();
  }

  /** Gives back the early place of an owner. For any thread. */
  public void giveEarly(PosixPath path, long ownerId) {
    sourceOf(path).early.give(ownerId);
  }

  public void closed(WatchedFile file) {
    Owner owner = ownerByFile.remove(file);
    if (owner == null) {
      return;
    }
    Source source = owner.source;
    if (early.remove(file)) {
      source.early.give(owner.id);
    } else {
      source.share.give(1);
    }
    if (source.memory.give(owner.id)) {
      source.owners.remove(owner.id);
    }
    source.open.remove(file);
  }

  /**
   * Returns whether a file that is open has another place than an early one, which it does not take
   * along when it leaves memory; gives it such a place if there is room.
   */
  public boolean mayLeave(WatchedFile file) {
    Owner owner = ownerByFile.get(file);
    if (owner == null || !early.contains(file)) {
      return owner != null;
    }
    if (!owner.source.share.tryTake(1)) {
      return false;
    }
    early.remove(file);
    owner.source.early.give(owner.id);
    return true;
  }

  /** Notes that an open file left memory with its descriptor. */
  public void left(WatchedFile file, PosixPath name) {
    closed(file);
    openedQuiet(name);
  }

  /** Notes that a file was opened that need not be in memory. */
  public void openedQuiet(PosixPath name) {
    sourceOf(name).share.take(1);
  }

  /** Notes that a file that left memory is back with its descriptor. */
  public void cameBack(PosixPath name, long ownerId, WatchedFile file) {
    sourceOf(name).share.give(1);
    opened(name, ownerId, file);
  }

  /** Returns the descriptors of files at such paths that left memory. */
  public QuietDescriptors quietAt(PosixPath path) {
    return sourceOf(path).quiet;
  }

  /** Returns the descriptors of all files that left memory. */
  public List<QuietDescriptors> quiet() {
    return sources.stream().map(source -> source.quiet).toList();
  }

  /** Returns how many files that left memory are open. */
  public int quietCount() {
    int count = 0;
    for (Source source : sources) {
      count += source.quiet.count();
    }
    return count;
  }

  /** Returns whether there is room in memory for one of these files. */
  public boolean hasRoomInMemory(QuietDescriptors of) {
    return sources.stream().anyMatch(source -> source.quiet == of && source.memory.hasRoom());
  }

  /** Notes that the descriptor of a file that left memory is closed. */
  public void closedQuiet(QuietDescriptors of) {
    for (Source source : sources) {
      if (source.quiet == of) {
        source.share.give(1);
      }
    }
  }

  /**
   * Returns whether other paths of the same source wait, and few more can be opened: a file that
   * leaves memory then does so without its descriptor.
   */
  public boolean isShort(PosixPath path) {
    Source source = sourceOf(path);
    return !source.waiting.isEmpty() && !source.share.hasRoom(SHORT_BELOW);
  }

  /**
   * Returns whether other paths of the same source wait: one that comes later waits with them,
   * instead of taking the place of those whose turn it is.
   */
  public boolean isQueued(PosixPath path) {
    return !sourceOf(path).waiting.isEmpty();
  }

  /** Adds a path that is to be opened when there is room. */
  public void await(PosixPath path, long ownerId) {
    sourceOf(path).waiting.add(path, ownerId);
  }

  /** Removes a path that is opened, or need not be opened any more. */
  public void forget(PosixPath path) {
    sourceOf(path).waiting.remove(path);
  }

  public boolean isAwaited(PosixPath path) {
    return sourceOf(path).waiting.contains(path);
  }

  public boolean anyAwaited() {
    return sources.stream().anyMatch(source -> !source.waiting.isEmpty());
  }

  /** Returns which files below a source wait to be opened. For the thread of the watch. */
  public Backlog backlog() {
    return new Backlog() {
      @Override
      public int waitingFiles(PosixPath root) {
        return sourceOf(root).waiting.size();
      }

      @Override
      public long waitingPathBytes(PosixPath root) {
        return sourceOf(root).waiting.pathBytes();
      }

      @Override
      public Map<Long, Integer> waitingByOwner(PosixPath root) {
        return sourceOf(root).waiting.countByOwner();
      }
    };
  }

  /** Returns how many files wait to be opened, or without a name for room in memory. */
  public long waitingFiles() {
    return sources.stream()
        .mapToLong(source -> source.waiting.size() + source.quiet.namelessCount())
        .sum();
  }

  /** Returns how many files of each owner wait to be opened. */
  public Map<Long, Long> waitingByOwner() {
    Map<Long, Long> countByOwner = new TreeMap<>();
    sources.forEach(source -> source.waiting.countInto(countByOwner));
    return countByOwner;
  }

  /** Opens a path that waits. */
  public interface Opening {
    /** Returns false when there is no room for one more file of this owner. */
    boolean tryOpen(PosixPath path, long ownerId);
  }

  /** Tries to open the paths that wait. In each source, the owners take turns. */
  public void retry(Opening opening) {
    sources.forEach(source -> retry(source, opening));
  }

  private static void retry(Source source, Opening opening) {
    int left = source.waiting.size();
    int withoutRoom = 0;
    boolean isCrowded = false;
    while (left > 0 && withoutRoom < source.waiting.owners()) {
      WaitingPaths.Next next = source.waiting.next().orElseThrow();
      // Whether others can leave is asked in vain only once, since that takes its time.
      boolean mayHaveRoom = !isCrowded || hasRoom(source, next.ownerId());
      if (mayHaveRoom && opening.tryOpen(next.path(), next.ownerId())) {
        left--;
        withoutRoom = 0;
      } else if (!source.share.hasRoom(1) || !source.memory.hasRoom()) {
        return; // The turn is the owner's still.
      } else {
        withoutRoom++;
        isCrowded = true;
      }
      source.waiting.endTurn(next.ownerId());
    }
  }
}
