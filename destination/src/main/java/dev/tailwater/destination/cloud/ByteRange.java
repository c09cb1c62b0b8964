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
    if (isToTheEnd()) {
      return offsetBytes == 0 ? Optional.empty() : Optional.of("bytes=" + offsetBytes + "-");
    }
    return Optional.of("bytes=" + offsetBytes + "-" + lastByte());
  }

  private boolean isToTheEnd() {
    return lengthBytes >= Long.MAX_VALUE - offsetBytes;
  }

  private long lastByte() {
    return isToTheEnd() ? Long.MAX_VALUE : offsetBytes + Math.max(lengthBytes, 1) - 1;
  }

  /**
   * Returns whether the answer has all of this range that the object has. A server may ignore a
   * range and answer with the whole object, and RFC 9110 lets it answer with less than was asked.
   */
  boolean isAnsweredBy(StoredObject.Found answer) {
    Optional<String> answered = answer.contentRange();
    if (answered.isPresent()) {
      return ContentRange.parse(answered.get()).filter(this::isWholly).isPresent();
    }
    return header().isEmpty()
        || (offsetBytes == 0
            && answer.lengthBytes().isPresent()
            && answer.lengthBytes().getAsLong() <= lengthBytes);
  }

  /** Without a total, only the asked end is known not to be early. */
  private boolean isWholly(ContentRange answered) {
    long end = Math.min(lastByte(), answered.totalBytes().orElse(Long.MAX_VALUE) - 1);
    return answered.firstByte() == offsetBytes && answered.lastByte() == end;
  }
}
