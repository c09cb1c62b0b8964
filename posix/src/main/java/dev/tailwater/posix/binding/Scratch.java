package dev.tailwater.posix.binding;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The native memory of one call: where errno goes, a place for structs, and two for paths. Owned by
 * one call from {@link ScratchPool#acquire} to {@link #close}, so that no two calls ever share an
 * errno, whatever thread, platform or virtual, they run on.
 */
public final class Scratch implements AutoCloseable {
  /** PATH_MAX of Linux, with the NUL. */
  public static final int MAX_PATH_BYTES = 4096;

  /** Room for the largest struct that is passed: 64 pollfds. */
  static final int STRUCT_BYTES = 512;

  private static final int PATH_ROOM_BYTES = MAX_PATH_BYTES + 8;

  private final ScratchPool pool;
  private final MemorySegment errno;
  private final MemorySegment struct;
  private final MemorySegment path;
  private final MemorySegment otherPath;

  Scratch(ScratchPool pool) {
    this.pool = pool;
    // Collected with this object: a pool that is dropped, or too full to take it back, leaks
    // nothing.
    Arena arena = Arena.ofAuto();
    errno = arena.allocate(Binder.CAPTURE_BYTES, Long.BYTES);
    struct = arena.allocate(STRUCT_BYTES, Long.BYTES);
    path = arena.allocate(PATH_ROOM_BYTES, Long.BYTES);
    otherPath = arena.allocate(PATH_ROOM_BYTES, Long.BYTES);
  }

  /** Where the linker saves errno. */
  public MemorySegment errno() {
    return errno;
  }

  /** {@value #STRUCT_BYTES} bytes for a struct; whatever the last call left is in it. */
  public MemorySegment struct() {
    return struct;
  }

  /** The path as a C string. */
  public MemorySegment path(PosixPath text) {
    return write(text, path);
  }

  /** A second path as a C string. */
  public MemorySegment otherPath(PosixPath text) {
    return write(text, otherPath);
  }

  /** The memory behind {@link #otherPath(PosixPath)}, for a call that returns a path. */
  public MemorySegment pathTarget() {
    return otherPath;
  }

  private static MemorySegment write(PosixPath text, MemorySegment target) {
    // One byte too long is enough for the kernel to say ENAMETOOLONG, so the rest is not copied.
    int length = Math.min(text.lengthBytes(), MAX_PATH_BYTES);
    text.copyTo(target, length);
    target.set(JAVA_BYTE, length, (byte) 0);
    return target;
  }

  /** Whether the call that just failed was interrupted by a signal, and is to be made again. */
  public boolean interrupted() {
    return errnoNumber() == Errno.EINTR.number();
  }

  public boolean failedWith(Errno expected) {
    return errnoNumber() == expected.number();
  }

  public int errnoNumber() {
    return errno.get(JAVA_INT, Binder.ERRNO_OFFSET);
  }

  public ErrnoException failure(String operation, String subject) {
    return Failure.of(operation, subject, errnoNumber());
  }

  public ErrnoException failure(String operation, int fd) {
    return Failure.of(operation, "fd " + fd, errnoNumber());
  }

  public ErrnoException failure(String operation, int dirFd, PosixPath path) {
    return Failure.of(operation, Failure.subject(dirFd, path), errnoNumber());
  }

  /** Gives the memory back to its pool. */
  @Override
  public void close() {
    pool.release(this);
  }
}
