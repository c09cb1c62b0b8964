package dev.tailwater.posix.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.binding.Failure;
import dev.tailwater.posix.binding.NameBindings;
import dev.tailwater.posix.binding.OpenBits;
import dev.tailwater.posix.binding.Platform;
import dev.tailwater.posix.binding.Scratch;
import dev.tailwater.posix.binding.ScratchPool;
import dev.tailwater.posix.binding.TimesLayout;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.RenameFlag;
import dev.tailwater.posix.value.ResolveFlag;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The implementation of {@link NameCalls} for Linux. */
final class LinuxNameCalls implements NameCalls {
  private static final int AT_REMOVEDIR = 0x200;
  private static final int AT_SYMLINK_NOFOLLOW = 0x100;
  private static final int AT_SYMLINK_FOLLOW = 0x400;
  private static final int AT_EMPTY_PATH = 0x1000;
  private static final int RENAME_NOREPLACE = 1;
  private static final int RENAME_EXCHANGE = 2;

  /** sizeof(struct open_how): flags, mode and resolve, 8 bytes each. */
  private static final long OPEN_HOW_BYTES = 24;

  private final Platform platform;
  private final ScratchPool scratches;
  private final DirectoryReader directoryReader;
  private final ComponentWalk walk = new ComponentWalk(this);

  LinuxNameCalls(Platform platform, ScratchPool scratches) {
    this.platform = platform;
    this.scratches = scratches;
    this.directoryReader = new DirectoryReader(scratches);
  }

  @Override
  public int open(int dirFd, PosixPath path, Set<OpenFlag> flags, int mode) throws ErrnoException {
    int bits = OpenBits.of(flags, platform);
    try (Scratch scratch = scratches.acquire()) {
      MemorySegment name = scratch.path(path);
      int fd;
      do {
        fd = NameBindings.openat(scratch.errno(), dirFd, name, bits, mode);
      } while (fd < 0 && scratch.interrupted());
      if (fd < 0) {
        throw scratch.failure("open", dirFd, path);
      }
      return fd;
    }
  }

  @Override
  public int openBeneath(
      int dirFd, PosixPath path, Set<OpenFlag> flags, int mode, Set<ResolveFlag> resolve)
      throws ErrnoException {
    try {
      return openAsOneCall(dirFd, path, flags, mode, resolve);
    } catch (ErrnoException e) {
      // A seccomp profile that is older than the call says EPERM; if it is meant, the walk says so.
      if ((e.errno() == Errno.ENOSYS || e.errno() == Errno.EPERM)
          && ComponentWalk.canReplace(flags, resolve)) {
        return walk.open(dirFd, path, flags, mode);
      }
      throw e;
    }
  }

  private int openAsOneCall(
      int dirFd, PosixPath path, Set<OpenFlag> flags, int mode, Set<ResolveFlag> resolve)
      throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      MemorySegment name = scratch.path(path);
      MemorySegment how = scratch.struct();
      how.set(JAVA_LONG, 0, OpenBits.of(flags, platform));
      how.set(JAVA_LONG, 8, OpenBits.strictMode(flags, mode));
      how.set(JAVA_LONG, 16, OpenBits.of(resolve));
      int fd;
      do {
        fd = NameBindings.openat2(scratch.errno(), dirFd, name, how, OPEN_HOW_BYTES);
      } while (fd < 0 && scratch.interrupted());
      if (fd < 0) {
        throw scratch.failure("openat2", dirFd, path);
      }
      return fd;
    }
  }

  @Override
  public void close(int fd) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      // Never retry: after EINTR the descriptor is free and may already belong to another thread.
      if (NameBindings.close(scratch.errno(), fd) < 0 && !scratch.interrupted()) {
        throw scratch.failure("close", fd);
      }
    }
  }

  @Override
  public void rename(
      int fromDirFd, PosixPath from, int toDirFd, PosixPath to, Set<RenameFlag> flags)
      throws ErrnoException {
    int bits =
        (flags.contains(RenameFlag.NO_REPLACE) ? RENAME_NOREPLACE : 0)
            | (flags.contains(RenameFlag.EXCHANGE) ? RENAME_EXCHANGE : 0);
    try (Scratch scratch = scratches.acquire()) {
      MemorySegment fromName = scratch.path(from);
      MemorySegment toName = scratch.otherPath(to);
      if (NameBindings.renameat2(scratch.errno(), fromDirFd, fromName, toDirFd, toName, bits) < 0) {
        throw failure(scratch, "rename", fromDirFd, from, toDirFd, to);
      }
    }
  }

  @Override
  public void link(int fromDirFd, PosixPath from, int toDirFd, PosixPath to) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      MemorySegment fromName = scratch.path(from);
      MemorySegment toName = scratch.otherPath(to);
      if (NameBindings.linkat(scratch.errno(), fromDirFd, fromName, toDirFd, toName, 0) < 0) {
        throw failure(scratch, "link", fromDirFd, from, toDirFd, to);
      }
    }
  }

  @Override
  public void linkOpenFile(int fd, int dirFd, PosixPath path) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      MemorySegment toName = scratch.otherPath(path);
      MemorySegment itself = scratch.path(PosixPath.EMPTY);
      if (NameBindings.linkat(scratch.errno(), fd, itself, dirFd, toName, AT_EMPTY_PATH) == 0) {
        return;
      }
      ErrnoException failure = failure(scratch, "link", fd, PosixPath.EMPTY, dirFd, path);
      // So says the kernel also where this needs a capability; see linkat(2).
      if (failure.errno() != Errno.ENOENT) {
        throw failure;
      }
      MemorySegment byProc = scratch.path(PosixPath.of("/proc/self/fd/" + fd));
      int flags = AT_SYMLINK_FOLLOW;
      if (NameBindings.linkat(scratch.errno(), AT_FDCWD, byProc, dirFd, toName, flags) < 0) {
        throw failure(scratch, "link", fd, PosixPath.EMPTY, dirFd, path);
      }
    }
  }

  private static ErrnoException failure(
      Scratch scratch, String operation, int fromFd, PosixPath from, int toFd, PosixPath to) {
    return scratch.failure(
        operation, Failure.subject(fromFd, from) + " -> " + Failure.subject(toFd, to));
  }

  @Override
  public void unlink(int dirFd, PosixPath path) throws ErrnoException {
    unlink("unlink", dirFd, path, 0);
  }

  @Override
  public void removeDirectory(int dirFd, PosixPath path) throws ErrnoException {
    unlink("rmdir", dirFd, path, AT_REMOVEDIR);
  }

  private void unlink(String operation, int dirFd, PosixPath path, int flags)
      throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      if (NameBindings.unlinkat(scratch.errno(), dirFd, scratch.path(path), flags) < 0) {
        throw scratch.failure(operation, dirFd, path);
      }
    }
  }

  @Override
  public void makeDirectory(int dirFd, PosixPath path, int mode) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      if (NameBindings.mkdirat(scratch.errno(), dirFd, scratch.path(path), mode) < 0) {
        throw scratch.failure("mkdir", dirFd, path);
      }
    }
  }

  @Override
  public void symbolicLink(PosixPath target, int dirFd, PosixPath path) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      MemorySegment name = scratch.path(path);
      if (NameBindings.symlinkat(scratch.errno(), scratch.otherPath(target), dirFd, name) < 0) {
        throw scratch.failure("symlink", dirFd, path);
      }
    }
  }

  @Override
  public void changeOwner(int dirFd, PosixPath path, long userId, long groupId)
      throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      int user = (int) userId;
      int group = (int) groupId;
      MemorySegment name = scratch.path(path);
      if (NameBindings.fchownat(scratch.errno(), dirFd, name, user, group, AT_SYMLINK_NOFOLLOW)
          < 0) {
        throw scratch.failure("chown", dirFd, path);
      }
    }
  }

  @Override
  public void changeModificationTime(int dirFd, PosixPath path, long secondsSinceEpoch, int nanos)
      throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      MemorySegment name = scratch.path(path);
      MemorySegment times = TimesLayout.write(scratch.struct(), secondsSinceEpoch, nanos);
      if (NameBindings.utimensat(scratch.errno(), dirFd, name, times, AT_SYMLINK_NOFOLLOW) < 0) {
        throw scratch.failure("utimens", dirFd, path);
      }
    }
  }

  @Override
  public PosixPath readLink(int dirFd, PosixPath path) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      MemorySegment name = scratch.path(path);
      MemorySegment target = scratch.pathTarget();
      long bytes;
      do {
        bytes =
            NameBindings.readlinkat(scratch.errno(), dirFd, name, target, Scratch.MAX_PATH_BYTES);
      } while (bytes < 0 && scratch.interrupted());
      if (bytes < 0) {
        throw scratch.failure("readlink", dirFd, path);
      }
      return PosixPath.of(target.asSlice(0, bytes).toArray(JAVA_BYTE));
    }
  }

  @Override
  public void entries(int dirFd, Consumer<DirectoryEntry> visitor) throws ErrnoException {
    directoryReader.entries(dirFd, visitor);
  }

  @Override
  public boolean nextEntries(int dirFd, Consumer<DirectoryEntry> visitor) throws ErrnoException {
    return directoryReader.nextEntries(dirFd, visitor);
  }

  @Override
  public List<DirectoryEntry> entries(int dirFd) throws ErrnoException {
    List<DirectoryEntry> entries = new ArrayList<>();
    directoryReader.entries(dirFd, entries::add);
    return entries;
  }
}
