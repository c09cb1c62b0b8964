package dev.tailwater.io.watch.event;

import dev.tailwater.io.mount.MountPoints;
import dev.tailwater.io.mount.MountPoints.MountPoint;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * The places where file systems were mounted or unmounted, of which no event of a directory tells.
 * The mount table is read a few times a second at most, however often it changes.
 */
public final class MountChanges implements AutoCloseable {
  private static final long PERIOD_MILLIS = 250;

  private final Optional<MountPoints> points;
  private final LongSupplier nanoClock;
  private final Schedule reads;

  /** As of the last reading; empty if that failed, and the next scan must find the changes. */
  private Optional<Set<MountPoint>> known = Optional.empty();

  private Set<PosixPath> changed = new LinkedHashSet<>();

  /** Whether the period after a reading is not over. */
  private boolean resting;

  private MountChanges(Optional<MountPoints> points, LongSupplier nanoClock) {
    this.points = points;
    this.nanoClock = nanoClock;
    this.reads = new Schedule(nanoClock, PERIOD_MILLIS);
  }

  /** Remembers the mounts of now. */
  public static MountChanges open(FileCalls calls, LongSupplier nanoClock) {
    MountChanges changes = new MountChanges(MountPoints.open(calls), nanoClock);
    changes.known = changes.points.flatMap(MountPoints::read);
    return changes;
  }

  /** Creates one that never tells of any. */
  public static MountChanges unknown(LongSupplier nanoClock) {
    return new MountChanges(Optional.empty(), nanoClock);
  }

  /** Returns the descriptor to wait for; {@link EventSource#NO_FD} if there is none for now. */
  public int fd() {
    resting = resting && !reads.due();
    return resting || points.isEmpty() ? EventSource.NO_FD : points.get().fd();
  }

  /** Returns how long a wait may take until it must begin again, with {@link #fd}. */
  public long maxWaitMillis() {
    if (any()) {
      return 0;
    }
    return resting ? reads.millisLeft() : Long.MAX_VALUE;
  }

  /** Finds out what has changed since the last time, and keeps the places that are wanted. */
  public void read(Predicate<PosixPath> wanted) {
    long startNanos = nanoClock.getAsLong();
    Optional<Set<MountPoint>> now = points.flatMap(MountPoints::read);
    if (known.isPresent() && now.isPresent()) {
      keepChanged(known.get(), now.get(), wanted);
      keepChanged(now.get(), known.get(), wanted);
    }
    known = now;
    resting = true;
    reads.ran(nanoClock.getAsLong() - startNanos);
  }

  private void keepChanged(
      Set<MountPoint> some, Set<MountPoint> others, Predicate<PosixPath> wanted) {
    some.stream()
        .filter(point -> !others.contains(point))
        .map(MountPoint::path)
        .filter(wanted)
        .forEach(changed::add);
  }

  /** Returns whether {@link #take} has some. */
  public boolean any() {
    return !changed.isEmpty();
  }

  /** Returns the places where something has changed since the last call. */
  public Set<PosixPath> take() {
    Set<PosixPath> taken = changed;
    changed = new LinkedHashSet<>();
    return taken;
  }

  @Override
  public void close() throws ErrnoException {
    if (points.isPresent()) {
      points.get().close();
    }
  }
}
