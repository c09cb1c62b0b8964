package dev.tailwater.io.read;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.OptionalLong;
import java.util.Set;

/** Counts resident pages by mincore(2) over mappings made for the purpose, 256 MiB at a time. */
final class Mincore {
  private static final long WINDOW_BYTES = 256L << 20;
  private static final int SMALLEST_PAGE_BYTES = 4096;

  /** Why a file cannot be mapped, or whether it may be written cannot be said. */
  private static final Set<Errno> CANNOT_SAY =
      EnumSet.of(Errno.ENODEV, Errno.EACCES, Errno.EPERM, Errno.ENOSYS, Errno.ENOENT, Errno.ENOMEM);

  private Mincore() {}

  /**
   * Resident pages between two page boundaries; empty when the kernel would not tell the truth, or
   * the file cannot be mapped.
   */
  static OptionalLong residentPages(Descriptor file, long startBytes, long endBytes, int pageBytes)
      throws ErrnoException {
    FileCalls calls = file.calls();
    try {
      if (!calls.mayWrite(file.fd())) {
        return OptionalLong.empty(); // or the kernel says that every page is resident
      }
      long resident = 0;
      for (long at = startBytes; at < endBytes; at += WINDOW_BYTES) {
        long lengthBytes = Math.min(WINDOW_BYTES, endBytes - at);
        resident += window(calls, file.fd(), at, lengthBytes, pageBytes);
      }
      return OptionalLong.of(resident);
    } catch (ErrnoException e) {
      if (CANNOT_SAY.contains(e.errno())) {
        return OptionalLong.empty();
      }
      throw e;
    }
  }

  private static long window(
      FileCalls calls, int fd, long offsetBytes, long lengthBytes, int pageBytes)
      throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mapping = calls.map(fd, offsetBytes, lengthBytes, arena);
      MemorySegment pages = arena.allocate(lengthBytes / SMALLEST_PAGE_BYTES + 1);
      calls.mincore(mapping, pages);
      long resident = 0;
      for (long i = 0; i * pageBytes < lengthBytes; i++) {
        resident += pages.get(ValueLayout.JAVA_BYTE, i) & 1;
      }
      return resident;
    }
  }
}
