package dev.tailwater.destination.cloud;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.CRC32C;

/** CRC-32C as the headers of S3 and Google Cloud Storage write it: big-endian, in base 64. */
public final class Crc32cText {
  private Crc32cText() {}

  /** Returns the checksum of the bytes from position to limit, which do not change. */
  public static String of(ByteBuffer content) {
    CRC32C crc = new CRC32C();
    crc.update(content.duplicate());
    return of(crc);
  }

  /** Returns the checksum of what was added so far. */
  public static String of(CRC32C crc) {
    byte[] bytes = ByteBuffer.allocate(Integer.BYTES).putInt((int) crc.getValue()).array();
    return Base64.getEncoder().encodeToString(bytes);
  }
}
