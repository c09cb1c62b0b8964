package dev.tailwater.delivery.hang;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.ReadCalls;
import dev.tailwater.posix.value.Advice;
import dev.tailwater.posix.value.CacheStatistics;
import dev.tailwater.posix.value.ReadFlag;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** Reads of files below sources. */
final class SourceReadCalls implements ReadCalls {
  private final ReadCalls calls;
  private final CallSlots slots;

  SourceReadCalls(ReadCalls calls, CallSlots slots) {
    this.calls = calls;
    this.slots = slots;
  }

  @Override
  public int pread(int fd, MemorySegment target, long offsetBytes) throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.begin("pread", fd);
    try {
      return calls.pread(fd, target, offsetBytes);
    } finally {
      slot.end();
    }
  }

  @Override
  public int preadCritical(int fd, byte[] target, int from, int lengthBytes, long offsetBytes)
      throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.begin("preadCritical", fd);
    try {
      return calls.preadCritical(fd, target, from, lengthBytes, offsetBytes);
    } finally {
      slot.end();
    }
  }

  @Override
  public int preadv2(int fd, MemorySegment target, long offsetBytes, Set<ReadFlag> flags)
      throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.begin("preadv2", fd);
    try {
      return calls.preadv2(fd, target, offsetBytes, flags);
    } finally {
      slot.end();
    }
  }

  @Override
  public void fadvise(int fd, long offsetBytes, long lengthBytes, Advice advice)
      throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.begin("fadvise", fd);
    try {
      calls.fadvise(fd, offsetBytes, lengthBytes, advice);
    } finally {
      slot.end();
    }
  }

  @Override
  public CacheStatistics cachestat(int fd, long offsetBytes, long lengthBytes)
      throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.begin("cachestat", fd);
    try {
      return calls.cachestat(fd, offsetBytes, lengthBytes);
    } finally {
      slot.end();
    }
  }
}
