package dev.tailwater.archive.age;

import dev.tailwater.archive.ObjectInput;
import java.io.IOException;
import java.security.GeneralSecurityException;

/**
 * An input stream that decrypts some chunks of an age payload whose number of chunks is known. It
 * authenticates every byte before it returns it.
 */
public final class AgeChunks extends PlainChunks {
  private final ObjectInput in;
  private final AgePayload payload;
  private final long chunkCount;
  private final byte[] sealed = new byte[AgePayload.SEALED_CHUNK_BYTES];
  private long chunk;

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
  int nextChunk(byte[] into) throws IOException {
    if (chunk == chunkCount) {
      return 0;
    }
    int held = in.readNBytes(sealed, 0, sealed.length);
    if (held == 0) {
      return 0;
    }
    boolean last = chunk == chunkCount - 1;
    if (held < sealed.length && !last) {
      throw in.damaged("the encrypted data is cut off");
    }
    chunk++;
    try {
      return payload.next(sealed, 0, held, last, into, 0);
    } catch (GeneralSecurityException altered) {
      throw in.damaged("the encrypted data was altered or cut off");
    }
  }
}
