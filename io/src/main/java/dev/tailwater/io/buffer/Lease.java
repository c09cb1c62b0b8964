package dev.tailwater.io.buffer;

import java.lang.foreign.MemorySegment;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Optional;

/**
 * The record of who holds a buffer, and since when. The garbage collector enqueues it if the buffer
 * was never released and nothing can access its memory any more: every segment and byte buffer made
 * from the buffer's segment refers to its scope, so that the memory can be reused safely.
 */
final class Lease extends PhantomReference<MemorySegment.Scope> {
  private final MemorySegment memory;
  private final String holder;
  private final long sinceNanos;
  private final Optional<Throwable> origin;
  private final ReferenceQueue<MemorySegment.Scope> leaked;

  Lease(
      MemorySegment.Scope scope,
      ReferenceQueue<MemorySegment.Scope> leaked,
      MemorySegment memory,
      String holder,
      long sinceNanos,
      Optional<Throwable> origin) {
    super(scope, leaked);
    this.leaked = leaked;
    this.memory = memory;
    this.holder = holder;
    this.sinceNanos = sinceNanos;
    this.origin = origin;
  }

  /** Returns the same lease for a new scope. */
  Lease renewedFor(MemorySegment.Scope scope) {
    return new Lease(scope, leaked, memory, holder, sinceNanos, origin);
  }

  /** Returns the whole buffer, which may be larger than requested. */
  MemorySegment memory() {
    return memory;
  }

  String holder() {
    return holder;
  }

  long sinceNanos() {
    return sinceNanos;
  }

  /** Returns where it was acquired, if that is traced. */
  Optional<Throwable> origin() {
    return origin;
  }
}
