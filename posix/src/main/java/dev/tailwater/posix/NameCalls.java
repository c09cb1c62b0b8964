package dev.tailwater.posix;

import java.util.List;
import java.util.Set;

/** Calls that turn names into descriptors, or change names. */
public interface NameCalls {
  /** As {@code dirFd}: relative paths start at the process's working directory. */
  int AT_FDCWD = -100;

  int open(int dirFd, PosixPath path, Set<OpenFlag> flags, int mode) throws ErrnoException;

  int openBeneath(
      int dirFd, PosixPath path, Set<OpenFlag> flags, int mode, Set<ResolveFlag> resolve)
      throws ErrnoException;

  void close(int fd) throws ErrnoException;

  void rename(int fromDirFd, PosixPath from, int toDirFd, PosixPath to, Set<RenameFlag> flags)
      throws ErrnoException;

  void link(int fromDirFd, PosixPath from, int toDirFd, PosixPath to) throws ErrnoException;

  void unlink(int dirFd, PosixPath path) throws ErrnoException;

  void removeDirectory(int dirFd, PosixPath path) throws ErrnoException;

  void makeDirectory(int dirFd, PosixPath path, int mode) throws ErrnoException;

  PosixPath readLink(int dirFd, PosixPath path) throws ErrnoException;

  /** All entries of an open directory but {@code .} and {@code ..}, in the kernel's order. */
  List<DirectoryEntry> entries(int dirFd) throws ErrnoException;
}
