package dev.tailwater.archive.age;

import dev.tailwater.archive.ObjectInput;
import java.io.IOException;
import java.io.InputStream;
import java.security.GeneralSecurityException;

/**
 * An input stream that decrypts some chunks of an age payload whose number of chunks is known. It
 * authenticates every byte before it returns it.
 */
public final class AgeChunks extends InputStream {
  private final ObjectInput in;
  private final AgePayload payload;
  private final long chunkCount;
  private final byte[] sealed = new byte[AgePayload.SEALED_CHUNK_BYTES];
  private final byte[] plain = new byte[AgePayload.CHUNK_BYTES];
  private long chunk;
  private int next;
  private int limit;

  /**
   * Creates a stream.
   *
   * @param in the object, from the first wanted chunk on
   * @param firstChunk the number of that chunk, from 0
   * @param chunkCount how many chunks the whole payload has
   */
  public AgeChunks(ObjectInput in, byte[] payloadKey, long firstChunk, long chunkCount) {
    this.in = in;
    this.payload = AgePayload.decrypting(payloadKey, firstChunk);
    this.chunk = firstChunk;
    this.chunkCount = chunkCount;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public int read(byte[] target, int from, int lengthBytes) throws IOException {
    if (lengthBytes == 0) {
      return 0;
    }
    if (next == limit && !nextChunk()) {
      return -1;
    }
    int taken = Math.min(limit - next, lengthBytes);
    System.arraycopy(plain, next, target, from, taken);
    next += taken;
    return taken;
  }

  /** Decrypts the next chunk; false at the end of what was given. */
  private boolean nextChunk() throws IOException {
    if (chunk == chunkCount) {
      return false;
    }
    int held = in.readNBytes(sealed, 0, sealed.length);
    if (held == 0) {
      return false;
    }
    boolean last = chunk == chunkCount - 1;
    if (held < sealed.length && !last) {
      throw in.damaged("the encrypted data is cut off");
    }
    try {
      limit = payload.next(sealed, 0, held, last, plain, 0);
    } catch (GeneralSecurityException altered) {
      throw in.damaged("the encrypted data was altered or cut off");
    }
    chunk++;
    next = 0;
    return limit > 0;
  }
}
