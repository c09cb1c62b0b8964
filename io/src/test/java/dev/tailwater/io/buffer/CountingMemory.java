package dev.tailwater.io.buffer;

import dev.tailwater.posix.AnonymousMemoryCalls;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.linux.LinuxAnonymousMemoryCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The real calls, with books of what is mapped, and refusals where a test wants them. */
final class CountingMemory implements AnonymousMemoryCalls {
  private final AnonymousMemoryCalls real = LinuxAnonymousMemoryCalls.create();
  private final Set<Long> mapped = ConcurrentHashMap.newKeySet();
  private final AtomicLong mappedBytes = new AtomicLong();
  private final AtomicLong peakBytes = new AtomicLong();
  private final AtomicInteger refusals = new AtomicInteger();

  /** The next mappings fail with ENOMEM. */
  void refuse(int count) {
    refusals.set(count);
  }

  long mappedBytes() {
    return mappedBytes.get();
  }

  /** The most that the kernel was asked to hold at one moment. */
  long peakBytes() {
    return peakBytes.get();
  }

  @Override
  public MemorySegment mapAnonymous(long lengthBytes) throws ErrnoException {
    if (refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw ErrnoException.of("mmap", lengthBytes + " bytes", Errno.ENOMEM);
    }
    long now = mappedBytes.addAndGet(lengthBytes);
    peakBytes.accumulateAndGet(now, Math::max);
    MemorySegment memory = real.mapAnonymous(lengthBytes);
    mapped.add(memory.address());
    return memory;
  }

  @Override
  public void unmap(MemorySegment memory) throws ErrnoException {
    if (!mapped.remove(memory.address())) {
      throw new AssertionError("unmapped twice: " + memory);
    }
    real.unmap(memory);
    mappedBytes.addAndGet(-memory.byteSize());
  }

  @Override
  public void preferHugePages(MemorySegment memory) throws ErrnoException {
    real.preferHugePages(memory);
  }

  @Override
  public MemorySegment view(MemorySegment memory, long lengthBytes, Arena arena) {
    if (!mapped.contains(memory.address())) {
      throw new AssertionError("a view of what is not mapped: " + memory);
    }
    return real.view(memory, lengthBytes, arena);
  }
}
