package dev.tailwater.delivery.tail;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.util.Optional;

/**
 * A descriptor that several threads use. It is closed once it was given up and the last lease has
 * ended. If it were closed earlier, the kernel could reuse its number for another file, whose bytes
 * a reader would take for this one's. Thread-safe.
 */
public final class SharedDescriptor {
  private final Descriptor descriptor;

  @GuardedBy("this")
  private int leases;

  @GuardedBy("this")
  private boolean givenUp;

  SharedDescriptor(Descriptor descriptor) {
    this.descriptor = descriptor;
  }

  /** Takes a lease; empty when the descriptor was given up. */
  synchronized Optional<Lease> lease() {
    if (givenUp) {
      return Optional.empty();
    }
    leases++;
    return Optional.of(new Lease(this));
  }

  /** Gives the descriptor up: there are no new leases, and it is closed after the last one. */
  void giveUp() throws ErrnoException {
    synchronized (this) {
      givenUp = true;
      if (leases > 0) {
        return; // The end of the last lease closes it.
      }
    }
    descriptor.close();
  }

  /** Gives the descriptor to the caller; empty when it was given up, or somebody has a lease. */
  synchronized Optional<Descriptor> take() {
    if (givenUp || leases > 0) {
      return Optional.empty();
    }
    givenUp = true;
    return Optional.of(descriptor);
  }

  private void end(Lease lease) throws ErrnoException {
    synchronized (this) {
      if (lease.ended) {
        return;
      }
      lease.ended = true;
      leases--;
      if (!givenUp || leases > 0) {
        return;
      }
    }
    descriptor.close();
  }

  /** The right of one thread to use the descriptor, until it is closed. */
  public static final class Lease implements AutoCloseable {
    private final SharedDescriptor shared;

    /** Set with the lock of the descriptor held. */
    private volatile boolean ended;

    private Lease(SharedDescriptor shared) {
      this.shared = shared;
    }

    /** Returns the number; throws {@link IllegalStateException} after close. */
    public int fd() {
      if (ended) {
        throw new IllegalStateException("the use of " + path() + " has ended");
      }
      return shared.descriptor.fd();
    }

    public FileCalls calls() {
      return shared.descriptor.calls();
    }

    /** Returns the path by which it was opened; the file may have another one by now. */
    public PosixPath path() {
      return shared.descriptor.path();
    }

    /** Ends the lease; a second call does nothing. */
    @Override
    public void close() throws ErrnoException {
      shared.end(this);
    }
  }
}
