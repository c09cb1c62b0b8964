package dev.tailwater.destination.cloud;

import java.util.Optional;

/**
 * The range of a read.
 *
 * @param offsetBytes 0 or more
 * @param lengthBytes 0 or more; {@link Long#MAX_VALUE} for everything to the end
 */
record ByteRange(long offsetBytes, long lengthBytes) {
  ByteRange {
    if (offsetBytes < 0 || lengthBytes < 0) {
      throw new IllegalArgumentException("range " + offsetBytes + "+" + lengthBytes);
    }
  }

  /**
   * Returns the value of the range header; empty for the whole object. A range of no bytes asks for
   * one, to learn whether the object exists.
   *
   * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#name-range">RFC 9110, section 14.2</a>
   */
  Optional<String> header() {
    if (lengthBytes >= Long.MAX_VALUE - offsetBytes) {
      return offsetBytes == 0 ? Optional.empty() : Optional.of("bytes=" + offsetBytes + "-");
    }
    long last = offsetBytes + Math.max(lengthBytes, 1) - 1;
    return Optional.of("bytes=" + offsetBytes + "-" + last);
  }

  /**
   * Returns whether the answer has this range. A server may ignore a range and answer with the
   * whole object.
   */
  boolean isAnsweredBy(StoredObject.Found answer) {
    if (answer.contentRange().isPresent()) {
      return answer.contentRange().get().startsWith("bytes " + offsetBytes + "-");
    }
    return offsetBytes == 0
        && answer.lengthBytes().isPresent()
        && answer.lengthBytes().getAsLong() <= lengthBytes;
  }
}
