package dev.tailwater.delivery.tail;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.FileOwner;
import dev.tailwater.delivery.checkpoint.Place;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
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

  @GuardedBy("this")
  private final TreeSet<PosixPath> names = new TreeSet<>();

  private final LongSupplier arrivals;
  private final List<Tail> tails = new CopyOnWriteArrayList<>();
  private final SealTurns turns = new SealTurns();
  private final Consumer<WatchedFile> suspects;
  private final Comparisons comparisons;

  @GuardedBy("this")
  private PosixPath lastName;

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
    this.names.add(name);
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
    return List.copyOf(names);
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
    PosixPath last = lastName;
    return new Names(last, names.stream().filter(name -> !name.equals(last)).toList());
  }

  /** Returns who owns the file. */
  FileOwner owner(FileStatus status) {
    return owners.of(status);
  }

  /** Returns its path in the archive. */
  public PosixPath archivedName() {
    return archivedNames.archived(name());
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
    return names.size() == 1 && !hasOtherLinks;
  }

  /** Adds a name that leads to the file. */
  public synchronized void addName(PosixPath name) {
    boolean isNew = names.add(name);
    if (isNew || !name.equals(lastName)) {
      arriveAt(name);
    }
    nameless = OptionalLong.empty();
  }

  /** Removes a name that no longer leads to the file. */
  public synchronized void removeName(PosixPath name, long nowNanos) {
    names.remove(name);
    if (names.isEmpty()) {
      nameless = OptionalLong.of(nowNanos);
    } else if (name.equals(lastName)) {
      arriveAt(names.last());
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
    for (Tail tail : tails) {
      if (tail.lane() == lane) {
        return Optional.of(tail);
      }
    }
    return Optional.empty();
  }

  /** Adds the tail of a destination that begins with the file. */
  public void attach(Tail tail) {
    tails.add(tail);
  }

  /** Removes the tail of a destination that is done with the file. */
  public void detach(Tail tail) {
    tails.remove(tail);
  }

  /** Returns the turns in which its tails are sealed. */
  public SealTurns turns() {
    return turns;
  }
}
