package dev.tailwater.archive.header;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * How a segment header is wrapped so that the standard tools pass over it: a zstd skippable frame,
 * or an empty gzip member whose extra field holds it.
 */
public final class HeaderEnvelope {
  /** One of the sixteen that RFC 8878 sets aside for skippable frames; its low byte is 'W'. */
  public static final int SKIPPABLE_MAGIC = 0x184D2A57;

  static final int SKIPPABLE_PREFIX_BYTES = 8;

  /** Member header with FEXTRA (RFC 1952): up to and including the subfield's length. */
  static final byte[] GZIP_PREFIX = {
    0x1f, (byte) 0x8b, 8, 4, 0, 0, 0, 0, 0, (byte) 255, 0, 0, 'T', 'W', 0, 0
  };

  static final int GZIP_EXTRA_LENGTH_AT = 10;
  static final int GZIP_SUBFIELD_LENGTH_AT = 14;

  /** An empty final deflate block, CRC-32 and length of nothing. */
  static final byte[] GZIP_SUFFIX = {3, 0, 0, 0, 0, 0, 0, 0, 0, 0};

  public static final int MAX_OVERHEAD_BYTES = GZIP_PREFIX.length + GZIP_SUFFIX.length;

  private HeaderEnvelope() {}

  public static byte[] wrap(byte[] header, boolean gzip) {
    if (gzip) {
      byte[] bytes = new byte[GZIP_PREFIX.length + header.length + GZIP_SUFFIX.length];
      ByteBuffer member = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      member.put(GZIP_PREFIX).put(header).put(GZIP_SUFFIX);
      member.putShort(GZIP_EXTRA_LENGTH_AT, (short) (header.length + 4));
      member.putShort(GZIP_SUBFIELD_LENGTH_AT, (short) header.length);
      return bytes;
    }
    byte[] bytes = new byte[SKIPPABLE_PREFIX_BYTES + header.length];
    ByteBuffer frame = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    frame.putInt(SKIPPABLE_MAGIC).putInt(header.length).put(header);
    return bytes;
  }
}
