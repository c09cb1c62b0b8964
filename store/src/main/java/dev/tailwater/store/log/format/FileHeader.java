package dev.tailwater.store.log.format;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.UnsupportedStoreFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The first {@value #LENGTH_BYTES} bytes of every log and snapshot; see "File header" in
 * docs/store-format.md.
 *
 * @param version of the format
 * @param storeId random, the same in every file of one store
 * @param salt random for each file; goes into the checksum of each of its frames
 */
public record FileHeader(short version, FileKind kind, long sequence, long storeId, long salt) {

  public static final int LENGTH_BYTES = 48;
  public static final short VERSION = 2;

  /** Knows no full puts. */
  public static final short OLD_VERSION = 1;

  static final byte MODE_TRANSACTION_LOG = 1;

  private static final byte[] MAGIC = "TWSTORE\n".getBytes(StandardCharsets.US_ASCII);
  private static final int CRC_OFFSET = 44;

  byte[] toBytes() {
    ByteBuffer out = ByteBuffer.allocate(LENGTH_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    out.put(MAGIC).putShort(version).put(MODE_TRANSACTION_LOG).put(kind.code()).putInt(0);
    out.putLong(sequence).putLong(storeId).putLong(salt).putInt(0);
    return out.putInt(crc(out.array())).array();
  }

  /** The header in these {@value #LENGTH_BYTES} bytes, which must agree with the file's name. */
  static FileHeader parse(byte[] bytes, LogFileName name, PosixPath file)
      throws DamagedStoreException, UnsupportedStoreFormatException {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (!Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw new DamagedStoreException(file, 0, "the file does not begin like a store's file");
    }
    if (in.getInt(CRC_OFFSET) != crc(bytes)) {
      throw new DamagedStoreException(file, 0, "the file header's checksum is wrong");
    }
    short version = in.getShort(8);
    byte mode = in.get(10);
    boolean known = version == VERSION || version == OLD_VERSION;
    if (!known || mode != MODE_TRANSACTION_LOG || in.getInt(12) != 0) {
      throw new UnsupportedStoreFormatException(
          file, version, mode, "version 1 and 2, mode 1 (transaction log)");
    }
    Optional<FileKind> kind = FileKind.of(in.get(11));
    if (!kind.equals(Optional.of(name.kind())) || in.getLong(16) != name.sequence()) {
      throw new DamagedStoreException(file, 0, "the file header belongs to another file name");
    }
    return new FileHeader(version, name.kind(), name.sequence(), in.getLong(24), in.getLong(32));
  }

  private static int crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, CRC_OFFSET);
    return (int) crc.getValue();
  }
}
