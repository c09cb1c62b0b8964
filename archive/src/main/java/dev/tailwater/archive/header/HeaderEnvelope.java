package dev.tailwater.archive.header;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The envelope of a segment header, which the standard tools skip: a zstd skippable frame, or an
 * empty gzip member with the header in its extra field.
 */
public final class HeaderEnvelope {
  /** One of the sixteen magic numbers of skippable frames in RFC 8878; its low byte is 'W'. */
  public static final int SKIPPABLE_MAGIC = 0x184D2A57;

  static final int SKIPPABLE_PREFIX_BYTES = 8;

  /**
   * A gzip member header with FEXTRA (RFC 1952), up to and including the length of the subfield.
   */
  static final byte[] GZIP_PREFIX = {
    0x1f, (byte) 0x8b, 8, 4, 0, 0, 0, 0, 0, (byte) 255, 0, 0, 'T', 'W', 0, 0
  };

  static final int GZIP_EXTRA_LENGTH_AT = 10;
  static final int GZIP_SUBFIELD_LENGTH_AT = 14;

  /** An empty final deflate block, then the CRC-32 and the length of no bytes. */
  static final byte[] GZIP_SUFFIX = {3, 0, 0, 0, 0, 0, 0, 0, 0, 0};

  public static final int MAX_OVERHEAD_BYTES = GZIP_PREFIX.length + GZIP_SUFFIX.length;

  private HeaderEnvelope() {}

  /** Returns the header in its envelope. */
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
