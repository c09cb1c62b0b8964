package dev.tailwater.delivery.hang;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FanotifyCalls;
import dev.tailwater.posix.value.FanotifyEvent;
import dev.tailwater.posix.value.FileHandle;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** Watches on file systems with sources. */
final class SourceFanotifyCalls implements FanotifyCalls {
  private final FanotifyCalls calls;
  private final CallSlots slots;

  SourceFanotifyCalls(FanotifyCalls calls, CallSlots slots) {
    this.calls = calls;
    this.slots = slots;
  }

  @Override
  public void fanotifyMarkFileSystem(int fanotifyFd, int fd, Set<FanotifyEvent> events)
      throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.begin("fanotifyMarkFileSystem", fanotifyFd);
    try {
      calls.fanotifyMarkFileSystem(fanotifyFd, fd, events);
    } finally {
      slot.end();
    }
  }

  @Override
  public FileHandle fileHandle(int fd) throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.begin("fileHandle", fd);
    try {
      return calls.fileHandle(fd);
    } finally {
      slot.end();
    }
  }

  @Override
  public int fanotifyInit() throws ErrnoException {
    return calls.fanotifyInit();
  }

  @Override
  public int fanotifyRead(int fanotifyFd, MemorySegment target) throws ErrnoException {
    return calls.fanotifyRead(fanotifyFd, target);
  }
}
