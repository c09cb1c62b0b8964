package dev.tailwater.store.datafile.format;

import dev.tailwater.store.files.TagCodec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The bytes of records in a piece of memory that was read from a file. Lengths can be trusted only
 * after {@link #readHeader} has returned true, and the rest only after {@link #bodyIsWhole} has.
 * Used by one thread at a time.
 */
public final class RecordBytes {
  private static final int CRC_BYTES = Integer.BYTES;

  private final MemorySegment memory;
  private final ByteBuffer bytes;
  private final byte[] place = new byte[2 * Long.BYTES];
  private final ByteBuffer placeFields = ByteBuffer.wrap(place).order(ByteOrder.LITTLE_ENDIAN);
  private final CRC32C crc = new CRC32C();

  /** Wraps this memory, of less than 2 GiB. */
  public RecordBytes(MemorySegment memory) {
    this.memory = memory;
    this.bytes = memory.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The memory. */
  public MemorySegment memory() {
    return memory;
  }

  /**
   * Reads the header at {@code from}, if there is one that was written for this file and offset.
   * There must be {@value RecordHeader#LENGTH_BYTES} bytes.
   */
  public boolean readHeader(int from, long salt, long offsetBytes, RecordHeader into) {
    placeFields.putLong(0, salt).putLong(Long.BYTES, offsetBytes);
    crc.reset();
    crc.update(place);
    update(from + CRC_BYTES, RecordHeader.LENGTH_BYTES - CRC_BYTES);
    return bytes.getInt(from) == (int) crc.getValue()
        && into.take(
            bytes.getInt(from + 4),
            bytes.getLong(from + 8),
            bytes.getInt(from + 16),
            bytes.getInt(from + 20));
  }

  /** Whether what is behind the header is as it was written. */
  public boolean bodyIsWhole(int from, RecordHeader header) {
    crc.reset();
    update(from + RecordHeader.LENGTH_BYTES, header.bodyBytes());
    int tagsEnd = header.keyOffsetBytes() + header.keyBytes() + tagBytes(from, header);
    return header.bodyCrc() == (int) crc.getValue() && tagsEnd <= header.recordBytes();
  }

  private void update(int from, int length) {
    bytes.limit(from + length).position(from);
    crc.update(bytes);
    bytes.clear();
  }

  int tagBytes(int from, RecordHeader header) {
    return header.has(RecordHeader.TAGS)
        ? Short.toUnsignedInt(bytes.getShort(from + header.keyOffsetBytes() - Short.BYTES))
        : 0;
  }

  /** Returns when the value expires, in milliseconds since 1970; 0: never. */
  public long expiresAtMillis(int from, RecordHeader header) {
    return header.has(RecordHeader.EXPIRY) ? bytes.getLong(from + RecordHeader.LENGTH_BYTES) : 0;
  }

  /** Whether this is the record's key. */
  public boolean keyIs(int from, RecordHeader header, byte[] key) {
    if (header.keyBytes() != key.length) {
      return false;
    }
    long start = (long) from + header.keyOffsetBytes();
    return MemorySegment.mismatch(
            memory, start, start + key.length, MemorySegment.ofArray(key), 0, key.length)
        < 0;
  }

  /** Whether the key begins with this. */
  public boolean keyStartsWith(int from, RecordHeader header, byte[] prefix) {
    if (header.keyBytes() < prefix.length) {
      return false;
    }
    long start = (long) from + header.keyOffsetBytes();
    return MemorySegment.mismatch(
            memory, start, start + prefix.length, MemorySegment.ofArray(prefix), 0, prefix.length)
        < 0;
  }

  /** A copy of the key. */
  public byte[] key(int from, RecordHeader header) {
    return copy(from + header.keyOffsetBytes(), header.keyBytes());
  }

  /** Length of the value. */
  public int valueBytes(int from, RecordHeader header) {
    return header.recordBytes()
        - header.keyOffsetBytes()
        - header.keyBytes()
        - tagBytes(from, header);
  }

  /** A copy of the value. */
  public byte[] value(int from, RecordHeader header) {
    int length = valueBytes(from, header);
    return copy(from + header.recordBytes() - length, length);
  }

  /** A copy of the tags, as of {@link TagCodec}. */
  public byte[] tags(int from, RecordHeader header) {
    return copy(from + header.keyOffsetBytes() + header.keyBytes(), tagBytes(from, header));
  }

  /** A copy of it all. */
  public RecordData data(int from, RecordHeader header) {
    return new RecordData(
        header.has(RecordHeader.REMOVE),
        key(from, header),
        value(from, header),
        expiresAtMillis(from, header),
        tags(from, header));
  }

  /** What a mark says. */
  public Mark mark(int from) {
    int value = from + RecordHeader.LENGTH_BYTES;
    return new Mark(bytes.getLong(value), bytes.getLong(value + Long.BYTES) == 1);
  }

  private byte[] copy(int from, int length) {
    byte[] copy = new byte[length];
    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, from, copy, 0, length);
    return copy;
  }
}
