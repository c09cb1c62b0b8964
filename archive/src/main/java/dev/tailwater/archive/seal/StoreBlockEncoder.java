package dev.tailwater.archive.seal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * An encoder that writes one zstd frame of raw blocks per block (RFC 8878, 3.1.1). The frames have
 * no checksum of their own, because the CRC-32C in the segment header covers the bytes.
 */
final class StoreBlockEncoder implements BlockEncoder {
  private static final int FRAME_MAGIC = 0xFD2FB528;

  /** Content size in four bytes, single segment, no checksum, no dictionary. */
  private static final byte DESCRIPTOR = (byte) 0xA0;

  private static final int FRAME_HEADER_BYTES = 9;
  private static final int BLOCK_HEADER_BYTES = 3;
  private static final int MAX_BLOCK_BYTES = 128 * 1024;

  private final ByteCopy copy;

  StoreBlockEncoder(ByteCopy copy) {
    this.copy = copy;
  }

  @Override
  public int maxEncodedBytes(int rawBytes) {
    int blocks = Math.ceilDiv(rawBytes, MAX_BLOCK_BYTES);
    return FRAME_HEADER_BYTES + blocks * BLOCK_HEADER_BYTES + rawBytes;
  }

  @Override
  public int encode(byte[] raw, int from, int lengthBytes, byte[] target, int at) {
    ByteBuffer frame = ByteBuffer.wrap(target).order(ByteOrder.LITTLE_ENDIAN).position(at);
    frame.putInt(FRAME_MAGIC).put(DESCRIPTOR).putInt(lengthBytes);
    for (int done = 0; done < lengthBytes; done += MAX_BLOCK_BYTES) {
      int block = Math.min(MAX_BLOCK_BYTES, lengthBytes - done);
      int last = done + block == lengthBytes ? 1 : 0;
      int header = block << 3 | last;
      frame.put((byte) header).put((byte) (header >> 8)).put((byte) (header >> 16));
      copy.copy(raw, from + done, target, frame.position(), block);
      frame.position(frame.position() + block);
    }
    return frame.position() - at;
  }

  @Override
  public long zerosFitting(int roomBytes) {
    return ZeroFrame.zerosFitting(roomBytes);
  }

  @Override
  public int encodeZeros(long rawBytes, byte[] target, int at) {
    return ZeroFrame.encode(rawBytes, target, at);
  }

  @Override
  public void close() {}
}
