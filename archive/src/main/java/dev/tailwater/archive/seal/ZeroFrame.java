package dev.tailwater.archive.seal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A zstd frame of RLE blocks (RFC 8878, 3.1.1.2), which holds any number of zeros in four bytes per
 * 128 KiB. It has no checksum of its own, because the CRC-32C in the segment header covers the
 * bytes.
 */
final class ZeroFrame {
  private static final int FRAME_MAGIC = 0xFD2FB528;

  /** Content size in eight bytes, a window descriptor, no checksum, no dictionary. */
  private static final byte DESCRIPTOR = (byte) 0xC0;

  /** A window of 128 KiB, so that no reader needs memory for the content. */
  private static final byte WINDOW = 7 << 3;

  private static final int FRAME_HEADER_BYTES = 14;
  private static final int BLOCK_BYTES = 128 * 1024;
  private static final int ENCODED_BLOCK_BYTES = 4;
  private static final int RLE = 1 << 1;

  private ZeroFrame() {}

  static long zerosFitting(int roomBytes) {
    return (long) Math.max(0, roomBytes - FRAME_HEADER_BYTES) / ENCODED_BLOCK_BYTES * BLOCK_BYTES;
  }

  static int encode(long rawBytes, byte[] target, int at) {
    ByteBuffer frame = ByteBuffer.wrap(target).order(ByteOrder.LITTLE_ENDIAN).position(at);
    frame.putInt(FRAME_MAGIC).put(DESCRIPTOR).put(WINDOW).putLong(rawBytes);
    for (long left = rawBytes; left > 0; left -= BLOCK_BYTES) {
      int header = (int) Math.min(BLOCK_BYTES, left) << 3 | RLE | (left <= BLOCK_BYTES ? 1 : 0);
      // Three bytes of header, then the byte to repeat.
      frame.putInt(header);
    }
    return frame.position() - at;
  }
}
