package dev.tailwater.posix.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.tailwater.posix.AttributeCalls;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.binding.AttributeBindings;
import dev.tailwater.posix.binding.Scratch;
import dev.tailwater.posix.binding.ScratchPool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The implementation of {@link AttributeCalls} for Linux. A first call has room for what is usual;
 * only if that is too little, a second one has room for the most that Linux has, so that no race
 * with a writer needs a third.
 */
final class LinuxAttributeCalls implements AttributeCalls {
  /** XATTR_LIST_MAX and XATTR_SIZE_MAX of Linux. */
  private static final int MOST_BYTES = 64 * 1024;

  private final ScratchPool scratches;

  LinuxAttributeCalls(ScratchPool scratches) {
    this.scratches = scratches;
  }

  /** A call that fills memory, and returns how many bytes it has written. */
  private interface Filling {
    long fill(MemorySegment target, long bytes);
  }

  @Override
  public List<String> attributeNames(int fd) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      byte[] names =
          filled(
              scratch,
              "flistxattr",
              "fd " + fd,
              (target, bytes) -> AttributeBindings.flistxattr(scratch.errno(), fd, target, bytes));
      return split(names);
    }
  }

  /** Splits names that each end in a NUL. */
  private static List<String> split(byte[] names) {
    List<String> found = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < names.length; i++) {
      if (names[i] == 0) {
        found.add(new String(names, from, i - from, ISO_8859_1));
        from = i + 1;
      }
    }
    return found;
  }

  @Override
  public byte[] attribute(int fd, String name) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      MemorySegment text = scratch.path(cString(name));
      return filled(
          scratch,
          "fgetxattr",
          subject(fd, name),
          (target, bytes) -> AttributeBindings.fgetxattr(scratch.errno(), fd, text, target, bytes));
    }
  }

  private static byte[] filled(Scratch scratch, String operation, String subject, Filling call)
      throws ErrnoException {
    MemorySegment usual = scratch.pathTarget();
    long length = repeated(scratch, call, usual, Scratch.MAX_PATH_BYTES);
    if (length >= 0) {
      return usual.asSlice(0, length).toArray(JAVA_BYTE);
    }
    if (scratch.failedWith(Errno.ERANGE)) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment large = arena.allocate(MOST_BYTES);
        length = repeated(scratch, call, large, MOST_BYTES);
        if (length >= 0) {
          return large.asSlice(0, length).toArray(JAVA_BYTE);
        }
      }
    }
    if (scratch.failedWith(Errno.ERANGE)) { // A file system that knows no such bound.
      throw ErrnoException.of(operation, subject, Errno.E2BIG);
    }
    throw scratch.failure(operation, subject);
  }

  private static long repeated(Scratch scratch, Filling call, MemorySegment target, long bytes) {
    long length;
    do {
      length = call.fill(target, bytes);
    } while (length < 0 && scratch.interrupted());
    return length;
  }

  @Override
  public void setAttribute(int fd, String name, byte[] value) throws ErrnoException {
    try (Scratch scratch = scratches.acquire();
        Arena arena = Arena.ofConfined()) {
      MemorySegment text = scratch.path(cString(name));
      MemorySegment bytes = arena.allocateFrom(JAVA_BYTE, value);
      int result;
      do {
        result =
            AttributeBindings.fsetxattr(
                scratch.errno(), fd, text, bytes, value.length, /* flags= */ 0);
      } while (result < 0 && scratch.interrupted());
      if (result < 0) {
        throw scratch.failure("fsetxattr", subject(fd, name));
      }
    }
  }

  @Override
  public void removeAttribute(int fd, String name) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      MemorySegment text = scratch.path(cString(name));
      int result;
      do {
        result = AttributeBindings.fremovexattr(scratch.errno(), fd, text);
      } while (result < 0 && scratch.interrupted());
      if (result < 0) {
        throw scratch.failure("fremovexattr", subject(fd, name));
      }
    }
  }

  private static PosixPath cString(String name) {
    if (name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("the name of an attribute has a NUL");
    }
    return PosixPath.of(name.getBytes(ISO_8859_1));
  }

  private static String subject(int fd, String name) {
    return "fd " + fd + " " + name;
  }
}
