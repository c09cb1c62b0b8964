package dev.tailwater.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/** The page size of this kernel, from the auxiliary vector; see getauxval(3), AT_PAGESZ. */
public final class PageSize {
  private static final Path AUXILIARY_VECTOR = Path.of("/proc/self/auxv");
  private static final long AT_PAGESZ = 6;
  private static final int SMALLEST_BYTES = 4096;

  /** It never changes, and later there may be no descriptor left to ask. */
  private static final int BYTES = read();

  private PageSize() {}

  /**
   * Bytes; the smallest there is where /proc is not mounted or cannot be read, which only makes
   * reads slower.
   */
  public static int bytes() {
    return BYTES;
  }

  private static int read() {
    try {
      return of(Files.readAllBytes(AUXILIARY_VECTOR));
    } catch (IOException e) {
      return SMALLEST_BYTES;
    }
  }

  static int of(byte[] auxiliaryVector) {
    ByteBuffer entries = ByteBuffer.wrap(auxiliaryVector).order(ByteOrder.nativeOrder());
    while (entries.remaining() >= 2 * Long.BYTES) {
      long type = entries.getLong();
      long value = entries.getLong();
      if (type == AT_PAGESZ && Long.bitCount(value) == 1 && value >= SMALLEST_BYTES) {
        return (int) Math.min(value, 1 << 20);
      }
    }
    return SMALLEST_BYTES;
  }
}
