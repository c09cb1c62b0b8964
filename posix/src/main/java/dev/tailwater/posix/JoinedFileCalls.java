package dev.tailwater.posix;

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

/** The file calls as one, put together from implementations of each kind of call. */
public record JoinedFileCalls(
    NameCalls names,
    ReadCalls reads,
    MapCalls maps,
    WriteCalls writes,
    RangeCalls ranges,
    StatusCalls statuses,
    AttributeCalls attributes,
    WatchCalls watches,
    FanotifyCalls fanotify,
    RingCalls rings)
    implements FileCalls {
  @Override
  public int open(int dirFd, PosixPath path, Set<OpenFlag> flags, int mode) throws ErrnoException {
    return names.open(dirFd, path, flags, mode);
  }

  @Override
  public int openBeneath(
      int dirFd, PosixPath path, Set<OpenFlag> flags, int mode, Set<ResolveFlag> resolve)
      throws ErrnoException {
    return names.openBeneath(dirFd, path, flags, mode, resolve);
  }

  @Override
  public void close(int fd) throws ErrnoException {
    names.close(fd);
  }

  @Override
  public void close(int fd, PosixPath path) throws ErrnoException {
    names.close(fd, path);
  }

  @Override
  public void rename(
      int fromDirFd, PosixPath from, int toDirFd, PosixPath to, Set<RenameFlag> flags)
      throws ErrnoException {
    names.rename(fromDirFd, from, toDirFd, to, flags);
  }

  @Override
  public void link(int fromDirFd, PosixPath from, int toDirFd, PosixPath to) throws ErrnoException {
    names.link(fromDirFd, from, toDirFd, to);
  }

  @Override
  public void linkOpenFile(int fd, int dirFd, PosixPath path) throws ErrnoException {
    names.linkOpenFile(fd, dirFd, path);
  }

  @Override
  public void unlink(int dirFd, PosixPath path) throws ErrnoException {
    names.unlink(dirFd, path);
  }

  @Override
  public void removeDirectory(int dirFd, PosixPath path) throws ErrnoException {
    names.removeDirectory(dirFd, path);
  }

  @Override
  public void makeDirectory(int dirFd, PosixPath path, int mode) throws ErrnoException {
    names.makeDirectory(dirFd, path, mode);
  }

  @Override
  public void symbolicLink(PosixPath target, int dirFd, PosixPath path) throws ErrnoException {
    names.symbolicLink(target, dirFd, path);
  }

  @Override
  public void changeOwner(int dirFd, PosixPath path, long userId, long groupId)
      throws ErrnoException {
    names.changeOwner(dirFd, path, userId, groupId);
  }

  @Override
  public void changeModificationTime(int dirFd, PosixPath path, long secondsSinceEpoch, int nanos)
      throws ErrnoException {
    names.changeModificationTime(dirFd, path, secondsSinceEpoch, nanos);
  }

  @Override
  public PosixPath readLink(int dirFd, PosixPath path) throws ErrnoException {
    return names.readLink(dirFd, path);
  }

  @Override
  public void entries(int dirFd, Consumer<DirectoryEntry> visitor) throws ErrnoException {
    names.entries(dirFd, visitor);
  }

  @Override
  public boolean nextEntries(int dirFd, Consumer<DirectoryEntry> visitor) throws ErrnoException {
    return names.nextEntries(dirFd, visitor);
  }

  @Override
  public List<DirectoryEntry> entries(int dirFd) throws ErrnoException {
    return names.entries(dirFd);
  }

  @Override
  public int pread(int fd, MemorySegment target, long offsetBytes) throws ErrnoException {
    return reads.pread(fd, target, offsetBytes);
  }

  @Override
  public int preadCritical(int fd, byte[] target, int from, int lengthBytes, long offsetBytes)
      throws ErrnoException {
    return reads.preadCritical(fd, target, from, lengthBytes, offsetBytes);
  }

  @Override
  public int preadv2(int fd, MemorySegment target, long offsetBytes, Set<ReadFlag> flags)
      throws ErrnoException {
    return reads.preadv2(fd, target, offsetBytes, flags);
  }

  @Override
  public void fadvise(int fd, long offsetBytes, long lengthBytes, Advice advice)
      throws ErrnoException {
    reads.fadvise(fd, offsetBytes, lengthBytes, advice);
  }

  @Override
  public CacheStatistics cachestat(int fd, long offsetBytes, long lengthBytes)
      throws ErrnoException {
    return reads.cachestat(fd, offsetBytes, lengthBytes);
  }

  @Override
  public MemorySegment map(int fd, long offsetBytes, long lengthBytes, Arena arena)
      throws ErrnoException {
    return maps.map(fd, offsetBytes, lengthBytes, arena);
  }

  @Override
  public void madvise(MemorySegment mapping, MapAdvice advice) throws ErrnoException {
    maps.madvise(mapping, advice);
  }

  @Override
  public void mincore(MemorySegment mapping, MemorySegment target) throws ErrnoException {
    maps.mincore(mapping, target);
  }

  @Override
  public int pwrite(int fd, MemorySegment source, long offsetBytes) throws ErrnoException {
    return writes.pwrite(fd, source, offsetBytes);
  }

  @Override
  public int pwritev2(int fd, MemorySegment source, long offsetBytes, Set<WriteFlag> flags)
      throws ErrnoException {
    return writes.pwritev2(fd, source, offsetBytes, flags);
  }

  @Override
  public void fsync(int fd) throws ErrnoException {
    writes.fsync(fd);
  }

  @Override
  public void fdatasync(int fd) throws ErrnoException {
    writes.fdatasync(fd);
  }

  @Override
  public void syncFileSystem(int fd) throws ErrnoException {
    writes.syncFileSystem(fd);
  }

  @Override
  public void fallocate(int fd, Set<AllocateFlag> flags, long offsetBytes, long lengthBytes)
      throws ErrnoException {
    writes.fallocate(fd, flags, offsetBytes, lengthBytes);
  }

  @Override
  public void truncate(int fd, long sizeBytes) throws ErrnoException {
    writes.truncate(fd, sizeBytes);
  }

  @Override
  public void changeOwner(int fd, long userId, long groupId) throws ErrnoException {
    writes.changeOwner(fd, userId, groupId);
  }

  @Override
  public void changeMode(int fd, int mode) throws ErrnoException {
    writes.changeMode(fd, mode);
  }

  @Override
  public void changeReferencedMode(int fd, int mode) throws ErrnoException {
    writes.changeReferencedMode(fd, mode);
  }

  @Override
  public void changeModificationTime(int fd, long secondsSinceEpoch, int nanos)
      throws ErrnoException {
    writes.changeModificationTime(fd, secondsSinceEpoch, nanos);
  }

  @Override
  public OptionalLong seekData(int fd, long offsetBytes) throws ErrnoException {
    return ranges.seekData(fd, offsetBytes);
  }

  @Override
  public OptionalLong seekHole(int fd, long offsetBytes) throws ErrnoException {
    return ranges.seekHole(fd, offsetBytes);
  }

  @Override
  public long copyFileRange(
      int fromFd, long fromOffsetBytes, int toFd, long toOffsetBytes, long lengthBytes)
      throws ErrnoException {
    return ranges.copyFileRange(fromFd, fromOffsetBytes, toFd, toOffsetBytes, lengthBytes);
  }

  @Override
  public FileStatus fstat(int fd) throws ErrnoException {
    return statuses.fstat(fd);
  }

  @Override
  public FileStatus statx(int dirFd, PosixPath path, Set<StatFlag> flags) throws ErrnoException {
    return statuses.statx(dirFd, path, flags);
  }

  @Override
  public long generation(int fd) throws ErrnoException {
    return statuses.generation(fd);
  }

  @Override
  public Optional<UUID> fileSystemUuid(int fd) throws ErrnoException {
    return statuses.fileSystemUuid(fd);
  }

  @Override
  public FileSystemStatus statfs(int fd) throws ErrnoException {
    return statuses.statfs(fd);
  }

  @Override
  public long effectiveUserId() {
    return statuses.effectiveUserId();
  }

  @Override
  public boolean mayWrite(int fd) throws ErrnoException {
    return statuses.mayWrite(fd);
  }

  @Override
  public Set<OpenFlag> openFlags(int fd) throws ErrnoException {
    return statuses.openFlags(fd);
  }

  @Override
  public Optional<DirectAlignment> directAlignment(int fd) throws ErrnoException {
    return statuses.directAlignment(fd);
  }

  @Override
  public boolean tryLock(int fd) throws ErrnoException {
    return statuses.tryLock(fd);
  }

  @Override
  public List<String> attributeNames(int fd) throws ErrnoException {
    return attributes.attributeNames(fd);
  }

  @Override
  public byte[] attribute(int fd, String name) throws ErrnoException {
    return attributes.attribute(fd, name);
  }

  @Override
  public void setAttribute(int fd, String name, byte[] value) throws ErrnoException {
    attributes.setAttribute(fd, name, value);
  }

  @Override
  public void removeAttribute(int fd, String name) throws ErrnoException {
    attributes.removeAttribute(fd, name);
  }

  @Override
  public int inotifyInit() throws ErrnoException {
    return watches.inotifyInit();
  }

  @Override
  public int inotifyAddWatch(int inotifyFd, PosixPath path, Set<WatchEvent> events)
      throws ErrnoException {
    return watches.inotifyAddWatch(inotifyFd, path, events);
  }

  @Override
  public void inotifyRemoveWatch(int inotifyFd, int watchDescriptor) throws ErrnoException {
    watches.inotifyRemoveWatch(inotifyFd, watchDescriptor);
  }

  @Override
  public int inotifyRead(int inotifyFd, MemorySegment target) throws ErrnoException {
    return watches.inotifyRead(inotifyFd, target);
  }

  @Override
  public int eventFd() throws ErrnoException {
    return watches.eventFd();
  }

  @Override
  public void signalEventFd(int eventFd) throws ErrnoException {
    watches.signalEventFd(eventFd);
  }

  @Override
  public void clearEventFd(int eventFd) throws ErrnoException {
    watches.clearEventFd(eventFd);
  }

  @Override
  public long pollReadable(int[] fds, long exceptional, int timeoutMillis) throws ErrnoException {
    return watches.pollReadable(fds, exceptional, timeoutMillis);
  }

  @Override
  public int fanotifyInit() throws ErrnoException {
    return fanotify.fanotifyInit();
  }

  @Override
  public void fanotifyMarkFileSystem(int fanotifyFd, int fd, Set<FanotifyEvent> events)
      throws ErrnoException {
    fanotify.fanotifyMarkFileSystem(fanotifyFd, fd, events);
  }

  @Override
  public int fanotifyRead(int fanotifyFd, MemorySegment target) throws ErrnoException {
    return fanotify.fanotifyRead(fanotifyFd, target);
  }

  @Override
  public FileHandle fileHandle(int fd) throws ErrnoException {
    return fanotify.fileHandle(fd);
  }

  @Override
  public RingParameters ioUringSetup(int entries, Set<RingFlag> flags) throws ErrnoException {
    return rings.ioUringSetup(entries, flags);
  }

  @Override
  public int ioUringEnter(int ringFd, int submissions, int minCompletions) throws ErrnoException {
    return rings.ioUringEnter(ringFd, submissions, minCompletions);
  }

  @Override
  public void ioUringLimitWorkers(int ringFd, int threads) throws ErrnoException {
    rings.ioUringLimitWorkers(ringFd, threads);
  }

  @Override
  public MemorySegment mapRing(int ringFd, long offsetBytes, long lengthBytes)
      throws ErrnoException {
    return rings.mapRing(ringFd, offsetBytes, lengthBytes);
  }

  @Override
  public void unmapRing(MemorySegment memory) throws ErrnoException {
    rings.unmapRing(memory);
  }
}
