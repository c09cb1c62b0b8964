package dev.tailwater.archive.age;

import dev.tailwater.archive.BulkInputStream;
import java.io.IOException;

/** An input stream over the decrypted chunks of an age payload. */
abstract class PlainChunks extends BulkInputStream {
  private final byte[] plain = new byte[AgePayload.CHUNK_BYTES];
  private int next;
  private int limit;

  /**
   * Decrypts the next chunk.
   *
   * @param into has room for the longest chunk
   * @return its length; 0 at the end
   */
  abstract int nextChunk(byte[] into) throws IOException;

  @Override
  public final int read(byte[] target, int from, int lengthBytes) throws IOException {
    if (lengthBytes == 0) {
      return 0;
    }
    if (next == limit) {
      next = 0;
      limit = nextChunk(plain);
      if (limit == 0) {
        return -1;
      }
    }
    int taken = Math.min(limit - next, lengthBytes);
    System.arraycopy(plain, next, target, from, taken);
    next += taken;
    return taken;
  }
}
