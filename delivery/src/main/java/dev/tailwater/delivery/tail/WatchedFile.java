package dev.tailwater.delivery.tail;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.FileOwner;
import dev.tailwater.delivery.stream.Place;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A watched file: its identity, the names that lead to it, its open descriptor, and a tail for each
 * destination that is not done with it. However many tails there are, the file is open once.
 *
 * <p>Thread-safe; nothing here blocks.
 */
public final class WatchedFile {
  private final FileIdentity identity;
  private final ArchivedNames archivedNames;
  private final OwnerNames owners;

  private final LongSupplier arrivals;

  /** Replaced by another list when they change. */
  private volatile List<Tail> tails = List.of();

  private final SealTurns turns = new SealTurns();
  private final Consumer<WatchedFile> suspects;
  private final Comparisons comparisons;

  /** That under which the file is archived; of a file without a name, the last one. */
  @GuardedBy("this")
  private PosixPath lastName;

  @GuardedBy("this")
  private boolean isNamed = true;

  /** The other names that lead to the file; nearly always none. */
  @GuardedBy("this")
  private NavigableSet<PosixPath> otherNames = Collections.emptyNavigableSet();

  /** When the file came to that name. */
  @GuardedBy("this")
  private long arrivalNanos;

  @GuardedBy("this")
  private boolean hasOtherLinks;

  @GuardedBy("this")
  private Optional<SharedDescriptor> descriptor;

  @GuardedBy("this")
  private OptionalLong nameless = OptionalLong.empty();

  /**
   * Creates a file that is open, and that nobody compares with what was read of it.
   *
   * @param suspects takes the file when a look finds that it may have been changed in place
   */
  public WatchedFile(
      Descriptor descriptor,
      PosixPath name,
      FileIdentity identity,
      ArchivedNames archivedNames,
      Consumer<WatchedFile> suspects) {
    this(
        Optional.of(descriptor),
        name,
        OptionalLong.empty(),
        identity,
        archivedNames,
        OwnerNames.idsOnly(),
        suspects,
        Comparisons.NONE,
        System::nanoTime);
  }

  /**
   * Creates a file.
   *
   * @param descriptor empty where it is not open
   * @param arrivalNanos when it came to its name; empty if it comes there now
   * @param suspects takes the file when a look finds that it may have been changed in place
   * @param comparisons takes its tails when it was written to
   * @param arrivals gives each arrival of a file at a path a number that is higher than all before
   */
  public WatchedFile(
      Optional<Descriptor> descriptor,
      PosixPath name,
      OptionalLong arrivalNanos,
      FileIdentity identity,
      ArchivedNames archivedNames,
      OwnerNames owners,
      Consumer<WatchedFile> suspects,
      Comparisons comparisons,
      LongSupplier arrivals) {
    this.comparisons = comparisons;
    this.identity = identity;
    this.suspects = suspects;
    this.archivedNames = archivedNames;
    this.owners = owners;
    this.descriptor = descriptor.map(SharedDescriptor::new);
    this.arrivals = arrivals;
    this.lastName = name;
    this.arrivalNanos = arrivalNanos.orElseGet(arrivals);
  }

  public FileIdentity identity() {
    return identity;
  }

  /** Returns the last known name; if several names lead to the file, the one seen last. */
  public synchronized PosixPath name() {
    return lastName;
  }

  /** Returns all names that lead to the file. */
  public synchronized List<PosixPath> names() {
    if (otherNames.isEmpty()) {
      return isNamed ? List.of(lastName) : List.of();
    }
    NavigableSet<PosixPath> all = new TreeSet<>(otherNames);
    all.add(lastName);
    return List.copyOf(all);
  }

  /**
   * The names of a file at one moment.
   *
   * @param last that under which it is archived
   * @param others the others that lead to it
   */
  public record Names(PosixPath last, List<PosixPath> others) {}

  /** Returns the last known name and the others together. */
  public synchronized Names lastAndOtherNames() {
    return new Names(lastName, List.copyOf(otherNames));
  }

  /** Returns who owns the file. */
  FileOwner owner(FileStatus status) {
    return owners.of(status);
  }

  /** Returns its path in the archive. */
  public PosixPath archivedName() {
    return archivedNames.archived(name());
  }

  /** Has it come to its path now: a number that it got before is too low. */
  public synchronized void comeAnew() {
    arrivalNanos = arrivals.getAsLong();
  }

  /** Returns its path in the archive, and when it came there. */
  public Place archivedPlace() {
    PosixPath name;
    long since;
    synchronized (this) {
      name = lastName;
      since = arrivalNanos;
    }
    return new Place(archivedNames.archived(name), OptionalLong.of(since));
  }

  /** Notes in a stream where the file is, and with which attributes it was seen. */
  void noteIn(StreamProgress stream, FileStatus status, FileOwner owner, long nowMillis) {
    stream.changeTimeSeen(status.changeTimeNanos(), status.modificationTimeNanos(), nowMillis);
    stream.seen(
        archivedPlace(), status.permissions(), status.modificationTimeNanos(), owner, nowMillis);
  }

  /** Returns whether it has a descriptor now. */
  public synchronized boolean isOpen() {
    return descriptor.isPresent();
  }

  /** Leases its descriptor; empty when it is not open. */
  public synchronized Optional<SharedDescriptor.Lease> lease() {
    return descriptor.flatMap(SharedDescriptor::lease);
  }

  /** Takes over a descriptor, for a file whose own was closed. */
  public synchronized void adopt(Descriptor open) {
    descriptor = Optional.of(new SharedDescriptor(open));
  }

  /**
   * Takes over a descriptor in the place of the one that it has, which is given up.
   *
   * @throws ErrnoException as close(2) says; the new one has its place nevertheless
   */
  public void replaceDescriptor(Descriptor open) throws ErrnoException {
    Optional<SharedDescriptor> before;
    synchronized (this) {
      before = descriptor;
      descriptor = Optional.of(new SharedDescriptor(open));
    }
    if (before.isPresent()) {
      before.get().giveUp();
    }
  }

  /**
   * Gives up the descriptor, if there is one: it is closed when nobody uses it any more.
   *
   * @throws ErrnoException as close(2) says; the descriptor is closed nevertheless
   */
  public void giveUpDescriptor() throws ErrnoException {
    Optional<SharedDescriptor> open;
    synchronized (this) {
      open = descriptor;
      descriptor = Optional.empty();
    }
    if (open.isPresent()) {
      open.get().giveUp();
    }
  }

  /** Takes its descriptor away; empty when it has none, or somebody uses it at this moment. */
  public synchronized Optional<Descriptor> takeDescriptor() {
    Optional<Descriptor> taken = descriptor.flatMap(SharedDescriptor::take);
    if (taken.isPresent()) {
      descriptor = Optional.empty();
    }
    return taken;
  }

  /** Returns who compares what was read of the file with what it holds. */
  public Comparisons comparisons() {
    return comparisons;
  }

  /** Notes that a look could not tell whether it was changed in place, so another look must. */
  void suspect() {
    suspects.accept(this);
  }

  /** Notes how many hard links the file has. */
  synchronized void seenLinks(long links) {
    hasOtherLinks = links > 1;
  }

  /** Returns whether one name leads to the file, and nothing tells of another. */
  public synchronized boolean hasOneName() {
    return isNamed && otherNames.isEmpty() && !hasOtherLinks;
  }

  /** Adds a name that leads to the file. */
  public synchronized void addName(PosixPath name) {
    if (!isNamed) {
      isNamed = true;
      arriveAt(name);
    } else if (!name.equals(lastName)) {
      if (otherNames.isEmpty()) {
        otherNames = new TreeSet<>();
      }
      otherNames.remove(name);
      otherNames.add(lastName);
      arriveAt(name);
    }
    nameless = OptionalLong.empty();
  }

  /** Removes a name that no longer leads to the file. */
  public synchronized void removeName(PosixPath name, long nowNanos) {
    if (!otherNames.isEmpty()) {
      if (!name.equals(lastName)) {
        otherNames.remove(name);
      } else {
        arriveAt(otherNames.removeLast());
      }
    } else if (!isNamed || name.equals(lastName)) {
      isNamed = false;
      nameless = OptionalLong.of(nowNanos);
    }
  }

  @GuardedBy("this")
  private void arriveAt(PosixPath name) {
    lastName = name;
    arrivalNanos = arrivals.getAsLong();
  }

  /** Returns since when no watched name leads to the file; empty when one does. */
  public synchronized OptionalLong namelessSinceNanos() {
    return nameless;
  }

  /** Returns the tails of the destinations that are not done with the file. */
  public List<Tail> tails() {
    return tails;
  }

  /** Returns one destination's tail. */
  public Optional<Tail> tail(int lane) {
    List<Tail> present = tails;
    // By index: it is asked often, and would make an iterator each time.
    for (int i = 0; i < present.size(); i++) {
      if (present.get(i).lane() == lane) {
        return Optional.of(present.get(i));
      }
    }
    return Optional.empty();
  }

  /** Adds the tail of a destination that begins with the file. */
  public synchronized void attach(Tail tail) {
    List<Tail> more = new ArrayList<>(tails);
    more.add(tail);
    tails = List.copyOf(more);
  }

  /** Removes the tail of a destination that is done with the file. */
  public synchronized void detach(Tail tail) {
    tails = tails.stream().filter(other -> !other.equals(tail)).toList();
  }

  /** Returns the turns in which its tails are sealed. */
  public SealTurns turns() {
    return turns;
  }
}
