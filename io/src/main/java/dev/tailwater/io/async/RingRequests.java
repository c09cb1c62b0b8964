package dev.tailwater.io.async;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one ring, from begin to completion, including short reads and refusals. Not
 * thread-safe; threads may take turns.
 */
final class RingRequests {
  /** User data of what {@link #watch} submits; requests have the index of their slot. */
  private static final long WATCH = -1;

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** A second without memory for a single request is long enough. */
  private static final int MAX_PAUSES = 1_000;

  private final Ring ring;
  private final @Nullable Request[] bySlot;
  private final int[] freeSlots;
  private final RequestList refused = new RequestList();
  private int free;

  /** Of the entries that the kernel knows or will be told, those that were not completed. */
  private int entries;

  private int pauses;
  private boolean watching;

  /**
   * @param ring with at least one entry more than the depth
   */
  RingRequests(Ring ring, int depth) {
    this.ring = ring;
    this.bySlot = new Request[depth];
    this.freeSlots = new int[depth];
    for (int i = 0; i < depth; i++) {
      freeSlots[i] = i;
    }
    this.free = depth;
  }

  boolean hasRoom() {
    return free > 0;
  }

  /** Whether a request is on its way. */
  boolean busy() {
    return free < bySlot.length || !refused.isEmpty();
  }

  /** Begins a request, which the kernel gets at the next {@link #enter}. */
  void begin(Request request) {
    int slot = freeSlots[--free];
    bySlot[slot] = request;
    prepare(request, slot);
  }

  private void prepare(Request request, int slot) {
    ring.read(
        request.fd(),
        request.nextOffsetBytes(),
        request.restAddress(),
        request.restBytes(),
        request.wasRefused(),
        slot);
    entries++;
  }

  /** Lets a wait end when that descriptor is readable, once; see {@link #watching}. */
  void watch(int fd) {
    ring.pollReadable(fd, WATCH);
    watching = true;
    entries++;
  }

  /** Whether the descriptor that is watched was not readable yet. */
  boolean watching() {
    return watching;
  }

  /** Submits begun requests, if there are any, without waiting. */
  void submitBegun() {
    if (ring.unsubmitted() > 0) {
      enter(false);
    }
  }

  /**
   * Tells the kernel what was begun.
   *
   * @param wait whether to wait when nothing is completed yet; it may return without all the same,
   *     and is to be called again
   */
  void enter(boolean wait) {
    int unsubmitted = ring.unsubmitted();
    boolean mustWait = wait && refused.isEmpty() && !ring.hasCompletion();
    try {
      ring.enter(unsubmitted, mustWait ? 1 : 0);
      pauses = 0;
    } catch (ErrnoException e) {
      switch (e.errno()) {
        case EINTR -> {}
        case EAGAIN, EBUSY, ENOMEM -> makeRoom(e, unsubmitted, mustWait);
        default -> giveUp(e, mustWait);
      }
    }
  }

  /** Waits for completions, after which the kernel may have memory for a request again. */
  private void makeRoom(ErrnoException cause, int unsubmitted, boolean mustWait) {
    pauses++;
    if (pauses > MAX_PAUSES) {
      giveUp(cause, mustWait);
    } else if (entries == unsubmitted || !mustWait) {
      pause();
    } else {
      awaitCompletion();
    }
  }

  private void giveUp(ErrnoException cause, boolean mustWait) {
    pauses = 0;
    refuseUnsubmitted(cause.errnoNumber());
    if (mustWait && refused.isEmpty()) {
      pause(); // what the kernel has is completed without us, only later
    }
  }

  private void awaitCompletion() {
    try {
      ring.enter(0, 1);
    } catch (ErrnoException e) {
      pause(); // whatever it is, completions come without being waited for
    }
  }

  /** Pauses for the whole time; keeps an interrupt for later, which would end each wait at once. */
  private static void pause() {
    long endNanos = System.nanoTime() + PAUSE_NANOS;
    boolean interrupted = false;
    for (long leftNanos = PAUSE_NANOS; leftNanos > 0; leftNanos = endNanos - System.nanoTime()) {
      interrupted |= Thread.interrupted();
      LockSupport.parkNanos(leftNanos);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void refuseUnsubmitted(int errno) {
    while (ring.unsubmitted() > 0) {
      long userData = ring.takeBack();
      entries--;
      if (userData == WATCH) {
        watching = false;
      } else {
        Request request = release((int) userData);
        request.fail(errno);
        refused.add(request);
      }
    }
  }

  /** A request that is done; null when there is none now. */
  @Nullable Request nextDone() {
    if (!refused.isEmpty()) {
      return refused.poll();
    }
    while (ring.hasCompletion()) {
      long userData = ring.completedUserData();
      int result = ring.completedResult();
      ring.takeCompletion();
      entries--;
      if (userData == WATCH) {
        watching = false;
        continue;
      }
      Request request = at((int) userData);
      if (request.proceed(result)) {
        return release((int) userData);
      }
      prepare(request, (int) userData);
    }
    return null;
  }

  private Request at(int slot) {
    Request request = bySlot[slot];
    if (request == null) {
      throw new IllegalStateException("the kernel completed a request that nobody made");
    }
    return request;
  }

  private Request release(int slot) {
    Request request = at(slot);
    bySlot[slot] = null;
    freeSlots[free++] = slot;
    return request;
  }

  /**
   * Waits until the kernel writes to no target any more, whatever fails meanwhile, and begins
   * nothing. What was not read to its end has failed with ECANCELED.
   *
   * @param done takes all requests that were on their way
   */
  void abandon(RequestList done) {
    refuseUnsubmitted(Errno.ECANCELED.number());
    done.addAll(refused);
    while (free < bySlot.length) {
      if (!ring.hasCompletion()) {
        awaitIgnoringFailures();
        continue;
      }
      long userData = ring.completedUserData();
      int result = ring.completedResult();
      ring.takeCompletion();
      entries--;
      if (userData == WATCH) {
        watching = false;
        continue;
      }
      Request request = release((int) userData);
      if (!request.proceed(result)) {
        request.fail(Errno.ECANCELED.number());
      }
      done.add(request);
    }
  }

  /**
   * Waits and never throws, since a caller must not free memory that the kernel still writes to.
   */
  private void awaitIgnoringFailures() {
    try {
      ring.enter(0, 1);
    } catch (ErrnoException | RuntimeException | Error e) {
      pause(); // closing the ring meets it again, and says it
    }
  }

  void close() throws ErrnoException {
    ring.close();
  }
}
