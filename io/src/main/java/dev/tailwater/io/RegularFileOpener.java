package dev.tailwater.io;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;

/**
 * Opens regular files and nothing else. Opening is not harmless: of a FIFO it waits, of a tape it
 * rewinds, of a watchdog it starts the clock. So the type is asked of a descriptor that only stands
 * for the place, and the file is opened through that one (/proc/self/fd; see proc(5)), so that
 * nobody can put another one there in between. The flag that would keep open(2) from waiting for a
 * FIFO is not used, since it stays on the descriptor and io_uring(7) heeds it.
 */
final class RegularFileOpener {
  private static final Set<OpenFlag> NOT_ALLOWED =
      EnumSet.of(OpenFlag.CREATE, OpenFlag.EXCLUSIVE, OpenFlag.DIRECTORY, OpenFlag.PATH);

  private RegularFileOpener() {}

  static int open(FileCalls calls, int dirFd, PosixPath path, Set<OpenFlag> flags)
      throws IOException {
    for (OpenFlag flag : NOT_ALLOWED) {
      if (flags.contains(flag)) {
        throw new IllegalArgumentException(flag + " when opening a regular file that is there");
      }
    }
    EnumSet<OpenFlag> place = EnumSet.of(OpenFlag.PATH);
    if (flags.contains(OpenFlag.NO_FOLLOW)) {
      place.add(OpenFlag.NO_FOLLOW);
    }
    int found = calls.open(dirFd, path, place, 0);
    try {
      NotARegularFileException.check(calls, found, path);
      return reopen(calls, found, dirFd, path, flags);
    } finally {
      calls.close(found);
    }
  }

  private static int reopen(
      FileCalls calls, int found, int dirFd, PosixPath path, Set<OpenFlag> flags)
      throws IOException {
    EnumSet<OpenFlag> followed = EnumSet.noneOf(OpenFlag.class);
    followed.addAll(flags);
    followed.remove(OpenFlag.NO_FOLLOW); // the name in /proc is a link itself
    PosixPath self = PosixPath.of("/proc/self/fd/" + found);
    try {
      return calls.open(FileCalls.AT_FDCWD, self, followed, 0);
    } catch (ErrnoException e) {
      if (e.errno() != Errno.ENOENT) {
        throw new ErrnoException("open", path.toString(), e.errnoNumber(), e.errno().text());
      }
    }
    return withoutProc(calls, path, dirFd, flags);
  }

  /** Where /proc is not mounted: by name once more, and the type is asked again. */
  private static int withoutProc(FileCalls calls, PosixPath path, int dirFd, Set<OpenFlag> flags)
      throws IOException {
    EnumSet<OpenFlag> withoutWaiting = EnumSet.of(OpenFlag.NON_BLOCK);
    withoutWaiting.addAll(flags);
    int fd = calls.open(dirFd, path, withoutWaiting, 0);
    try {
      NotARegularFileException.check(calls, fd, path);
      return fd;
    } catch (IOException e) {
      calls.close(fd);
      throw e;
    }
  }
}
