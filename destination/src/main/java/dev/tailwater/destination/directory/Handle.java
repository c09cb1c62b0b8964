package dev.tailwater.destination.directory;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.ResolveFlag;
import java.util.EnumSet;
import java.util.Set;

/** An open descriptor for use in one block of code. */
record Handle(FileCalls calls, int fd) implements AutoCloseable {
  private static final Set<ResolveFlag> INSIDE =
      Set.of(ResolveFlag.BENEATH, ResolveFlag.NO_SYMLINKS, ResolveFlag.NO_MAGIC_LINKS);
  private static final PosixPath SELF = PosixPath.of(".");

  /** Opens a path below this directory without following any symbolic link. */
  Handle open(PosixPath path, Set<OpenFlag> flags, int mode) throws ErrnoException {
    EnumSet<OpenFlag> noFollow = EnumSet.of(OpenFlag.NO_FOLLOW);
    noFollow.addAll(flags);
    return new Handle(calls, calls.openBeneath(fd, path, noFollow, mode, INSIDE));
  }

  /** Opens a directory below this one; returns this one for an empty path. */
  Handle openDirectory(String path) throws ErrnoException {
    return open(path.isEmpty() ? SELF : PosixPath.of(path), Set.of(OpenFlag.DIRECTORY), 0);
  }

  /** Closes this handle and returns the other one; closes both if that fails. */
  Handle exchangeFor(Handle next) throws ErrnoException {
    try {
      close();
      return next;
    } catch (ErrnoException e) {
      next.close();
      throw e;
    }
  }

  @Override
  public void close() throws ErrnoException {
    calls.close(fd);
  }
}
