package dev.tailwater.archive.pack;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import dev.tailwater.archive.DamagedSegmentException;
import dev.tailwater.archive.UnsupportedFormatException;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.pack.VarintReader.MalformedException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

/**
 * The encoding of a {@link PackDirectory}, little-endian like zstd:
 *
 * <pre>
 *  0  4  "TWPK"                         8  4  length of the content
 *  4  2  version                       12     the content: as it is, or one zstd frame
 *  6  2  0: content as it is, 1: zstd  -4  4  CRC-32C of all before
 * </pre>
 */
public final class PackDirectoryFormat {
  /** The version that this program writes, and the highest that it reads. */
  public static final int VERSION = 2;

  /** The most that the content of a directory may take. */
  public static final int MAX_CONTENT_BYTES = 64 << 20;

  /** What comes before and behind the content. */
  public static final int OVERHEAD_BYTES = 12 + 4;

  private static final int MAGIC = 0x4B505754; // "TWPK"
  private static final int CONTENT_AT = 12;
  private static final int CRC_BYTES = 4;
  private static final int AS_IT_IS = 0;
  private static final int ZSTD = 1;
  private static final int LEVEL = 3;

  private PackDirectoryFormat() {}

  /**
   * Returns the bytes of a directory.
   *
   * @throws IllegalArgumentException when it takes more than {@link #MAX_CONTENT_BYTES}
   */
  public static byte[] encode(PackDirectory directory) {
    byte[] content = DirectoryContent.encode(directory);
    if (content.length > MAX_CONTENT_BYTES) {
      throw new IllegalArgumentException(
          "a directory of " + content.length + " bytes; at most " + MAX_CONTENT_BYTES);
    }
    byte[] compressed = Zstd.compress(content, LEVEL);
    boolean worthIt = compressed.length < content.length;
    byte[] stored = worthIt ? compressed : content;
    ByteBuffer bytes =
        ByteBuffer.allocate(OVERHEAD_BYTES + stored.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(MAGIC).putShort((short) VERSION).putShort((short) (worthIt ? ZSTD : AS_IT_IS));
    bytes.putInt(content.length).put(stored);
    return bytes.putInt(crc32c(bytes.array(), bytes.position())).array();
  }

  /**
   * Returns the bytes of what the agent itself must know of the pack: everything but where the
   * units begin and when the files were modified.
   */
  public static byte[] encodeForAgent(PackDirectory directory) {
    long sealedAtNanos = TimeUnit.MILLISECONDS.toNanos(directory.sealedAtMillis());
    List<PackedRange> ranges =
        directory.ranges().stream()
            .map(
                range ->
                    new PackedRange(
                        range.number(),
                        range.range(),
                        range.rawCrc32c(),
                        sealedAtNanos,
                        range.revision(),
                        range.olderMillis()))
            .toList();
    return encode(
        new PackDirectory(
            directory.id(),
            directory.sealedAtMillis(),
            List.of(),
            directory.streams(),
            ranges,
            directory.facts(),
            directory.tree()));
  }

  /**
   * Decodes a directory that fills the bytes exactly.
   *
   * @param id the pack that it must be of
   * @param key the key of the object, for messages
   * @param at the offset of the directory in the object, for messages
   */
  public static PackDirectory decode(byte[] bytes, PackId id, String key, long at)
      throws DamagedSegmentException, UnsupportedFormatException {
    PackDirectory directory = decodePart(bytes, id, key, at);
    if (!directory.id().equals(id)) {
      throw new DamagedSegmentException(
          key, at, "the directory is that of another pack: " + directory.id());
    }
    return directory;
  }

  /**
   * Decodes a directory of a pack or of one that was merged into it, of its group or of an earlier
   * one.
   *
   * @param id the pack that it is in
   */
  public static PackDirectory decodePart(byte[] bytes, PackId id, String key, long at)
      throws DamagedSegmentException, UnsupportedFormatException {
    if (bytes.length < OVERHEAD_BYTES) {
      throw new DamagedSegmentException(key, at, "the directory is too short");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (in.getInt() != MAGIC) {
      throw new DamagedSegmentException(key, at, "the directory does not begin with TWPK");
    }
    int version = Short.toUnsignedInt(in.getShort());
    if (version > VERSION) {
      throw new UnsupportedFormatException(
          key, "pack format version " + version + "; this program reads " + VERSION);
    }
    int crcAt = bytes.length - CRC_BYTES;
    if (in.getInt(crcAt) != crc32c(bytes, crcAt)) {
      throw new DamagedSegmentException(key, at + crcAt, "the directory's checksum is wrong");
    }
    try {
      int method = Short.toUnsignedInt(in.getShort());
      PackDirectory directory = DirectoryContent.decode(content(bytes, method, in.getInt()));
      if (!id.covers(directory.id()) && !directory.id().isOfEarlierGroup(id)) {
        throw new MalformedException("is that of another pack: " + directory.id());
      }
      return directory;
    } catch (MalformedException says) {
      throw new DamagedSegmentException(key, at, "the directory " + says.getMessage());
    }
  }

  private static byte[] content(byte[] bytes, int method, int lengthBytes)
      throws MalformedException {
    if (lengthBytes < 0 || lengthBytes > MAX_CONTENT_BYTES) {
      throw new MalformedException("is too long");
    }
    int storedBytes = bytes.length - OVERHEAD_BYTES;
    byte[] content = new byte[lengthBytes];
    if (method == AS_IT_IS && storedBytes == lengthBytes) {
      System.arraycopy(bytes, CONTENT_AT, content, 0, lengthBytes);
      return content;
    }
    if (method != ZSTD) {
      throw new MalformedException("is stored in an unknown way, or has another length");
    }
    try {
      long decompressed =
          Zstd.decompressByteArray(content, 0, lengthBytes, bytes, CONTENT_AT, storedBytes);
      if (decompressed != lengthBytes) {
        throw new MalformedException("has another length than it says");
      }
      return content;
    } catch (ZstdException damaged) {
      throw new MalformedException("is not what zstd wrote: " + damaged.getMessage());
    }
  }

  private static int crc32c(byte[] bytes, int lengthBytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, lengthBytes);
    return (int) crc.getValue();
  }
}
