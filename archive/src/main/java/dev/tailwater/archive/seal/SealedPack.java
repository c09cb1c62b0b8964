package dev.tailwater.archive.seal;

import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.pack.PackDirectory;
import java.nio.ByteBuffer;

/**
 * A pack that is ready to be delivered. It is a part of the staging array, which the receiver
 * returns for the next pack after the delivery.
 *
 * @param staging the array that was passed to {@link PackSealer#begin}
 * @param from the index in it at which the object begins
 * @param lengthBytes the length of the object
 */
public record SealedPack(
    PackName name,
    PackDirectory directory,
    @SuppressWarnings("ArrayRecordComponent") byte[] staging,
    int from,
    int lengthBytes) {
  /** Returns the bytes of the object: a view of the staging array, not a copy. */
  public ByteBuffer content() {
    return ByteBuffer.wrap(staging, from, lengthBytes).slice();
  }
}
