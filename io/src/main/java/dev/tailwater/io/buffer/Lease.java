package dev.tailwater.io.buffer;

import java.lang.foreign.MemorySegment;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Optional;

/**
 * Who has a buffer, and since when. It is enqueued when the buffer was not released and nothing can
 * touch its memory any more: every segment and byte buffer that was made of the buffer's segment
 * refers to its scope, so that the memory can be used again without danger.
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

  /** The same for a new scope. */
  Lease renewedFor(MemorySegment.Scope scope) {
    return new Lease(scope, leaked, memory, holder, sinceNanos, origin);
  }

  /** All of the buffer, which may be more than was asked for. */
  MemorySegment memory() {
    return memory;
  }

  String holder() {
    return holder;
  }

  long sinceNanos() {
    return sinceNanos;
  }

  /** Where it was acquired, if that is traced. */
  Optional<Throwable> origin() {
    return origin;
  }
}
