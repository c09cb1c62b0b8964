package dev.tailwater.store.datafile.format;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Takes values out of mapped memory with one copy. Nothing is believed but what was copied before
 * its checksum was looked at, so the memory may change, or be garbage, at any time. Used by one
 * thread at a time.
 */
public final class ValueReader {
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /** With these alone, a record is key and value and nothing else. */
  private static final int PLAIN_FLAGS = (RecordHeader.MORE | RecordHeader.COLLIDES) << 24;

  private static final int LINE_BYTES = 64;
  private static final int FIRST_LINES_BYTES = 4 * LINE_BYTES;

  /** What the header's checksum is of: salt, offset, and the header without the checksum. */
  private final byte[] checked =
      new byte[2 * Long.BYTES + RecordHeader.LENGTH_BYTES - Integer.BYTES];

  private final CRC32C crc = new CRC32C();

  @SuppressWarnings("unused") // written only, so that what was read is needed
  private long touched;

  /**
   * A copy of the value of the record at {@code from}, if that is whole, of this key, and has
   * neither tags nor expiry; null when it must be read otherwise.
   *
   * @param maxLengthBytes the record's length, or less than 64 bytes more; at least 24; all of it
   *     can be read
   * @param salt of the file
   * @param offsetBytes where the record lies in the file
   */
  public byte @Nullable [] value(
      MemorySegment memory,
      long from,
      int maxLengthBytes,
      long salt,
      long offsetBytes,
      byte[] key) {
    touch(memory, from, maxLengthBytes);
    long checksums = memory.get(LONG, from);
    long sequence = memory.get(LONG, from + 8);
    long lengths = memory.get(LONG, from + 16);
    int keyBytesAndFlags = (int) (lengths >>> Integer.SIZE);
    int valueBytes = (int) lengths - key.length;
    int keyEnd = RecordHeader.LENGTH_BYTES + key.length;
    if ((keyBytesAndFlags & ~PLAIN_FLAGS) != key.length
        || valueBytes < 0
        || valueBytes > maxLengthBytes - keyEnd
        || sequence < 0) {
      return null;
    }
    byte[] value = new byte[valueBytes];
    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, from + keyEnd, value, 0, valueBytes);
    LONGS.set(checked, 0, salt);
    LONGS.set(checked, 8, offsetBytes);
    INTS.set(checked, 16, (int) (checksums >>> Integer.SIZE));
    LONGS.set(checked, 20, sequence);
    LONGS.set(checked, 28, lengths);
    boolean isWhole =
        keyIs(memory, from + RecordHeader.LENGTH_BYTES, key)
            && crcOf(checked) == (int) checksums
            && crcOf(key, value) == (int) (checksums >>> Integer.SIZE);
    return isWhole ? value : null;
  }

  /**
   * Reads a byte of each of the first cache lines. They come from memory at the same time then, and
   * not the later ones only when the header has told how long the record is.
   */
  private void touch(MemorySegment memory, long from, int maxLengthBytes) {
    int end = Math.min(maxLengthBytes, FIRST_LINES_BYTES) - LINE_BYTES;
    long all = 0;
    for (int at = LINE_BYTES; at <= end; at += LINE_BYTES) {
      all += memory.get(ValueLayout.JAVA_BYTE, from + at);
    }
    touched = all;
  }

  /** By single reads: where there is no file behind the memory, bulk code would die of it. */
  private static boolean keyIs(MemorySegment memory, long from, byte[] key) {
    int at = 0;
    for (; at <= key.length - Long.BYTES; at += Long.BYTES) {
      if (memory.get(LONG, from + at) != (long) LONGS.get(key, at)) {
        return false;
      }
    }
    for (; at < key.length; at++) {
      if (memory.get(ValueLayout.JAVA_BYTE, from + at) != key[at]) {
        return false;
      }
    }
    return true;
  }

  private int crcOf(byte[] bytes) {
    crc.reset();
    crc.update(bytes, 0, bytes.length);
    return (int) crc.getValue();
  }

  private int crcOf(byte[] key, byte[] value) {
    crc.reset();
    crc.update(key, 0, key.length);
    crc.update(value, 0, value.length);
    return (int) crc.getValue();
  }
}
