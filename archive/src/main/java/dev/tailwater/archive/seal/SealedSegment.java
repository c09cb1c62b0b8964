package dev.tailwater.archive.seal;

import dev.tailwater.archive.ByteRange;
import java.nio.ByteBuffer;

/**
 * A segment that is ready to be delivered. It is a part of the staging array, which the receiver
 * returns for the next segment after the delivery.
 *
 * @param key the key of the object
 * @param range the bytes of the stream in the segment
 * @param staging the array that was passed to {@link SegmentSealer#begin}
 * @param from the index in it at which the object begins
 * @param lengthBytes the length of the object
 * @param rawCrc32c the CRC-32C of the bytes of the range
 */
public record SealedSegment(
    String key,
    ByteRange range,
    @SuppressWarnings("ArrayRecordComponent") byte[] staging,
    int from,
    int lengthBytes,
    int rawCrc32c) {
  /** Returns the bytes of the object: a view of the staging array, not a copy. */
  public ByteBuffer content() {
    return ByteBuffer.wrap(staging, from, lengthBytes).slice();
  }
}
