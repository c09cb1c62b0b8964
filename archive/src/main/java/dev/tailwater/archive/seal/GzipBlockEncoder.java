package dev.tailwater.archive.seal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** An encoder that writes one gzip member (RFC 1952) per block, directly into the target. */
final class GzipBlockEncoder implements BlockEncoder {
  private static final byte[] MEMBER_HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 255};
  private static final int TRAILER_BYTES = 8;
  private static final int MAX_STORED_BYTES = 65535;
  private static final int STORED_HEADER_BYTES = 5;
  private static final int ZEROS_BYTES = 1024 * 1024;

  private final Deflater deflater;
  private final CRC32 crc = new CRC32();

  /** A member of {@link #ZEROS_BYTES} zeros; created at the first use. */
  private byte[] zeros = new byte[0];

  GzipBlockEncoder(int level) {
    deflater = new Deflater(level, true);
  }

  @Override
  public int maxEncodedBytes(int rawBytes) {
    return MEMBER_HEADER.length + storedBytes(rawBytes) + TRAILER_BYTES;
  }

  private static int storedBytes(int rawBytes) {
    return rawBytes + Math.ceilDiv(rawBytes, MAX_STORED_BYTES) * STORED_HEADER_BYTES;
  }

  @Override
  public int encode(byte[] raw, int from, int lengthBytes, byte[] target, int at) {
    ByteBuffer member = ByteBuffer.wrap(target).order(ByteOrder.LITTLE_ENDIAN).position(at);
    member.put(MEMBER_HEADER);
    deflater.reset();
    deflater.setInput(raw, from, lengthBytes);
    deflater.finish();
    int room = storedBytes(lengthBytes);
    int deflated = deflater.deflate(target, member.position(), room);
    if (deflater.finished()) {
      member.position(member.position() + deflated);
    } else {
      // Store a block that zlib would make larger than stored blocks, so that the bound holds for
      // every version of zlib.
      store(raw, from, lengthBytes, member);
    }
    crc.reset();
    crc.update(raw, from, lengthBytes);
    member.putInt((int) crc.getValue()).putInt(lengthBytes);
    return member.position() - at;
  }

  private static void store(byte[] raw, int from, int lengthBytes, ByteBuffer member) {
    for (int done = 0; done < lengthBytes; done += MAX_STORED_BYTES) {
      int block = Math.min(MAX_STORED_BYTES, lengthBytes - done);
      member.put((byte) (done + block == lengthBytes ? 1 : 0));
      member.putShort((short) block).putShort((short) ~block);
      member.put(raw, from + done, block);
    }
  }

  @Override
  public long zerosFitting(int roomBytes) {
    makeZeros();
    return (long) (roomBytes / zeros.length) * ZEROS_BYTES;
  }

  @Override
  public int encodeZeros(long rawBytes, byte[] target, int at) {
    makeZeros();
    int to = at;
    for (long left = rawBytes; left > 0; left -= ZEROS_BYTES) {
      if (left >= ZEROS_BYTES) {
        System.arraycopy(zeros, 0, target, to, zeros.length);
        to += zeros.length;
      } else {
        byte[] member = memberOfZeros((int) left);
        System.arraycopy(member, 0, target, to, member.length);
        to += member.length;
      }
    }
    return to - at;
  }

  private void makeZeros() {
    if (zeros.length == 0) {
      zeros = memberOfZeros(ZEROS_BYTES);
    }
  }

  /** Returns the shortest member, whatever the level, since it is created only once. */
  private byte[] memberOfZeros(int lengthBytes) {
    try (GzipBlockEncoder best = new GzipBlockEncoder(Deflater.BEST_COMPRESSION)) {
      byte[] target = new byte[maxEncodedBytes(lengthBytes)];
      return Arrays.copyOf(target, best.encode(new byte[lengthBytes], 0, lengthBytes, target, 0));
    }
  }

  @Override
  public void close() {
    deflater.end();
  }
}
