package dev.tailwater.store.files;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.StoreException;
import dev.tailwater.store.StoreLockedException;
import dev.tailwater.store.StoreUnavailableException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The exclusive flock(2) on a store's LOCK file, which holds the owner's process id as text. */
public final class DirectoryLock implements AutoCloseable {
  /** The lock file, in every store's directory. */
  public static final PosixPath NAME = PosixPath.of("LOCK");

  /** A tool that checks whether the store is in use holds the lock for a moment. */
  private static final int ATTEMPTS = 5;

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final int MAX_PID_BYTES = 20;

  private final FileCalls calls;
  private final PosixPath path;
  private final int fd;

  private DirectoryLock(FileCalls calls, PosixPath path, int fd) {
    this.calls = calls;
    this.path = path;
    this.fd = fd;
  }

  /** Takes the lock, or throws an exception that names its holder. */
  public static DirectoryLock take(StoreDirectory directory) throws StoreException, ErrnoException {
    FileCalls calls = directory.calls();
    int fd;
    try {
      fd = directory.openOrCreate(NAME);
    } catch (ErrnoException failed) {
      throw new StoreUnavailableException(directory.path(), failed);
    }
    try {
      for (int attempt = 1; !calls.tryLock(fd); attempt++) {
        if (attempt == ATTEMPTS) {
          throw new StoreLockedException(directory.path(), readPid(calls, fd));
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      writePid(calls, fd);
      return new DirectoryLock(calls, directory.pathOf(NAME), fd);
    } catch (ErrnoException failed) {
      calls.close(fd);
      throw new StoreUnavailableException(directory.path(), failed);
    } catch (StoreLockedException locked) {
      calls.close(fd);
      throw locked;
    }
  }

  /** Throws when somebody holds the lock now; does not keep it. */
  public static void checkFree(StoreDirectory directory)
      throws StoreLockedException, ErrnoException {
    FileCalls calls = directory.calls();
    int fd;
    try {
      fd = openToLock(directory);
    } catch (ErrnoException failed) {
      if (failed.errno() == Errno.ENOENT) {
        return; // a copy of a store without its lock file
      }
      throw failed;
    }
    try {
      if (!calls.tryLock(fd)) {
        throw new StoreLockedException(directory.path(), readPid(calls, fd));
      }
    } finally {
      calls.close(fd);
    }
  }

  /** NFS locks only what is open for writing; on a read-only file system there is no choice. */
  private static int openToLock(StoreDirectory directory) throws ErrnoException {
    try {
      return directory.openToAppend(NAME);
    } catch (ErrnoException failed) {
      if (failed.errno() == Errno.EROFS || failed.errno() == Errno.EACCES) {
        return directory.openToRead(NAME);
      }
      throw failed;
    }
  }

  private static void writePid(FileCalls calls, int fd) throws ErrnoException {
    byte[] text = (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment source = arena.allocateFrom(ValueLayout.JAVA_BYTE, text);
      int written = calls.pwrite(fd, source, 0);
      // A shortened pid would name an innocent process; an empty file names none.
      calls.truncate(fd, written == text.length ? written : 0);
    }
  }

  private static OptionalLong readPid(FileCalls calls, int fd) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment target = arena.allocate(MAX_PID_BYTES);
      int length = calls.pread(fd, target, 0);
      byte[] text = target.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
      return OptionalLong.of(Long.parseLong(new String(text, StandardCharsets.US_ASCII).strip()));
    } catch (NumberFormatException notAPid) {
      return OptionalLong.empty();
    }
  }

  /**
   * Returns whether the path of the directory still leads to this lock. If it does not, the
   * directory was removed or replaced, and somebody else can take a lock there.
   */
  public boolean isInPlace() throws ErrnoException {
    return StoreDirectory.leadsTo(calls, path, fd);
  }

  @Override
  public void close() throws ErrnoException {
    calls.close(fd);
  }
}
