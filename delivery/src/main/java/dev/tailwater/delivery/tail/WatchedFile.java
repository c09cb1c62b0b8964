package dev.tailwater.delivery.tail;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * One file: which it is, the names that lead to it, its open descriptor, and a tail for each
 * destination that is not done with it. However many tails there are, the file is open once.
 *
 * <p>Thread-safe; nothing here blocks.
 */
public final class WatchedFile {
  private final FileIdentity identity;
  private final ArchivedNames archivedNames;

  @GuardedBy("this")
  private final TreeSet<PosixPath> names = new TreeSet<>();

  private final List<Tail> tails = new CopyOnWriteArrayList<>();
  private final SealTurns turns = new SealTurns();
  private final SuspectedFiles suspects;

  @GuardedBy("this")
  private PosixPath lastName;

  @GuardedBy("this")
  private Optional<SharedDescriptor> descriptor;

  @GuardedBy("this")
  private OptionalLong nameless = OptionalLong.empty();

  /**
   * @param suspects who looks again when a look finds that the file may have been changed in place
   */
  public WatchedFile(
      Descriptor descriptor,
      PosixPath name,
      FileIdentity identity,
      ArchivedNames archivedNames,
      SuspectedFiles suspects) {
    this.identity = identity;
    this.suspects = suspects;
    this.archivedNames = archivedNames;
    this.descriptor = Optional.of(new SharedDescriptor(descriptor));
    this.names.add(name);
    this.lastName = name;
  }

  public FileIdentity identity() {
    return identity;
  }

  /** The last known name; where several names lead to the file, the one seen last. */
  public synchronized PosixPath name() {
    return lastName;
  }

  /** What the archive calls it. */
  public PosixPath archivedName() {
    return archivedNames.archived(name());
  }

  /** Whether it has a descriptor now. */
  public synchronized boolean isOpen() {
    return descriptor.isPresent();
  }

  /** Its descriptor, if it is open, for as long as the caller uses it. */
  public synchronized Optional<SharedDescriptor.Lease> lease() {
    return descriptor.flatMap(SharedDescriptor::lease);
  }

  /** Takes a descriptor over, for a file whose own was closed. */
  public synchronized void adopt(Descriptor open) {
    descriptor = Optional.of(new SharedDescriptor(open));
  }

  /**
   * Gives up the descriptor, if there is one: it is closed when nobody uses it any more.
   *
   * @throws ErrnoException as close(2) says; it is closed nevertheless
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

  /** Whoever has looked cannot tell whether it was changed in place: another look must. */
  void suspect() {
    suspects.add(this);
  }

  /** Another name leads to the file. */
  public synchronized void addName(PosixPath name) {
    names.add(name);
    lastName = name;
    nameless = OptionalLong.empty();
  }

  /** The name leads here no more. */
  public synchronized void removeName(PosixPath name, long nowNanos) {
    names.remove(name);
    if (names.isEmpty()) {
      nameless = OptionalLong.of(nowNanos);
    } else if (name.equals(lastName)) {
      lastName = names.last();
    }
  }

  /** Since when no watched name leads to the file. */
  public synchronized OptionalLong namelessSinceNanos() {
    return nameless;
  }

  /** The tails of those destinations that are not done with the file. */
  public List<Tail> tails() {
    return tails;
  }

  /** One destination's tail. */
  public Optional<Tail> tail(int lane) {
    for (Tail tail : tails) {
      if (tail.lane() == lane) {
        return Optional.of(tail);
      }
    }
    return Optional.empty();
  }

  /** A destination begins with the file. */
  public void attach(Tail tail) {
    tails.add(tail);
  }

  /** A destination is done with the file. */
  public void detach(Tail tail) {
    tails.remove(tail);
  }

  /** Which tail seals what. */
  public SealTurns turns() {
    return turns;
  }
}
