package dev.tailwater.store.datafile.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * An encoder of records: makes the part before the key, with both checksums. Key, tags and value
 * follow unchanged. Used by one thread at a time.
 */
public final class RecordEncoder {
  private static final int HEADER_BYTES = RecordHeader.LENGTH_BYTES;

  /** In front of the header without its checksum: salt and offset. */
  private static final int PLACE_BYTES = 2 * Long.BYTES;

  private static final int CRC_BYTES = Integer.BYTES;
  private static final byte[] NOTHING = {};

  private final byte[] checked = new byte[PLACE_BYTES + HEADER_BYTES - CRC_BYTES];
  private final ByteBuffer checkedFields = ByteBuffer.wrap(checked).order(ByteOrder.LITTLE_ENDIAN);
  private final byte[] head = new byte[HEADER_BYTES + RecordHeader.MAX_PREFIX_BYTES];
  private final ByteBuffer headFields = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
  private final CRC32C crc = new CRC32C();
  private int headBytes;

  /** Returns the length of the record of this data. */
  public static int recordBytes(RecordData data) {
    int flags = data.flags();
    return RecordHeader.keyOffsetBytes(flags)
        + data.key().length
        + data.tags().length
        + data.value().length;
  }

  /** Makes the head of a key's record. */
  public void encode(RecordData data, int moreFlags, long sequence, long salt, long offsetBytes) {
    int flags = data.flags() | moreFlags;
    headBytes = HEADER_BYTES;
    if ((flags & RecordHeader.EXPIRY) != 0) {
      headFields.putLong(headBytes, data.expiresAtMillis());
      headBytes += Long.BYTES;
    }
    if ((flags & RecordHeader.TAGS) != 0) {
      headFields.putShort(headBytes, (short) data.tags().length);
      headBytes += Short.BYTES;
    }
    finish(flags, sequence, data.key(), data.tags(), data.value(), salt, offsetBytes);
  }

  /** The whole of a mark. */
  public byte[] mark(Mark mark, long lastSequence, long salt, long offsetBytes) {
    headBytes = HEADER_BYTES;
    byte[] value = new byte[Mark.VALUE_BYTES];
    ByteBuffer.wrap(value)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(mark.durableBytes())
        .putLong(mark.sealed() ? 1 : 0);
    finish(RecordHeader.MARK, lastSequence, NOTHING, NOTHING, value, salt, offsetBytes);
    byte[] all = new byte[HEADER_BYTES + Mark.VALUE_BYTES];
    System.arraycopy(head, 0, all, 0, HEADER_BYTES);
    System.arraycopy(value, 0, all, HEADER_BYTES, Mark.VALUE_BYTES);
    return all;
  }

  private void finish(
      int flags, long sequence, byte[] key, byte[] tags, byte[] value, long salt, long offset) {
    int prefixBytes = headBytes - HEADER_BYTES;
    crc.reset();
    if (prefixBytes > 0) { // and so seldom that looking is cheaper than an update by nothing
      crc.update(head, HEADER_BYTES, prefixBytes);
    }
    crc.update(key);
    if (tags.length > 0) {
      crc.update(tags);
    }
    crc.update(value);
    int bodyBytes = prefixBytes + key.length + tags.length + value.length;
    finish((int) crc.getValue(), sequence, bodyBytes, flags << 24 | key.length, salt, offset);
  }

  private void finish(
      int bodyCrc, long sequence, int bodyBytes, int keyBytesAndFlags, long salt, long offset) {
    checkedFields.putLong(0, salt).putLong(Long.BYTES, offset);
    checkedFields.putInt(PLACE_BYTES, bodyCrc);
    checkedFields.putLong(PLACE_BYTES + 4, sequence);
    checkedFields.putInt(PLACE_BYTES + 12, bodyBytes);
    checkedFields.putInt(PLACE_BYTES + 16, keyBytesAndFlags);
    crc.reset();
    crc.update(checked);
    headFields.putInt(0, (int) crc.getValue());
    System.arraycopy(checked, PLACE_BYTES, head, CRC_BYTES, HEADER_BYTES - CRC_BYTES);
  }

  /** Makes the head, without any part of the body, of a record that is rewritten. */
  void encodeAgain(RecordHeader header, int flags, long salt, long offsetBytes) {
    headBytes = HEADER_BYTES;
    int keyBytesAndFlags = flags << 24 | header.keyBytes();
    finish(
        header.bodyCrc(),
        header.sequence(),
        header.bodyBytes(),
        keyBytesAndFlags,
        salt,
        offsetBytes);
  }

  /** What was encoded last, up to the key; valid up to {@link #headBytes()}. */
  public byte[] head() {
    return head;
  }

  /** Length of the head. */
  public int headBytes() {
    return headBytes;
  }
}
