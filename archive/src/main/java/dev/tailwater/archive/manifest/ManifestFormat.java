package dev.tailwater.archive.manifest;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tailwater.archive.DamagedSegmentException;
import dev.tailwater.archive.UnsupportedFormatException;
import dev.tailwater.archive.name.ManifestName;
import dev.tailwater.archive.name.PackName;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The encoding of a manifest, little-endian:
 *
 * <pre>
 *  0  4  "TWPM"                for each pack:
 *  4  2  version                2  length of its name       4  length of its front
 *  6  2  0                         name                        front
 *  8  4  how many packs         8  length of its object    -4  4  CRC-32C of all before
 * </pre>
 */
public final class ManifestFormat {
  /** The version that this program writes, and the highest that it reads. */
  public static final int VERSION = 1;

  /** The longest manifest that a reader accepts. */
  public static final int MAX_OBJECT_BYTES = 64 << 20;

  private static final int MAGIC = 0x4D505754; // "TWPM"
  private static final int HEAD_BYTES = 12;
  private static final int CRC_BYTES = 4;

  /** What an entry takes beside its name and its front. */
  private static final int ENTRY_BYTES = Short.BYTES + Long.BYTES + Integer.BYTES;

  private ManifestFormat() {}

  /** Returns the length of the manifest of no packs. */
  public static int emptyBytes() {
    return HEAD_BYTES + CRC_BYTES;
  }

  /** Returns by how much a pack makes a manifest longer. */
  public static int lengthBytes(PackFront front) {
    return ENTRY_BYTES + shortName(front.name()).length() + front.bytes().length;
  }

  /** The key without what all packs of the agent have in common. */
  private static String shortName(PackName name) {
    return name.key().substring(PackName.prefix(name.id().agent()).length());
  }

  /**
   * Returns the manifest of some packs.
   *
   * @throws IllegalArgumentException when it would be longer than {@link #MAX_OBJECT_BYTES}
   */
  public static byte[] encode(List<PackFront> fronts) {
    long length = emptyBytes();
    for (PackFront front : fronts) {
      length += lengthBytes(front);
    }
    if (length > MAX_OBJECT_BYTES) {
      throw new IllegalArgumentException(
          "a manifest of " + length + " bytes; at most " + MAX_OBJECT_BYTES);
    }
    ByteBuffer out = ByteBuffer.allocate((int) length).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(MAGIC).putShort((short) VERSION).putShort((short) 0).putInt(fronts.size());
    for (PackFront front : fronts) {
      byte[] name = shortName(front.name()).getBytes(US_ASCII);
      out.putShort((short) name.length).put(name).putLong(front.objectBytes());
      out.putInt(front.bytes().length).put(front.bytes());
    }
    return out.putInt(crc32c(out.array(), out.position())).array();
  }

  /**
   * Returns the fronts that a manifest holds, in its order. They need not be those of packs that
   * exist, and need not be what these begin with.
   *
   * @param object the whole object
   * @throws DamagedSegmentException it is not what a writer wrote
   * @throws UnsupportedFormatException a newer version wrote it
   */
  public static List<PackFront> decode(ManifestName manifest, byte[] object)
      throws DamagedSegmentException, UnsupportedFormatException {
    ByteBuffer in = ByteBuffer.wrap(object).order(ByteOrder.LITTLE_ENDIAN);
    if (object.length < emptyBytes() || in.getInt() != MAGIC) {
      throw new DamagedSegmentException(manifest.key(), 0, "does not begin as a manifest");
    }
    int version = Short.toUnsignedInt(in.getShort());
    if (version > VERSION) {
      throw new UnsupportedFormatException(
          manifest.key(), "manifest version " + version + "; this program reads " + VERSION);
    }
    int end = object.length - CRC_BYTES;
    if (in.getInt(end) != crc32c(object, end)) {
      throw new DamagedSegmentException(manifest.key(), end, "the manifest's checksum is wrong");
    }
    in.position(HEAD_BYTES - Integer.BYTES).limit(end);
    int count = in.getInt();
    List<PackFront> fronts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      fronts.add(next(manifest, in));
    }
    if (count < 0 || in.hasRemaining()) {
      throw damaged(manifest, in, "the number of packs is wrong");
    }
    return fronts;
  }

  private static PackFront next(ManifestName manifest, ByteBuffer in)
      throws DamagedSegmentException {
    byte[] shortName = new byte[requireRoom(manifest, in, Short.BYTES, 0).getShort() & 0xFFFF];
    requireRoom(manifest, in, shortName.length, Long.BYTES + Integer.BYTES).get(shortName);
    String key = PackName.prefix(manifest.agent()) + new String(shortName, US_ASCII);
    PackName name =
        PackName.parse(key)
            .orElseThrow(() -> damaged(manifest, in, "a name is not that of a pack"));
    long objectBytes = in.getLong();
    int length = in.getInt();
    if (objectBytes < 0 || length != PackFront.lengthBytes(name, objectBytes)) {
      throw damaged(manifest, in, "the front of a pack has another length than its name states");
    }
    requireRoom(manifest, in, length, 0);
    byte[] front = new byte[length];
    in.get(front);
    return new PackFront(name, objectBytes, front);
  }

  private static ByteBuffer requireRoom(
      ManifestName manifest, ByteBuffer in, int lengthBytes, int more)
      throws DamagedSegmentException {
    if (in.remaining() < (long) lengthBytes + more) {
      throw damaged(manifest, in, "it ends within an entry");
    }
    return in;
  }

  private static DamagedSegmentException damaged(ManifestName manifest, ByteBuffer in, String why) {
    return new DamagedSegmentException(manifest.key(), in.position(), why);
  }

  private static int crc32c(byte[] bytes, int lengthBytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, lengthBytes);
    return (int) crc.getValue();
  }
}
