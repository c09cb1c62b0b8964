package dev.tailwater.io.watch;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.StatFlag;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Looks for names of other owners in the directories below one root that must not be listed yet,
 * because files of some owners wait ({@link Backlog}). Names of those are passed over, and not
 * remembered. So one owner's names do not hold up another's, at the price of a second look at each
 * name.
 *
 * <p>Each directory is listed once. All are listed again when an owner that was passed over has no
 * files left that wait; that takes at most a tenth of the time.
 */
final class AheadSearch implements AutoCloseable {
  private static final Set<OpenFlag> LIST = EnumSet.noneOf(OpenFlag.class);
  private static final Set<StatFlag> NO_FOLLOW = EnumSet.of(StatFlag.NO_FOLLOW);

  /**
   * It finds no more names while the owners, with at most a portion each, have more than this many
   * portions that wait.
   */
  private static final int MOST_PORTIONS = 16;

  /** How long it rests after it has listed everything, for the time that this took. */
  private static final int REST_FACTOR = 9;

  private final WatchContext context;
  private final PassWork work;
  private final EntryCheck names;
  private final DirectoryNode root;
  private final LongSupplier nanoClock;

  /** The directories that are to be listed; those of this round are passed over. */
  private final Deque<DirectoryNode> queue = new ArrayDeque<>();

  private final Set<Long> passedOver = new HashSet<>();
  private Optional<Listed> current = Optional.empty();

  /** Differs from that of every earlier round of this and other searches. */
  private long round;

  private long tookNanos;
  private long endedNanos;

  /** A directory that is being listed. */
  private record Listed(DirectoryNode node, PosixPath path, Descriptor directory) {}

  AheadSearch(
      WatchContext context,
      PassWork work,
      EntryCheck names,
      DirectoryNode root,
      LongSupplier nanoClock) {
    this.context = context;
    this.work = work;
    this.names = names;
    this.root = root;
    this.nanoClock = nanoClock;
    this.round = context.tree().nextScan();
    this.endedNanos = nanoClock.getAsLong();
  }

  /** Adds directories that must wait. */
  void add(Collection<DirectoryNode> waiting) {
    queue.addAll(waiting);
  }

  /**
   * Returns whether all directories that must wait are to be listed again, since there may be names
   * of owners now that were passed over. The caller {@linkplain #add adds} them then.
   */
  boolean beginAgain() {
    Set<Long> owners = owners();
    if (current.isPresent()
        || !queue.isEmpty()
        || owners.isEmpty()
        || owners.containsAll(passedOver)
        || nanoClock.getAsLong() - endedNanos < REST_FACTOR * tookNanos) {
      return false;
    }
    round = context.tree().nextScan();
    passedOver.clear();
    tookNanos = 0;
    return true;
  }

  private Set<Long> owners() {
    return context.options().backlog().waitingByOwner(root.path).keySet();
  }

  private boolean isCrowded() {
    long portion = work.portion().maxNames();
    long names = 0;
    for (long waiting : context.options().backlog().waitingByOwner(root.path).values()) {
      names += Math.min(portion, waiting);
    }
    return names > MOST_PORTIONS * portion;
  }

  /** Lists some names; false if there is nothing to do, or what was found must wait too. */
  boolean proceed() {
    Set<Long> owners = owners();
    if (owners.isEmpty() || isCrowded()) {
      return false;
    }
    long startNanos = nanoClock.getAsLong();
    while (current.isEmpty() && !queue.isEmpty()) {
      open(queue.removeFirst());
    }
    if (current.isEmpty()) {
      return false;
    }
    if (!isHere(current.get()) || !list(current.get(), owners)) {
      close();
    }
    endedNanos = nanoClock.getAsLong();
    tookNanos += endedNanos - startNanos;
    return true;
  }

  /** Makes the directory the current one, if it is to be listed. */
  private void open(DirectoryNode node) {
    if (node.aheadRound == round || node.restricted || node.lost) {
      return;
    }
    node.aheadRound = round;
    try {
      Listed opened = new Listed(node, node.path, context.opener().open(node, LIST));
      current = Optional.of(opened); // So that it is closed whatever happens.
      int fd = opened.directory().fd();
      FileStatus status = context.calls().fstat(fd);
      if (isHere(opened) && node.key.isOf(status) && !context.isLeftOut(status)) {
        context.watches().ensure(node, fd);
        return;
      }
    } catch (ErrnoException e) {
      // The listing that waits reports it.
    }
    close();
  }

  private boolean isHere(Listed listed) {
    DirectoryNode node = listed.node();
    return !node.lost && context.tree().contains(node) && node.path.equals(listed.path());
  }

  /** Returns whether there is more to list. */
  private boolean list(Listed listed, Set<Long> owners) {
    List<DirectoryEntry> entries = new ArrayList<>();
    try {
      boolean more = context.calls().nextEntries(listed.directory().fd(), entries::add);
      entries.forEach(entry -> look(listed, entry, owners));
      return more;
    } catch (ErrnoException e) {
      return false; // The listing that waits reports it.
    }
  }

  private void look(Listed listed, DirectoryEntry entry, Set<Long> owners) {
    DirectoryNode node = listed.node();
    PosixPath name = entry.name();
    work.portion().count(1);
    if (node.files.contains(name)
        || node.directories.containsKey(name)
        || !isWanted(node, name, entry.type())) {
      return;
    }
    try {
      FileStatus status = context.calls().statx(listed.directory().fd(), name, NO_FOLLOW);
      if (owners.contains(status.ownerId())) {
        passedOver.add(status.ownerId());
      } else {
        names.look(node, name, listed.directory().fd(), EntryCheck.NO_EVENT);
      }
    } catch (ErrnoException e) {
      // It is gone, or the listing that waits reports it.
    }
  }

  /** Links wait for the listing. */
  private boolean isWanted(DirectoryNode node, PosixPath name, EntryType type) {
    return switch (type) {
      case REGULAR -> context.wantsFile(node, name);
      case DIRECTORY -> context.wantsDirectory(node, name);
      case UNKNOWN -> true;
      case SYMBOLIC_LINK, FIFO, SOCKET, CHARACTER_DEVICE, BLOCK_DEVICE -> false;
    };
  }

  /** Closes the directory that is being listed. */
  @Override
  public void close() {
    Optional<Listed> open = current;
    current = Optional.empty();
    if (open.isPresent()) {
      try {
        open.get().directory().close();
      } catch (ErrnoException e) {
        context.unobservable().report(open.get().path(), e);
      }
    }
  }
}
