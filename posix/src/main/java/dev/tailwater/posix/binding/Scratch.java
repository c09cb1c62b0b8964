package dev.tailwater.posix.binding;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;

/**
 * The native memory of one call: space for errno, for structs, and for two paths. One call owns it
 * from {@link ScratchPool#acquire} to {@link #close}, so that two calls never share an errno,
 * whatever platform or virtual thread they run on.
 */
public final class Scratch implements AutoCloseable {
  /** PATH_MAX of Linux, including the NUL. */
  public static final int MAX_PATH_BYTES = 4096;

  /** Size of the space for structs; the largest argument is 64 pollfds. */
  static final int STRUCT_BYTES = 512;

  private static final int PATH_ROOM_BYTES = MAX_PATH_BYTES + 8;

  private final Consumer<Scratch> release;
  private final MemorySegment errno;
  private final MemorySegment struct;
  private final ByteBuffer structBuffer;
  private final MemorySegment path;
  private final MemorySegment otherPath;

  /**
   * @param release takes the memory back when it is closed
   */
  Scratch(Consumer<Scratch> release) {
    this.release = release;
    // The garbage collector frees this arena with this object, so that nothing leaks if the pool is
    // dropped or has no free slot to take the object back.
    Arena arena = Arena.ofAuto();
    errno = arena.allocate(Binder.CAPTURE_BYTES, Long.BYTES);
    struct = arena.allocate(STRUCT_BYTES, Long.BYTES);
    structBuffer = struct.asByteBuffer().order(ByteOrder.nativeOrder());
    path = arena.allocate(PATH_ROOM_BYTES, Long.BYTES);
    otherPath = arena.allocate(PATH_ROOM_BYTES, Long.BYTES);
  }

  /** Returns the memory where the linker saves errno. */
  public MemorySegment errno() {
    return errno;
  }

  /**
   * Returns {@value #STRUCT_BYTES} bytes for a struct, which still hold data of the previous call.
   */
  public MemorySegment struct() {
    return struct;
  }

  /** Returns {@link #struct()} as a buffer in native byte order. */
  public ByteBuffer structBuffer() {
    return structBuffer;
  }

  /** Copies a path to this memory as a C string. */
  public MemorySegment path(PosixPath text) {
    return write(text, path);
  }

  /** Copies a second path to this memory as a C string. */
  public MemorySegment otherPath(PosixPath text) {
    return write(text, otherPath);
  }

  /** Returns the memory of {@link #otherPath(PosixPath)}, for a call that returns a path. */
  public MemorySegment pathTarget() {
    return otherPath;
  }

  private static MemorySegment write(PosixPath text, MemorySegment target) {
    // One byte too many makes the kernel return ENAMETOOLONG, so the rest need not be copied.
    int length = Math.min(text.lengthBytes(), MAX_PATH_BYTES);
    text.copyTo(target, length);
    target.set(JAVA_BYTE, length, (byte) 0);
    return target;
  }

  /** Returns whether the call that just failed was interrupted by a signal and must be repeated. */
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

  /** Returns the memory to its pool. */
  @Override
  public void close() {
    release.accept(this);
  }
}
