package dev.tailwater.store;

import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.OpenFlag;
import dev.tailwater.posix.PosixPath;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The directory of one store, open: its names, and how they change durably. */
final class StoreDirectory implements AutoCloseable {
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

  /** Opens the directory; makes it, and its parents, where they are missing. */
  static StoreDirectory openOrCreate(FileCalls calls, PosixPath path)
      throws StoreUnavailableException {
    try {
      return new StoreDirectory(calls, path, openOrMake(calls, path));
    } catch (ErrnoException failed) {
      throw new StoreUnavailableException(path, failed);
    }
  }

  static StoreDirectory openExisting(FileCalls calls, PosixPath path)
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

  FileCalls calls() {
    return calls;
  }

  PosixPath path() {
    return path;
  }

  PosixPath pathOf(StoreFileName name) {
    return path.resolve(name.path());
  }

  List<DirectoryEntry> entries() throws ErrnoException {
    return calls.entries(fd);
  }

  int openToRead(PosixPath name) throws ErrnoException {
    return calls.open(fd, name, EnumSet.of(OpenFlag.NO_FOLLOW), 0);
  }

  int openToAppend(PosixPath name) throws ErrnoException {
    return calls.open(fd, name, EnumSet.of(OpenFlag.READ_WRITE, OpenFlag.NO_FOLLOW), 0);
  }

  int openOrCreate(PosixPath name) throws ErrnoException {
    return calls.open(
        fd, name, EnumSet.of(OpenFlag.READ_WRITE, OpenFlag.CREATE, OpenFlag.NO_FOLLOW), FILE_MODE);
  }

  int create(PosixPath name) throws ErrnoException {
    return calls.open(
        fd,
        name,
        EnumSet.of(OpenFlag.READ_WRITE, OpenFlag.CREATE, OpenFlag.TRUNCATE, OpenFlag.NO_FOLLOW),
        FILE_MODE);
  }

  /** Gives a complete and synced file its real name. Durable only after {@link #sync()}. */
  void publish(StoreFileName name) throws ErrnoException {
    calls.rename(fd, name.temporaryPath(), fd, name.path(), Set.of());
  }

  /** Takes the name away, if it is there. */
  void delete(PosixPath name) throws ErrnoException {
    try {
      calls.unlink(fd, name);
    } catch (ErrnoException failed) {
      if (failed.errno() != Errno.ENOENT) {
        throw failed;
      }
    }
  }

  /** Makes all changes of names durable. */
  void sync() throws ErrnoException {
    calls.fsync(fd);
  }

  @Override
  public void close() throws ErrnoException {
    calls.close(fd);
  }
}
