package dev.tailwater.delivery.hang;

import dev.tailwater.posix.AttributeCalls;
import dev.tailwater.posix.ErrnoException;
import java.util.List;

/** Calls on the extended attributes of files below sources. */
final class SourceAttributeCalls implements AttributeCalls {
  private final AttributeCalls calls;
  private final CallSlots slots;

  SourceAttributeCalls(AttributeCalls calls, CallSlots slots) {
    this.calls = calls;
    this.slots = slots;
  }

  @Override
  public List<String> attributeNames(int fd) throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.begin("attributeNames", fd);
    try {
      return calls.attributeNames(fd);
    } finally {
      slot.end();
    }
  }

  @Override
  public byte[] attribute(int fd, String name) throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.begin("attribute", fd);
    try {
      return calls.attribute(fd, name);
    } finally {
      slot.end();
    }
  }

  @Override
  public void setAttribute(int fd, String name, byte[] value) throws ErrnoException {
    calls.setAttribute(fd, name, value);
  }

  @Override
  public void removeAttribute(int fd, String name) throws ErrnoException {
    calls.removeAttribute(fd, name);
  }
}
