package dev.tailwater.archive.header;

import dev.tailwater.archive.ObjectInput;
import dev.tailwater.archive.name.ArchiveObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A reader of the segment header, with its envelope, at the start of a segment's decrypted bytes.
 */
public final class HeaderReader {
  private final InputStream in;
  private final ObjectInput object;
  private final ArchiveObject.Segment name;
  private long at;

  /**
   * Creates a reader.
   *
   * @param in the decrypted bytes
   * @param object the object that they come from, for messages
   * @param at the offset of the first byte in the object
   */
  public HeaderReader(InputStream in, ObjectInput object, ArchiveObject.Segment name, long at) {
    this.in = in;
    this.object = object;
    this.name = name;
    this.at = at;
  }

  /** Reads the header and verifies it; throws if it is damaged or does not agree with the name. */
  public SegmentHeader read() throws IOException {
    return name.gzip() ? gzip() : zstd();
  }

  private SegmentHeader zstd() throws IOException {
    long begin = at;
    ByteBuffer prefix = littleEndian(take(HeaderEnvelope.SKIPPABLE_PREFIX_BYTES));
    if (prefix.getInt() != HeaderEnvelope.SKIPPABLE_MAGIC) {
      throw object.damagedAt(begin, "does not begin with a segment header in a skippable frame");
    }
    long length = Integer.toUnsignedLong(prefix.getInt());
    return header(length);
  }

  private SegmentHeader gzip() throws IOException {
    long begin = at;
    byte[] prefix = take(HeaderEnvelope.GZIP_PREFIX.length);
    ByteBuffer fields = littleEndian(prefix);
    int extra = Short.toUnsignedInt(fields.getShort(HeaderEnvelope.GZIP_EXTRA_LENGTH_AT));
    int length = Short.toUnsignedInt(fields.getShort(HeaderEnvelope.GZIP_SUBFIELD_LENGTH_AT));
    boolean ours =
        Arrays.equals(prefix, 0, 4, HeaderEnvelope.GZIP_PREFIX, 0, 4)
            && Arrays.equals(prefix, 12, 14, HeaderEnvelope.GZIP_PREFIX, 12, 14)
            && extra == length + 4;
    if (!ours) {
      throw object.damagedAt(begin, "does not begin with a segment header in a gzip extra field");
    }
    SegmentHeader header = header(length);
    byte[] suffix = take(HeaderEnvelope.GZIP_SUFFIX.length);
    if (!Arrays.equals(suffix, HeaderEnvelope.GZIP_SUFFIX)) {
      throw object.damagedAt(at, "the gzip member that holds the segment header is not empty");
    }
    return header;
  }

  private SegmentHeader header(long length) throws IOException {
    if (length > HeaderFormat.MAX_LENGTH_BYTES) {
      throw object.damagedAt(at, "a segment header of " + length + " bytes is too long");
    }
    long begin = at;
    return HeaderFormat.decode(take((int) length), name, begin);
  }

  private byte[] take(int lengthBytes) throws IOException {
    byte[] bytes = in.readNBytes(lengthBytes);
    at += bytes.length;
    if (bytes.length < lengthBytes) {
      throw object.damagedAt(at, "ends within the segment header");
    }
    return bytes;
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
