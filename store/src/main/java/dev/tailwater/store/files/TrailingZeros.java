package dev.tailwater.store.files;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** TrailingZeros at the end of a file, which may have been put there to be overwritten. */
public final class TrailingZeros {
  private static final int PART_BYTES = 256 * 1024;

  private TrailingZeros() {}

  /**
   * Returns where the zeros at the end of a range begin; its end when its last byte is not zero.
   */
  public static long begin(FileCalls calls, int fd, long fromBytes, long endBytes)
      throws ErrnoException {
    if (endBytes <= fromBytes) {
      return fromBytes;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(Math.min(PART_BYTES, endBytes - fromBytes));
      for (long end = endBytes; end > fromBytes; end -= PART_BYTES) {
        long from = Math.max(fromBytes, end - PART_BYTES);
        MemorySegment part = memory.asSlice(0, end - from);
        int last = Transfers.readFully(calls, fd, part, from) - 1;
        while (last >= 0 && part.get(ValueLayout.JAVA_BYTE, last) == 0) {
          last--;
        }
        if (last >= 0) {
          return from + last + 1;
        }
      }
      return fromBytes;
    }
  }
}
