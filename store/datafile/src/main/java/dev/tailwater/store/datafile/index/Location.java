package dev.tailwater.store.datafile.index;

/**
 * Where a record lies, packed into 64 bits as it stands in a slot: 16 bits for the file, 32 for the
 * offset, 16 for the length. So a slot is two words, hash and location, and a location is compared
 * and handed on without an object.
 *
 * <p>The length is that of the record rounded up to {@value #LENGTH_UNIT_BYTES} bytes.
 */
public final class Location {
  /** What lengths are counted in. */
  public static final int LENGTH_UNIT_BYTES = 64;

  /** Files are numbered from 1 to this. */
  public static final int MAX_FILE = 0xFFFF;

  /** No offset is as large as this. */
  public static final long OFFSET_LIMIT = 1L << 32;

  /** No length is as large as this. */
  public static final int LENGTH_UNITS_LIMIT = 1 << 16;

  /** No location. */
  public static final long NONE = 0;

  private Location() {}

  /**
   * Packs. A length that does not fit 16 bits of units is stored as 0, and then the reader looks at
   * the record's header first.
   */
  public static long of(int file, long offsetBytes, int lengthBytes) {
    if (file < 1 || file > MAX_FILE || offsetBytes < 0 || offsetBytes >= OFFSET_LIMIT) {
      throw new IllegalArgumentException("file " + file + ", offset " + offsetBytes);
    }
    int units = (lengthBytes + LENGTH_UNIT_BYTES - 1) / LENGTH_UNIT_BYTES;
    int stored = units < LENGTH_UNITS_LIMIT ? units : 0;
    return (long) file << 48 | offsetBytes << 16 | stored;
  }

  /** The same place in another file. */
  public static long inFile(long location, int file) {
    return (location & ((1L << 48) - 1)) | (long) file << 48;
  }

  /** Number of the file, from 1. */
  public static int file(long location) {
    return (int) (location >>> 48);
  }

  /** Where in the file the record begins. */
  public static long offsetBytes(long location) {
    return location >>> 16 & 0xFFFF_FFFFL;
  }

  /** At least the record's length, less than 64 bytes more; 0 when it is over 4 MiB. */
  public static int maxLengthBytes(long location) {
    return (int) (location & 0xFFFF) * LENGTH_UNIT_BYTES;
  }
}
