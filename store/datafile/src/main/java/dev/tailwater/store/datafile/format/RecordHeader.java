package dev.tailwater.store.datafile.format;

import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.WriteOptions;

/**
 * The first {@value #LENGTH_BYTES} bytes of a record; see "Record" in docs/store-format.md.
 * Mutable, not a Java record: a reader fills the same header repeatedly. Its fields are valid after
 * a successful read.
 */
public final class RecordHeader {
  /** Length of the header. */
  public static final int LENGTH_BYTES = 24;

  /** The key is removed. */
  public static final int REMOVE = 1;

  /** Not a key's record: says what was durable when it was written. */
  public static final int MARK = 2;

  /** The next record belongs to the same batch. */
  public static final int MORE = 4;

  /** 8 bytes behind the header say when the value ends. */
  public static final int EXPIRY = 8;

  /** 2 bytes in front of the key say how long the tags behind the key are. */
  public static final int TAGS = 16;

  /** When this was written, another key with the same hash was there. */
  public static final int COLLIDES = 32;

  /** Longest part between header and key. */
  public static final int MAX_PREFIX_BYTES = Long.BYTES + Short.BYTES;

  /** Longest record. */
  public static final int MAX_RECORD_BYTES =
      LENGTH_BYTES
          + MAX_PREFIX_BYTES
          + KeyValueStore.MAX_KEY_BYTES
          + WriteOptions.MAX_TAG_BYTES
          + KeyValueStore.MAX_VALUE_BYTES;

  static final int ALL_FLAGS = 63;

  private long sequence;
  private int flags;
  private int keyBytes;
  private int bodyBytes;
  private int bodyCrc;

  /**
   * Takes the fields of a header whose checksum is right.
   *
   * @param keyBytesAndFlags flags in the highest 8 bits
   * @return false when there can be no such record
   */
  boolean take(int crc, long number, int length, int keyBytesAndFlags) {
    bodyCrc = crc;
    sequence = number;
    bodyBytes = length;
    keyBytes = keyBytesAndFlags & 0xFF_FFFF;
    flags = keyBytesAndFlags >>> 24;
    boolean lengthsFit =
        sequence >= 0
            && keyBytes <= KeyValueStore.MAX_KEY_BYTES
            && bodyBytes >= keyOffsetBytes() - LENGTH_BYTES + keyBytes
            && bodyBytes <= MAX_RECORD_BYTES - LENGTH_BYTES;
    boolean markFits =
        !has(MARK) || (flags == MARK && keyBytes == 0 && bodyBytes == Mark.VALUE_BYTES);
    boolean removeFits = !has(REMOVE) || ((flags & (EXPIRY | TAGS)) == 0 && bodyBytes == keyBytes);
    return (flags & ~ALL_FLAGS) == 0 && lengthsFit && markFits && removeFits;
  }

  /** Number of the record among all of the store: its key's version. */
  public long sequence() {
    return sequence;
  }

  /** {@link #REMOVE} and the others. */
  public int flags() {
    return flags;
  }

  /** Whether this flag is set. */
  public boolean has(int flag) {
    return (flags & flag) != 0;
  }

  /** Length of the key. */
  public int keyBytes() {
    return keyBytes;
  }

  int bodyBytes() {
    return bodyBytes;
  }

  int bodyCrc() {
    return bodyCrc;
  }

  /** Length of the whole record. */
  public int recordBytes() {
    return LENGTH_BYTES + bodyBytes;
  }

  /** Where the key begins, from the record's beginning. */
  public int keyOffsetBytes() {
    return keyOffsetBytes(flags);
  }

  static int keyOffsetBytes(int flags) {
    return LENGTH_BYTES
        + ((flags & EXPIRY) != 0 ? Long.BYTES : 0)
        + ((flags & TAGS) != 0 ? Short.BYTES : 0);
  }
}
