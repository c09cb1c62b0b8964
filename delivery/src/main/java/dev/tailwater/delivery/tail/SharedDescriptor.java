package dev.tailwater.delivery.tail;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A descriptor that several threads use: it is closed when it was given up and the last of them is
 * done. Its number belongs to this very file as long as anybody uses it; closed earlier, the kernel
 * would give it to another file, whose bytes a reader would take for this one's. Thread-safe.
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

  /** Begins a use; empty when it was given up. */
  synchronized Optional<Lease> lease() {
    if (givenUp) {
      return Optional.empty();
    }
    leases++;
    return Optional.of(new Lease(this));
  }

  /** Nobody begins to use it any more. Closes it, unless somebody still does. */
  void giveUp() throws ErrnoException {
    synchronized (this) {
      givenUp = true;
      if (leases > 0) {
        return; // The last one closes it.
      }
    }
    descriptor.close();
  }

  private void end() throws ErrnoException {
    synchronized (this) {
      leases--;
      if (!givenUp || leases > 0) {
        return;
      }
    }
    descriptor.close();
  }

  /** A use of the descriptor, by one thread; its number is good until this is closed. */
  public static final class Lease implements AutoCloseable {
    private final SharedDescriptor shared;
    private final AtomicBoolean ended = new AtomicBoolean();

    private Lease(SharedDescriptor shared) {
      this.shared = shared;
    }

    /** The number; {@link IllegalStateException} after close. */
    public int fd() {
      if (ended.get()) {
        throw new IllegalStateException("the use of " + path() + " has ended");
      }
      return shared.descriptor.fd();
    }

    public FileCalls calls() {
      return shared.descriptor.calls();
    }

    /** The path it was opened by; the file may have another one by now. */
    public PosixPath path() {
      return shared.descriptor.path();
    }

    /** Ends the use; a second time does nothing. */
    @Override
    public void close() throws ErrnoException {
      if (ended.compareAndSet(false, true)) {
        shared.end();
      }
    }
  }
}
