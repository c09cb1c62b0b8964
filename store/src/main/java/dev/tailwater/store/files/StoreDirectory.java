package dev.tailwater.store.files;

import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.StatFlag;
import dev.tailwater.store.StoreUnavailableException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The open directory of a store: its names, and how they change durably. */
public final class StoreDirectory implements AutoCloseable {
  private static final int DIRECTORY_MODE = 0700;
  private static final int FILE_MODE = 0600;
  private static final PosixPath HERE = PosixPath.of(".");
  private static final Set<OpenFlag> DIRECTORY = EnumSet.of(OpenFlag.DIRECTORY);

  private final FileCalls calls;
  private final PosixPath path;
  private final int fd;

  private StoreDirectory(FileCalls calls, PosixPath path, int fd) {
    this.calls = calls;
    this.path = path;
    this.fd = fd;
  }

  /** Opens the directory; creates it and its parents where they are missing. */
  public static StoreDirectory openOrCreate(FileCalls calls, PosixPath path)
      throws StoreUnavailableException {
    try {
      return new StoreDirectory(calls, path, openOrMake(calls, path));
    } catch (ErrnoException failed) {
      throw new StoreUnavailableException(path, failed);
    }
  }

  /** Opens an existing directory. */
  public static StoreDirectory openExisting(FileCalls calls, PosixPath path)
      throws StoreUnavailableException {
    try {
      return new StoreDirectory(calls, path, openDirectory(calls, path));
    } catch (ErrnoException failed) {
      throw new StoreUnavailableException(path, failed);
    }
  }

  private static int openOrMake(FileCalls calls, PosixPath path) throws ErrnoException {
    try {
      return openDirectory(calls, path);
    } catch (ErrnoException failed) {
      if (failed.errno() != Errno.ENOENT || path.isEmpty()) {
        throw failed;
      }
    }
    int parentFd = openOrMake(calls, path.parent());
    try {
      calls.makeDirectory(parentFd, path.fileName(), DIRECTORY_MODE);
      calls.fsync(parentFd);
    } catch (ErrnoException failed) {
      if (failed.errno() != Errno.EEXIST) {
        throw failed;
      }
    } finally {
      calls.close(parentFd);
    }
    return openDirectory(calls, path);
  }

  private static int openDirectory(FileCalls calls, PosixPath path) throws ErrnoException {
    return calls.open(NameCalls.AT_FDCWD, path.isEmpty() ? HERE : path, DIRECTORY, 0);
  }

  /** Returns what all calls on its files go through. */
  public FileCalls calls() {
    return calls;
  }

  /** Returns the path that it was opened by. */
  public PosixPath path() {
    return path;
  }

  /** Returns the whole path of a name in this directory, for messages. */
  public PosixPath pathOf(PosixPath name) {
    return path.resolve(name);
  }

  /** Returns whether its path still leads to it, and not to nothing or to another directory. */
  public boolean isInPlace() throws ErrnoException {
    return leadsTo(calls, path.isEmpty() ? HERE : path, fd);
  }

  /** Returns whether a path leads to an open file. */
  static boolean leadsTo(FileCalls calls, PosixPath path, int fd) throws ErrnoException {
    FileStatus open = calls.fstat(fd);
    try {
      FileStatus there = calls.statx(NameCalls.AT_FDCWD, path, Set.of());
      return there.inode() == open.inode() && there.device() == open.device();
    } catch (ErrnoException failed) {
      if (isNothing(failed)) {
        return false;
      }
      throw failed;
    }
  }

  /** Returns whether it has this name, also if its path leads elsewhere. */
  public boolean has(PosixPath name) throws ErrnoException {
    try {
      var _ = calls.statx(fd, name, EnumSet.of(StatFlag.NO_FOLLOW));
      return true;
    } catch (ErrnoException failed) {
      if (isNothing(failed)) {
        return false;
      }
      throw failed;
    }
  }

  private static boolean isNothing(ErrnoException failed) {
    return failed.errno() == Errno.ENOENT || failed.errno() == Errno.ENOTDIR;
  }

  /** Returns all names in it, in no order. */
  public List<DirectoryEntry> entries() throws ErrnoException {
    return calls.entries(fd);
  }

  /**
   * Opens an existing file for reading; the caller closes the descriptor, as with the next four.
   */
  public int openToRead(PosixPath name) throws ErrnoException {
    return calls.open(fd, name, EnumSet.of(OpenFlag.NO_FOLLOW), 0);
  }

  /** Opens an existing file for reading past the page cache. */
  public int openDirect(PosixPath name) throws ErrnoException {
    return calls.open(fd, name, EnumSet.of(OpenFlag.NO_FOLLOW, OpenFlag.DIRECT), 0);
  }

  /** Opens an existing file for reading and writing. */
  public int openToAppend(PosixPath name) throws ErrnoException {
    return calls.open(fd, name, EnumSet.of(OpenFlag.READ_WRITE, OpenFlag.NO_FOLLOW), 0);
  }

  /** Opens a file for reading and writing; creates it when it is missing. */
  public int openOrCreate(PosixPath name) throws ErrnoException {
    return calls.open(
        fd, name, EnumSet.of(OpenFlag.READ_WRITE, OpenFlag.CREATE, OpenFlag.NO_FOLLOW), FILE_MODE);
  }

  /** Creates an empty file; empties an existing one. */
  public int create(PosixPath name) throws ErrnoException {
    return calls.open(
        fd,
        name,
        EnumSet.of(OpenFlag.READ_WRITE, OpenFlag.CREATE, OpenFlag.TRUNCATE, OpenFlag.NO_FOLLOW),
        FILE_MODE);
  }

  /** Gives a complete and synced file its real name. Durable only after {@link #sync()}. */
  public void publish(PosixPath temporaryName, PosixPath name) throws ErrnoException {
    calls.rename(fd, temporaryName, fd, name, Set.of());
  }

  /** Creates and opens a directory in it. Durable only after {@link #sync()}. */
  public StoreDirectory makeDirectory(PosixPath name) throws ErrnoException {
    calls.makeDirectory(fd, name, DIRECTORY_MODE);
    PosixPath inner = path.resolve(name);
    return new StoreDirectory(calls, inner, openDirectory(calls, inner));
  }

  /** Links a file into another directory under the same name. Durable after that one's sync. */
  public void link(PosixPath name, StoreDirectory other) throws ErrnoException {
    calls.link(fd, name, other.fd, name);
  }

  /** Moves a file into another directory. Durable after the syncs of both. */
  public void move(PosixPath name, StoreDirectory other) throws ErrnoException {
    calls.rename(fd, name, other.fd, name, Set.of());
  }

  /** Deletes a file, if it is there. */
  public void delete(PosixPath name) throws ErrnoException {
    try {
      calls.unlink(fd, name);
    } catch (ErrnoException failed) {
      if (failed.errno() != Errno.ENOENT) {
        throw failed;
      }
    }
  }

  /** Makes all changes of names durable. */
  public void sync() throws ErrnoException {
    calls.fsync(fd);
  }

  @Override
  public void close() throws ErrnoException {
    calls.close(fd);
  }
}
