package dev.tailwater.delivery.tempo;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How fast an agent works: steadily, except in the ways in which somebody holds a lease to be
 * faster. Thread-safe; listeners are called without a lock.
 */
public final class Tempo {
  /** A way to be faster than the configuration says. */
  public enum Mode {
    /** Bytes do not wait to become old or to fill a segment; merging pauses. */
    HURRY,
    /** Nothing waits for bandwidth. */
    UNLIMITED,
    /**
     * More workers, more deliveries and other codecs than configured, on threads of normal
     * priority.
     */
    FULL_SPEED,
    /** Nobody rests for the sake of other programs. */
    NO_RESTS
  }

  private final State hurry = new State();
  private final State unlimited = new State();
  private final State fullSpeed = new State();
  private final State noRests = new State();

  /** The leases on one mode, and the listeners that are called for it. */
  private static final class State {
    private final AtomicInteger leases = new AtomicInteger();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  }

  /** The right to be faster in some ways, until it is closed. */
  public final class Lease implements AutoCloseable {
    private final Set<Mode> modes;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Lease(Set<Mode> modes) {
      this.modes = modes;
    }

    /** Ends the lease; its modes end with the last lease on them. A second call does nothing. */
    @Override
    public void close() {
      if (closed.compareAndSet(false, true)) {
        change(modes, -1);
      }
    }
  }

  /**
   * Takes a lease. All of its modes hold before the first listener is called.
   *
   * @return to be closed in a {@code finally} clause
   */
  public Lease lease(Set<Mode> modes) {
    Lease lease = new Lease(EnumSet.copyOf(modes));
    boolean announced = false;
    try {
      change(lease.modes, 1);
      announced = true;
      return lease;
    } finally {
      if (!announced) {
        lease.close();
      }
    }
  }

  /** Takes a lease on one mode. */
  public Lease lease(Mode mode) {
    return lease(EnumSet.of(mode));
  }

  private void change(Set<Mode> modes, int difference) {
    modes.forEach(mode -> stateOf(mode).leases.addAndGet(difference));
    modes.forEach(mode -> stateOf(mode).listeners.forEach(Runnable::run));
  }

  private State stateOf(Mode mode) {
    return switch (mode) {
      case HURRY -> hurry;
      case UNLIMITED -> unlimited;
      case FULL_SPEED -> fullSpeed;
      case NO_RESTS -> noRests;
    };
  }

  /** Returns whether somebody holds a lease on the mode. */
  public boolean is(Mode mode) {
    return stateOf(mode).leases.get() > 0;
  }

  /**
   * Calls the listener whenever a lease on the mode begins or ends, on the thread that takes or
   * closes it. When several change at once, calls may overtake each other, so a listener asks
   * {@link #is} under a lock of its own.
   */
  public void onChange(Mode mode, Runnable listener) {
    stateOf(mode).listeners.add(listener);
  }
}
