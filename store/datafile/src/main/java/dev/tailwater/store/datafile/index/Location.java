package dev.tailwater.store.datafile.index;

/**
 * The location of a record, packed into 64 bits: 16 bits for the file, 32 for the offset, 16 for
 * the length. So a slot of the index is two words, hash and location, and locations are compared
 * and passed on without objects.
 *
 * <p>The length is that of the record rounded up to {@value #LENGTH_UNIT_BYTES} bytes.
 */
public final class Location {
  /** The unit of lengths. */
  public static final int LENGTH_UNIT_BYTES = 64;

  /** Highest file number; the lowest is 1. */
  public static final int MAX_FILE = 0xFFFF;

  /** All offsets are less than this. */
  public static final long OFFSET_LIMIT = 1L << 32;

  /** All lengths in units are less than this. */
  public static final int LENGTH_UNITS_LIMIT = 1 << 16;

  /** No location. */
  public static final long NONE = 0;

  /** Stands for the locations of a hash that has more than one. */
  public static final long SEVERAL = -1;

  private Location() {}

  /**
   * Packs a location. A length that does not fit 16 bits of units is stored as 0; then the reader
   * reads the record's header first.
   */
  public static long of(int file, long offsetBytes, int lengthBytes) {
    if (file < 1 || file > MAX_FILE || offsetBytes < 0 || offsetBytes >= OFFSET_LIMIT) {
      throw new IllegalArgumentException("file " + file + ", offset " + offsetBytes);
    }
    int units = (lengthBytes + LENGTH_UNIT_BYTES - 1) / LENGTH_UNIT_BYTES;
    int stored = units < LENGTH_UNITS_LIMIT ? units : 0;
    return (long) file << 48 | offsetBytes << 16 | stored;
  }

  /** Returns the same place in another file. */
  public static long inFile(long location, int file) {
    return (location & ((1L << 48) - 1)) | (long) file << 48;
  }

  /** Returns the number of the file, from 1. */
  public static int file(long location) {
    return (int) (location >>> 48);
  }

  /** Returns the offset of the record in the file. */
  public static long offsetBytes(long location) {
    return location >>> 16 & 0xFFFF_FFFFL;
  }

  /** Returns the record's length rounded up to 64 bytes; 0 when it is over 4 MiB. */
  public static int maxLengthBytes(long location) {
    return (int) (location & 0xFFFF) * LENGTH_UNIT_BYTES;
  }
}
