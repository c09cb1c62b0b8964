package dev.tailwater.store.log.format;

import dev.tailwater.store.KeyValueStore;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The first {@value #LENGTH_BYTES} bytes of every frame; see "Frame" in docs/store-format.md. Its
 * checksum covers the file's salt and the frame's own offset, so that bytes of another file or
 * another place are never taken for a frame.
 *
 * @param payloadBytes length of what follows
 * @param operations number of operations in the payload; in a snapshot's last frame: in the file
 */
public record FrameHeader(FrameKind kind, int payloadBytes, long operations, int payloadCrc) {
  public static final int LENGTH_BYTES = 32;
  static final int MAGIC = 0x52465754; // "TWFR"

  /** A group is one batch, or several that are together no longer than a batch may be. */
  public static final int MAX_PAYLOAD_BYTES = KeyValueStore.MAX_BATCH_BYTES;

  private static final int CRC_OFFSET = 28;

  byte[] toBytes(long salt, long offsetBytes) {
    ByteBuffer out = ByteBuffer.allocate(LENGTH_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(MAGIC).put(kind.code()).put((byte) 0).putShort((short) 0);
    out.putInt(payloadBytes).putInt(0).putLong(operations).putInt(payloadCrc);
    return out.putInt(crc(out.array(), 0, salt, offsetBytes)).array();
  }

  /**
   * Returns whether a header may begin here: a quick test that rejects most offsets of a search.
   */
  public static boolean mayBeginAt(byte[] bytes, int from) {
    return bytes[from] == (byte) MAGIC;
  }

  /** Returns the header at {@code from}, if one was written for this file and offset. */
  public static Optional<FrameHeader> parse(byte[] bytes, int from, long salt, long offsetBytes) {
    ByteBuffer in =
        ByteBuffer.wrap(bytes, from, LENGTH_BYTES).slice().order(ByteOrder.LITTLE_ENDIAN);
    if (in.getInt(0) != MAGIC || in.getInt(CRC_OFFSET) != crc(bytes, from, salt, offsetBytes)) {
      return Optional.empty();
    }
    int payloadBytes = in.getInt(8);
    boolean reservedIsZero = in.get(5) == 0 && in.getShort(6) == 0 && in.getInt(12) == 0;
    if (!reservedIsZero || payloadBytes < 0 || payloadBytes > MAX_PAYLOAD_BYTES) {
      return Optional.empty();
    }
    return FrameKind.of(in.get(4))
        .map(kind -> new FrameHeader(kind, payloadBytes, in.getLong(16), in.getInt(24)));
  }

  private static int crc(byte[] bytes, int from, long salt, long offsetBytes) {
    ByteBuffer place = ByteBuffer.allocate(2 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    place.putLong(salt).putLong(offsetBytes).flip();
    CRC32C crc = new CRC32C();
    crc.update(place);
    crc.update(bytes, from, CRC_OFFSET);
    return (int) crc.getValue();
  }
}
