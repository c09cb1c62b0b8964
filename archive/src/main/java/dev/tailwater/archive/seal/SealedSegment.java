package dev.tailwater.archive.seal;

import dev.tailwater.archive.ByteRange;
import java.nio.ByteBuffer;

/**
 * A segment ready to be delivered. It lies in the staging array, which the receiver gives back for
 * the next segment when delivery is done.
 *
 * @param key the object's key
 * @param range the bytes of the stream in it
 * @param staging the array that {@link SegmentSealer#begin} was given
 * @param from where in it the object begins
 * @param lengthBytes of the object
 * @param rawCrc32c CRC-32C of the range's bytes
 */
public record SealedSegment(
    String key,
    ByteRange range,
    @SuppressWarnings("ArrayRecordComponent") byte[] staging,
    int from,
    int lengthBytes,
    int rawCrc32c) {
  /** The object's bytes: a view of the staging array, not a copy. */
  public ByteBuffer content() {
    return ByteBuffer.wrap(staging, from, lengthBytes).slice();
  }
}
