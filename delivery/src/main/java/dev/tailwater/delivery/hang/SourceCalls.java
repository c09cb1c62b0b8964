package dev.tailwater.delivery.hang;

import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.Advice;
import dev.tailwater.posix.value.AllocateFlag;
import dev.tailwater.posix.value.CacheStatistics;
import dev.tailwater.posix.value.DirectAlignment;
import dev.tailwater.posix.value.FanotifyEvent;
import dev.tailwater.posix.value.FileHandle;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.FileSystemStatus;
import dev.tailwater.posix.value.MapAdvice;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.ReadFlag;
import dev.tailwater.posix.value.RenameFlag;
import dev.tailwater.posix.value.ResolveFlag;
import dev.tailwater.posix.value.RingFlag;
import dev.tailwater.posix.value.RingParameters;
import dev.tailwater.posix.value.StatFlag;
import dev.tailwater.posix.value.WatchEvent;
import dev.tailwater.posix.value.WriteFlag;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The system calls on files below sources, which may be on a file server that does not answer. It
 * notes what each thread waits for, so that {@link HangWatch} can tell when that takes too long. A
 * source is only read, so that a descriptor that cannot be closed properly is told to the listener,
 * and fails nobody: Linux frees it all the same. Thread-safe.
 */
public final class SourceCalls implements FileCalls {
  private final FileCalls calls;
  private final CallSlots slots;
  private final CloseListener closing;

  /** Is told of descriptors, on any thread. */
  public interface CloseListener {
    /** Called when closing a descriptor has failed, which was freed all the same. */
    void failed(ErrnoException failure);

    /** Called when the descriptor of a file was closed. */
    void closed();
  }

  public SourceCalls(FileCalls calls, CallSlots slots, CloseListener closing) {
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

  /** Waits for events: no wait for a file. */
  @Override
  public long pollReadable(int[] fds, int timeoutMillis) throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.restChanged();
    try {
      return calls.pollReadable(fds, timeoutMillis);
    } finally {
      slot.restChanged();
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

  @Override
  public MemorySegment map(int fd, long offsetBytes, long lengthBytes, Arena arena)
      throws ErrnoException {
    return calls.map(fd, offsetBytes, lengthBytes, arena);
  }

  @Override
  public void madvise(MemorySegment mapping, MapAdvice advice) throws ErrnoException {
    calls.madvise(mapping, advice);
  }

  @Override
  public void mincore(MemorySegment mapping, MemorySegment target) throws ErrnoException {
    calls.mincore(mapping, target);
  }

  @Override
  public int pwrite(int fd, MemorySegment source, long offsetBytes) throws ErrnoException {
    return calls.pwrite(fd, source, offsetBytes);
  }

  @Override
  public int pwritev2(int fd, MemorySegment source, long offsetBytes, Set<WriteFlag> flags)
      throws ErrnoException {
    return calls.pwritev2(fd, source, offsetBytes, flags);
  }

  @Override
  public void fsync(int fd) throws ErrnoException {
    calls.fsync(fd);
  }

  @Override
  public void fdatasync(int fd) throws ErrnoException {
    calls.fdatasync(fd);
  }

  @Override
  public void syncFileSystem(int fd) throws ErrnoException {
    calls.syncFileSystem(fd);
  }

  @Override
  public void fallocate(int fd, Set<AllocateFlag> flags, long offsetBytes, long lengthBytes)
      throws ErrnoException {
    calls.fallocate(fd, flags, offsetBytes, lengthBytes);
  }

  @Override
  public void truncate(int fd, long sizeBytes) throws ErrnoException {
    calls.truncate(fd, sizeBytes);
  }

  @Override
  public void changeMode(int fd, int mode) throws ErrnoException {
    calls.changeMode(fd, mode);
  }

  @Override
  public void changeOwner(int fd, long userId, long groupId) throws ErrnoException {
    calls.changeOwner(fd, userId, groupId);
  }

  @Override
  public void changeModificationTime(int fd, long secondsSinceEpoch, int nanos)
      throws ErrnoException {
    calls.changeModificationTime(fd, secondsSinceEpoch, nanos);
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

  @Override
  public FileStatus fstat(int fd) throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.begin("fstat", fd);
    try {
      return calls.fstat(fd);
    } finally {
      slot.end();
    }
  }

  @Override
  public FileStatus statx(int dirFd, PosixPath path, Set<StatFlag> flags) throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.begin("statx", dirFd, path);
    try {
      return calls.statx(dirFd, path, flags);
    } finally {
      slot.end();
    }
  }

  @Override
  public long generation(int fd) throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.begin("generation", fd);
    try {
      return calls.generation(fd);
    } finally {
      slot.end();
    }
  }

  @Override
  public Optional<UUID> fileSystemUuid(int fd) throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.begin("fileSystemUuid", fd);
    try {
      return calls.fileSystemUuid(fd);
    } finally {
      slot.end();
    }
  }

  @Override
  public FileSystemStatus statfs(int fd) throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.begin("statfs", fd);
    try {
      return calls.statfs(fd);
    } finally {
      slot.end();
    }
  }

  @Override
  public boolean mayWrite(int fd) throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.begin("mayWrite", fd);
    try {
      return calls.mayWrite(fd);
    } finally {
      slot.end();
    }
  }

  @Override
  public long effectiveUserId() {
    return calls.effectiveUserId();
  }

  @Override
  public Set<OpenFlag> openFlags(int fd) throws ErrnoException {
    return calls.openFlags(fd);
  }

  @Override
  public Optional<DirectAlignment> directAlignment(int fd) throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.begin("directAlignment", fd);
    try {
      return calls.directAlignment(fd);
    } finally {
      slot.end();
    }
  }

  @Override
  public boolean tryLock(int fd) throws ErrnoException {
    return calls.tryLock(fd);
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

  @Override
  public int inotifyInit() throws ErrnoException {
    return calls.inotifyInit();
  }

  @Override
  public int inotifyAddWatch(int inotifyFd, PosixPath path, Set<WatchEvent> events)
      throws ErrnoException {
    CallSlot slot = slots.ofThread();
    slot.begin("inotifyAddWatch", inotifyFd, path);
    try {
      return calls.inotifyAddWatch(inotifyFd, path, events);
    } finally {
      slot.end();
    }
  }

  @Override
  public void inotifyRemoveWatch(int inotifyFd, int watchDescriptor) throws ErrnoException {
    calls.inotifyRemoveWatch(inotifyFd, watchDescriptor);
  }

  @Override
  public int inotifyRead(int inotifyFd, MemorySegment target) throws ErrnoException {
    return calls.inotifyRead(inotifyFd, target);
  }

  @Override
  public int eventFd() throws ErrnoException {
    return calls.eventFd();
  }

  @Override
  public void signalEventFd(int eventFd) throws ErrnoException {
    calls.signalEventFd(eventFd);
  }

  @Override
  public void clearEventFd(int eventFd) throws ErrnoException {
    calls.clearEventFd(eventFd);
  }

  @Override
  public int fanotifyInit() throws ErrnoException {
    return calls.fanotifyInit();
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
  public int fanotifyRead(int fanotifyFd, MemorySegment target) throws ErrnoException {
    return calls.fanotifyRead(fanotifyFd, target);
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
  public RingParameters ioUringSetup(int entries, Set<RingFlag> flags) throws ErrnoException {
    return calls.ioUringSetup(entries, flags);
  }

  @Override
  public int ioUringEnter(int ringFd, int submissions, int minCompletions) throws ErrnoException {
    return calls.ioUringEnter(ringFd, submissions, minCompletions);
  }

  @Override
  public void ioUringLimitWorkers(int ringFd, int threads) throws ErrnoException {
    calls.ioUringLimitWorkers(ringFd, threads);
  }

  @Override
  public MemorySegment mapRing(int ringFd, long offsetBytes, long lengthBytes)
      throws ErrnoException {
    return calls.mapRing(ringFd, offsetBytes, lengthBytes);
  }

  @Override
  public void unmapRing(MemorySegment memory) throws ErrnoException {
    calls.unmapRing(memory);
  }
}
