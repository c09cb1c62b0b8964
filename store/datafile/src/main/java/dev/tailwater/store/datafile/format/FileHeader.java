package dev.tailwater.store.datafile.format;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.UnsupportedStoreFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The first {@value #LENGTH_BYTES} bytes of every file of the data-file mode.
 *
 * @param store what all files of one store have in common
 * @param salt random for each file; goes into the checksum of each of its records
 * @param cleanTo of a data file that was rewritten: it has no record of a key of which there was a
 *     newer one with at most this number; 0 where nothing is known
 */
public record FileHeader(
    FileType type, DataFileName name, StoreIdentity store, long salt, long cleanTo) {
  /** Length of the header. */
  public static final int LENGTH_BYTES = 96;

  private static final byte[] MAGIC = "TWSTORE\n".getBytes(StandardCharsets.US_ASCII);
  private static final short VERSION = 2;
  private static final byte MODE_DATA_FILES = 2;
  private static final int CRC_OFFSET = 44;
  private static final int SECOND_CRC_OFFSET = 92;

  /** What a file is. */
  public enum FileType {
    DATA(3),
    HINT(4),
    INDEX(5);

    private final byte code;

    FileType(int code) {
      this.code = (byte) code;
    }
  }

  /**
   * The same in every file of one store.
   *
   * @param id random
   * @param hashKey0 first half of the secret of the keys' hash
   * @param hashKey1 second half
   */
  public record StoreIdentity(long id, long hashKey0, long hashKey1) {}

  /** Of a file that was not rewritten. */
  public FileHeader(FileType type, DataFileName name, StoreIdentity store, long salt) {
    this(type, name, store, salt, 0);
  }

  /** As it stands in the file. */
  public byte[] toBytes() {
    ByteBuffer out = ByteBuffer.allocate(LENGTH_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    out.put(MAGIC).putShort(VERSION).put(MODE_DATA_FILES).put(type.code).putInt(0);
    out.putLong(name.first()).putLong(store.id()).putLong(salt).putInt(0);
    out.putInt(crc(out.array(), CRC_OFFSET));
    out.putLong(name.last()).putLong(name.generation());
    out.putLong(store.hashKey0()).putLong(store.hashKey1()).putLong(cleanTo).putInt(0);
    return out.putInt(crc(out.array(), SECOND_CRC_OFFSET)).array();
  }

  /** The header in these {@value #LENGTH_BYTES} bytes, which must agree with the file's name. */
  public static FileHeader parse(byte[] bytes, FileType type, DataFileName name, PosixPath file)
      throws DamagedStoreException, UnsupportedStoreFormatException {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (!Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw new DamagedStoreException(file, 0, "the file does not begin like a store's file");
    }
    if (in.getInt(CRC_OFFSET) != crc(bytes, CRC_OFFSET)) {
      throw new DamagedStoreException(file, 0, "the file header's checksum is wrong");
    }
    short version = in.getShort(8);
    byte mode = in.get(10);
    if (version != VERSION || mode != MODE_DATA_FILES || in.getInt(12) != 0) {
      throw new UnsupportedStoreFormatException(
          file, version, mode, "version " + VERSION + ", mode 2 (data files)");
    }
    if (in.getInt(SECOND_CRC_OFFSET) != crc(bytes, SECOND_CRC_OFFSET)) {
      throw new DamagedStoreException(file, 48, "the file header's second checksum is wrong");
    }
    if (in.get(11) != type.code
        || in.getLong(16) != name.first()
        || in.getLong(48) != name.last()
        || in.getLong(56) != name.generation()) {
      throw new DamagedStoreException(file, 0, "the file header belongs to another file name");
    }
    StoreIdentity store = new StoreIdentity(in.getLong(24), in.getLong(64), in.getLong(72));
    return new FileHeader(type, name, store, in.getLong(32), in.getLong(80));
  }

  private static int crc(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }
}
