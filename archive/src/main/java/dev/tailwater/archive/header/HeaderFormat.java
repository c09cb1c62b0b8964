package dev.tailwater.archive.header;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.DamagedSegmentException;
import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.UnsupportedFormatException;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.posix.PosixPath;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * The encoding of a {@link SegmentHeader}, which is little-endian like zstd and gzip:
 *
 * <pre>
 *  0  4  "TWSH"                        40  4  mode bits 07777
 *  4  2  version                       44  4  CRC-32C of the raw bytes
 *  6  2  length of the whole header    48  1  length of the agent's name (a)
 *  8  8  start offset                  49  1  length of the stream id (s)
 * 16  8  end offset                    50  2  length of the path (p)
 * 24  8  sealed at, milliseconds       52  a+s+p  agent, stream id, path
 * 32  8  mtime, nanoseconds             …  additions: type 2, length 2, value
 *                                      -4  4  CRC-32C of all before
 * </pre>
 *
 * A reader must reject an addition of an unknown type if the highest bit of the type is set, and
 * skips other additions of unknown types. Addition 1, without a value, says that the segment was
 * made of shorter ones; addition 2 is an {@link OwnerAddition}; addition 3 is the arrival at the
 * path, eight bytes.
 */
public final class HeaderFormat {
  static final int MAX_LENGTH_BYTES = 8 * 1024;
  public static final int FIXED_BYTES = 52;
  public static final int CRC_BYTES = 4;
  private static final int MAGIC = 0x48535754; // "TWSH"
  private static final int MANDATORY = 0x8000;
  private static final short MERGED = 1;
  private static final short ARRIVAL = 3;
  private static final int ADDITION_BYTES = 4;

  /** What the additions about a file, its owner and its arrival, take at most. */
  public static final int MAX_FILE_ADDITION_BYTES =
      ADDITION_BYTES + OwnerAddition.MAX_BYTES + ADDITION_BYTES + Long.BYTES;

  private HeaderFormat() {}

  /** Returns the bytes of a header, including its checksum. */
  public static byte[] encode(SegmentHeader header) {
    byte[] agent = header.agent().getBytes(StandardCharsets.US_ASCII);
    byte[] stream = header.stream().text().getBytes(StandardCharsets.US_ASCII);
    byte[] path = header.path().toBytes();
    Optional<byte[]> owner = header.owner().map(OwnerAddition::encode);
    int additionBytes = header.merged() ? ADDITION_BYTES : 0;
    additionBytes += owner.map(value -> ADDITION_BYTES + value.length).orElse(0);
    additionBytes += header.arrivalNanos().isPresent() ? ADDITION_BYTES + Long.BYTES : 0;
    int textBytes = agent.length + stream.length + path.length;
    int length = FIXED_BYTES + textBytes + additionBytes + CRC_BYTES;
    ByteBuffer target = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    target.putInt(MAGIC).putShort((short) header.version()).putShort((short) length);
    target.putLong(header.range().startBytes()).putLong(header.range().endBytes());
    target.putLong(header.sealedAtMillis()).putLong(header.modificationTimeNanos());
    target.putInt(header.permissions()).putInt(header.rawCrc32c());
    target.put((byte) agent.length).put((byte) stream.length).putShort((short) path.length);
    target.put(agent).put(stream).put(path);
    if (header.merged()) {
      target.putShort(MERGED).putShort((short) 0);
    }
    if (owner.isPresent()) {
      target.putShort(OwnerAddition.TYPE).putShort((short) owner.get().length).put(owner.get());
    }
    if (header.arrivalNanos().isPresent()) {
      target.putShort(ARRIVAL).putShort((short) Long.BYTES);
      target.putLong(header.arrivalNanos().getAsLong());
    }
    target.putInt(crc32c(target.array(), 0, length - CRC_BYTES));
    return target.array();
  }

  /**
   * Decodes a header that fills {@code bytes} exactly, and checks that it agrees with the object's
   * name.
   *
   * @param at the offset of the header in the object, for messages
   */
  static SegmentHeader decode(byte[] bytes, ArchiveObject.Segment name, long at)
      throws DamagedSegmentException, UnsupportedFormatException {
    ByteBuffer source = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    require(bytes.length >= FIXED_BYTES + CRC_BYTES, name, at, "the segment header is too short");
    require(source.getInt() == MAGIC, name, at, "the segment header does not begin with TWSH");
    int version = Short.toUnsignedInt(source.getShort());
    if (version > SegmentHeader.VERSION) {
      throw new UnsupportedFormatException(
          name.key(),
          "segment format version " + version + "; this program reads " + SegmentHeader.VERSION);
    }
    require(version > 0, name, at + 4, "segment format version 0 does not exist");
    int length = Short.toUnsignedInt(source.getShort());
    require(length == bytes.length, name, at + 6, "the segment header's length is wrong");
    int crcAt = length - CRC_BYTES;
    require(
        source.getInt(crcAt) == crc32c(bytes, 0, crcAt),
        name,
        at + crcAt,
        "the segment header's checksum is wrong");
    long start = source.getLong();
    long end = source.getLong();
    long sealedAtMillis = source.getLong();
    long modificationTimeNanos = source.getLong();
    int permissions = source.getInt();
    int rawCrc32c = source.getInt();
    int agentLength = Byte.toUnsignedInt(source.get());
    int streamLength = Byte.toUnsignedInt(source.get());
    int pathLength = Short.toUnsignedInt(source.getShort());
    int textLength = agentLength + streamLength + pathLength;
    require(source.position() + textLength <= crcAt, name, at + 48, "lengths exceed the header");
    byte[] agent = take(source, agentLength);
    byte[] stream = take(source, streamLength);
    byte[] path = take(source, pathLength);
    ByteRange range = name.range();
    require(
        start == range.startBytes() && end == range.endBytes(),
        name,
        at + 8,
        "the header has the range [" + start + ", " + end + "), the name has " + range);
    requireSame(name, at + FIXED_BYTES, "agent", agent, name.agent());
    requireSame(name, at + FIXED_BYTES, "stream", stream, name.stream().text());
    require(
        !contains(path, 0) && pathLength <= SegmentHeader.MAX_PATH_BYTES,
        name,
        at + 50,
        "the header's path is not a path");
    require((permissions & ~07777) == 0, name, at + 40, "the header's mode is not one");
    Additions additions = readAdditions(source, crcAt, name, at);
    return new SegmentHeader(
        version,
        name.agent(),
        name.stream(),
        range,
        PosixPath.of(path),
        sealedAtMillis,
        modificationTimeNanos,
        permissions,
        rawCrc32c,
        additions.merged(),
        additions.owner(),
        additions.arrivalNanos());
  }

  /**
   * What the additions tell.
   *
   * @param merged whether the segment was made of shorter ones
   */
  private record Additions(boolean merged, Optional<FileOwner> owner, OptionalLong arrivalNanos) {}

  private static Additions readAdditions(
      ByteBuffer source, int end, ArchiveObject.Segment name, long at)
      throws DamagedSegmentException, UnsupportedFormatException {
    boolean merged = false;
    Optional<FileOwner> owner = Optional.empty();
    OptionalLong arrivalNanos = OptionalLong.empty();
    while (source.position() < end) {
      require(end - source.position() >= 4, name, at + source.position(), "an addition is cut off");
      int type = Short.toUnsignedInt(source.getShort());
      int length = Short.toUnsignedInt(source.getShort());
      require(
          length <= end - source.position(),
          name,
          at + source.position(),
          "an addition is cut off");
      if ((type & MANDATORY) != 0) {
        throw new UnsupportedFormatException(
            name.key(), "segment header addition " + type + " must be understood and is not");
      }
      merged |= type == MERGED;
      byte[] value = take(source, length);
      if (type == OwnerAddition.TYPE) {
        owner = OwnerAddition.decode(value);
        require(owner.isPresent(), name, at + source.position() - length, "the owner is not one");
      } else if (type == ARRIVAL) {
        require(
            length >= Long.BYTES, name, at + source.position() - length, "the arrival is cut off");
        arrivalNanos =
            OptionalLong.of(ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getLong());
      }
    }
    return new Additions(merged, owner, arrivalNanos);
  }

  public static int crc32c(byte[] bytes, int from, int lengthBytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, lengthBytes);
    return (int) crc.getValue();
  }

  private static byte[] take(ByteBuffer source, int length) {
    byte[] bytes = new byte[length];
    source.get(bytes);
    return bytes;
  }

  private static boolean contains(byte[] bytes, int wanted) {
    for (byte b : bytes) {
      if (b == wanted) {
        return true;
      }
    }
    return false;
  }

  private static void requireSame(
      ArchiveObject.Segment name, long at, String what, byte[] header, String wanted)
      throws DamagedSegmentException {
    String text = new String(header, StandardCharsets.ISO_8859_1);
    require(
        text.equals(wanted),
        name,
        at,
        "the header has the " + what + " '" + text + "', the name has '" + wanted + "'");
  }

  private static void require(
      boolean condition, ArchiveObject.Segment name, long offsetBytes, String why)
      throws DamagedSegmentException {
    if (!condition) {
      throw new DamagedSegmentException(name.key(), offsetBytes, why);
    }
  }
}
