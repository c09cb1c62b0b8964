package dev.tailwater.io;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An open file descriptor with its path. It rejects use after close, when the number may already
 * belong to another file. {@link #close} may be called by any thread; the rest is immutable.
 */
public final class Descriptor implements AutoCloseable {
  private final FileCalls calls;
  private final PosixPath path;
  private final int fd;
  private final AtomicBoolean closed = new AtomicBoolean();

  private Descriptor(FileCalls calls, PosixPath path, int fd) {
    this.calls = calls;
    this.path = path;
    this.fd = fd;
  }

  /**
   * Opens a file; see open(2).
   *
   * @param dirFd where a relative path starts, or {@link FileCalls#AT_FDCWD}
   * @param mode permissions of a file that is created
   * @throws ErrnoException as open(2) says
   */
  public static Descriptor open(
      FileCalls calls, int dirFd, PosixPath path, Set<OpenFlag> flags, int mode)
      throws ErrnoException {
    return new Descriptor(calls, path, calls.open(dirFd, path, flags, mode));
  }

  /**
   * Opens an existing regular file. Never waits for the other end of a FIFO and never touches a
   * device: it first checks what the name leads to (O_PATH), and then opens exactly that. Four
   * system calls, and a fifth for a file without blocks.
   *
   * @param dirFd where a relative path starts, or {@link FileCalls#AT_FDCWD}
   * @param flags without {@link OpenFlag#CREATE}, {@link OpenFlag#DIRECTORY} and {@link
   *     OpenFlag#PATH}
   * @throws NotARegularFileException for a directory, FIFO, socket, device, or a file of /proc
   * @throws ErrnoException as open(2) says: ENOENT, EACCES, ENOTDIR, ELOOP, EMFILE, EROFS...
   */
  public static Descriptor openRegularFile(
      FileCalls calls, int dirFd, PosixPath path, Set<OpenFlag> flags) throws IOException {
    return new Descriptor(calls, path, RegularFileOpener.open(calls, dirFd, path, flags));
  }

  /** Takes ownership of a descriptor that was opened elsewhere; only this object may close it. */
  public static Descriptor adopt(FileCalls calls, int fd, PosixPath path) {
    return new Descriptor(calls, path, fd);
  }

  /** Returns the number; throws {@link IllegalStateException} after close. */
  public int fd() {
    if (closed.get()) {
      throw new IllegalStateException("descriptor of " + path + " is closed");
    }
    return fd;
  }

  /** Gives the number to the caller, who closes it; this object is of no use then. */
  public int release() {
    if (!closed.compareAndSet(false, true)) {
      throw new IllegalStateException("descriptor of " + path + " is closed");
    }
    return fd;
  }

  /** Returns the calls by which it was opened, and by which it is to be used. */
  public FileCalls calls() {
    return calls;
  }

  /** Returns the path by which it was opened; the file may have another one by now. */
  public PosixPath path() {
    return path;
  }

  /** Closes the descriptor; throws {@link IllegalStateException} the second time. */
  @Override
  public void close() throws ErrnoException {
    if (!closed.compareAndSet(false, true)) {
      throw new IllegalStateException("descriptor of " + path + " is closed twice");
    }
    calls.close(fd, path);
  }

  @Override
  public String toString() {
    return path + " (fd " + fd + (closed.get() ? ", closed)" : ")");
  }
}
