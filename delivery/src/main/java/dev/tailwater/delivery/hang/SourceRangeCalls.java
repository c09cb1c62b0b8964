package dev.tailwater.delivery.hang;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.RangeCalls;
import java.util.OptionalLong;

/** Calls on the ranges of files below sources. */
final class SourceRangeCalls implements RangeCalls {
  private final RangeCalls calls;
  private final CallSlots slots;

  SourceRangeCalls(RangeCalls calls, CallSlots slots) {
    this.calls = calls;
    this.slots = slots;
  }

  @Override
  public OptionalLong seekData(int fd, long offsetBytes) throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.begin("seekData", fd);
    try {
      return calls.seekData(fd, offsetBytes);
    } finally {
      slot.end();
    }
  }

  @Override
  public OptionalLong seekHole(int fd, long offsetBytes) throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.begin("seekHole", fd);
    try {
      return calls.seekHole(fd, offsetBytes);
    } finally {
      slot.end();
    }
  }

  @Override
  public long copyFileRange(
      int fromFd, long fromOffsetBytes, int toFd, long toOffsetBytes, long lengthBytes)
      throws ErrnoException {
    return calls.copyFileRange(fromFd, fromOffsetBytes, toFd, toOffsetBytes, lengthBytes);
  }
}
