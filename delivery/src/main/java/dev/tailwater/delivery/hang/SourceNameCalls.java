package dev.tailwater.delivery.hang;

import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.RenameFlag;
import dev.tailwater.posix.value.ResolveFlag;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Calls on names below sources. What a visitor does with an entry is no part of the call. A source
 * is only read, so that a descriptor that cannot be closed properly is reported, and fails nobody:
 * Linux frees it all the same.
 */
final class SourceNameCalls implements NameCalls {
  private final NameCalls calls;
  private final CallSlots slots;
  private final ClosedSources closing;

  SourceNameCalls(NameCalls calls, CallSlots slots, ClosedSources closing) {
    this.calls = calls;
    this.slots = slots;
    this.closing = closing;
  }

  @Override
  public void close(int fd) throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.begin("close", fd);
    try {
      calls.close(fd);
    } catch (ErrnoException e) {
      closingFailed(e); // As of a file that left memory, which has no name at hand.
    } finally {
      slot.end();
    }
  }

  @Override
  public void close(int fd, PosixPath path) throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.begin("close", fd, path);
    try {
      calls.close(fd, path);
      closing.closed();
    } catch (ErrnoException e) {
      closingFailed(
          new ErrnoException(e.operation(), path.toString(), e.errnoNumber(), e.errno().text()));
    } finally {
      slot.end();
    }
  }

  private void closingFailed(ErrnoException e) throws ErrnoException {
    if (e.errno() == Errno.EBADF) {
      throw e; // A fault of the agent: the number was closed before.
    }
    closing.failed(e);
  }

  @Override
  public int open(int dirFd, PosixPath path, Set<OpenFlag> flags, int mode) throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.begin("open", dirFd, path);
    try {
      return calls.open(dirFd, path, flags, mode);
    } finally {
      slot.end();
    }
  }

  @Override
  public int openBeneath(
      int dirFd, PosixPath path, Set<OpenFlag> flags, int mode, Set<ResolveFlag> resolve)
      throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.begin("openBeneath", dirFd, path);
    try {
      return calls.openBeneath(dirFd, path, flags, mode, resolve);
    } finally {
      slot.end();
    }
  }

  @Override
  public PosixPath readLink(int dirFd, PosixPath path) throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.begin("readLink", dirFd, path);
    try {
      return calls.readLink(dirFd, path);
    } finally {
      slot.end();
    }
  }

  @Override
  public List<DirectoryEntry> entries(int dirFd) throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.begin("entries", dirFd);
    try {
      return calls.entries(dirFd);
    } finally {
      slot.end();
    }
  }

  @Override
  public void entries(int dirFd, Consumer<DirectoryEntry> visitor) throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.begin("entries", dirFd);
    try {
      calls.entries(dirFd, outside(slot, dirFd, "entries", visitor));
    } finally {
      slot.end();
    }
  }

  @Override
  public boolean nextEntries(int dirFd, Consumer<DirectoryEntry> visitor) throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.begin("nextEntries", dirFd);
    try {
      return calls.nextEntries(dirFd, outside(slot, dirFd, "nextEntries", visitor));
    } finally {
      slot.end();
    }
  }

  /** What the visitor does with an entry is no part of the call. */
  private static Consumer<DirectoryEntry> outside(
      CallSlot slot, int dirFd, String operation, Consumer<DirectoryEntry> visitor) {
    return entry -> {
      slot.end();
      try {
        visitor.accept(entry);
      } finally {
        slot.begin(operation, dirFd);
      }
    };
  }

  @Override
  public void rename(
      int fromDirFd, PosixPath from, int toDirFd, PosixPath to, Set<RenameFlag> flags)
      throws ErrnoException {
    calls.rename(fromDirFd, from, toDirFd, to, flags);
  }

  @Override
  public void link(int fromDirFd, PosixPath from, int toDirFd, PosixPath to) throws ErrnoException {
    calls.link(fromDirFd, from, toDirFd, to);
  }

  @Override
  public void linkOpenFile(int fd, int dirFd, PosixPath path) throws ErrnoException {
    calls.linkOpenFile(fd, dirFd, path);
  }

  @Override
  public void unlink(int dirFd, PosixPath path) throws ErrnoException {
    calls.unlink(dirFd, path);
  }

  @Override
  public void removeDirectory(int dirFd, PosixPath path) throws ErrnoException {
    calls.removeDirectory(dirFd, path);
  }

  @Override
  public void makeDirectory(int dirFd, PosixPath path, int mode) throws ErrnoException {
    calls.makeDirectory(dirFd, path, mode);
  }

  @Override
  public void symbolicLink(PosixPath target, int dirFd, PosixPath path) throws ErrnoException {
    calls.symbolicLink(target, dirFd, path);
  }

  @Override
  public void changeOwner(int dirFd, PosixPath path, long userId, long groupId)
      throws ErrnoException {
    calls.changeOwner(dirFd, path, userId, groupId);
  }

  @Override
  public void changeModificationTime(int dirFd, PosixPath path, long secondsSinceEpoch, int nanos)
      throws ErrnoException {
    calls.changeModificationTime(dirFd, path, secondsSinceEpoch, nanos);
  }
}
