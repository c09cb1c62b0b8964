package dev.tailwater.delivery.hang;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.StatusCalls;
import dev.tailwater.posix.value.DirectAlignment;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.FileSystemStatus;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.StatFlag;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Calls on the status of files below sources. */
final class SourceStatusCalls implements StatusCalls {
  private final StatusCalls calls;
  private final CallSlots slots;

  SourceStatusCalls(StatusCalls calls, CallSlots slots) {
    this.calls = calls;
    this.slots = slots;
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
  public long effectiveUserId() {
    return calls.effectiveUserId();
  }

  @Override
  public Set<OpenFlag> openFlags(int fd) throws ErrnoException {
    return calls.openFlags(fd);
  }

  @Override
  public boolean tryLock(int fd) throws ErrnoException {
    return calls.tryLock(fd);
  }
}
