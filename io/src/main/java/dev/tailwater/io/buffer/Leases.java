package dev.tailwater.io.buffer;

import dev.tailwater.posix.AnonymousMemoryCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The leases of one pool: who holds which memory, and what was never released. Thread-safe. */
final class Leases {
  static final int MAX_LEAKS_KEPT = 16;

  private final AnonymousMemoryCalls calls;
  private final BufferPoolOptions options;
  private final LongSupplier nanoTime;
  private final Consumer<MemorySegment> giveBack;
  private final Set<Lease> current = ConcurrentHashMap.newKeySet();
  private final ReferenceQueue<MemorySegment.Scope> leaked = new ReferenceQueue<>();

  /** The first leaks that were found. */
  private final Queue<BufferLeak> leaks = new ConcurrentLinkedQueue<>();

  /**
   * @param giveBack takes the memory of a lease that was ended
   */
  Leases(
      AnonymousMemoryCalls calls,
      BufferPoolOptions options,
      LongSupplier nanoTime,
      Consumer<MemorySegment> giveBack) {
    this.calls = calls;
    this.options = options;
    this.nanoTime = nanoTime;
    this.giveBack = giveBack;
  }

  MemorySegment view(MemorySegment memory, long sizeBytes, Arena arena) {
    return calls.view(memory, sizeBytes, arena);
  }

  boolean checksShared() {
    return options.checkShared();
  }

  /** Returns a stack trace, if traces are wanted. */
  Optional<Throwable> trace(String what) {
    return options.traceOrigins() ? Optional.of(new Throwable(what)) : Optional.empty();
  }

  Lease begin(MemorySegment.Scope scope, MemorySegment memory, String holder) {
    Optional<Throwable> origin = trace("acquired here by '" + holder + "'");
    Lease lease = new Lease(scope, leaked, memory, holder, nanoTime.getAsLong(), origin);
    current.add(lease);
    return lease;
  }

  Lease renew(Lease old, MemorySegment.Scope scope) {
    Lease lease = old.renewedFor(scope);
    current.add(lease);
    current.remove(old);
    old.clear();
    return lease;
  }

  /** Ends a lease and gives its memory back. */
  void end(Lease lease) {
    lease.clear();
    if (current.remove(lease)) {
      giveBack.accept(lease.memory());
    }
  }

  /**
   * Ends a lease that became unreachable without a release; returns its memory, if there is one.
   */
  Optional<MemorySegment> endLeaked() {
    for (Reference<? extends MemorySegment.Scope> found = leaked.poll();
        found != null;
        found = leaked.poll()) {
      Lease lease = (Lease) found;
      if (current.remove(lease)) {
        if (leaks.size() < MAX_LEAKS_KEPT) {
          leaks.add(new BufferLeak(lease.holder(), lease.memory().byteSize(), lease.origin()));
        }
        return Optional.of(lease.memory());
      }
    }
    return Optional.empty();
  }

  /** Returns the first {@value #MAX_LEAKS_KEPT} leaks that were found. */
  List<BufferLeak> leaks() {
    return List.copyOf(leaks);
  }

  /** Returns the leases that have not ended. */
  List<Lease> current() {
    return List.copyOf(current);
  }

  /** Describes who holds what now. */
  String describe() {
    return describe(current);
  }

  /** Describes who holds what, by these leases. */
  String describe(Collection<Lease> leases) {
    return HolderReport.describe(leases, nanoTime.getAsLong());
  }

  /** Adds to a failure where the memory in use was acquired, if that is traced. */
  <T extends Exception> T withOrigins(T failure) {
    current.forEach(lease -> lease.origin().ifPresent(failure::addSuppressed));
    return failure;
  }
}
