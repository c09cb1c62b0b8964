package dev.tailwater.destination.cloud;

import java.io.InputStream;
import java.util.Optional;
import java.util.OptionalLong;

/** The answer to a request for an object. */
public sealed interface StoredObject {
  /** There is no such object. */
  record Missing() implements StoredObject {}

  /** The range starts after the end of the object. */
  record BeyondEnd() implements StoredObject {}

  /**
   * The object, or a range of it.
   *
   * @param content the answer's body; its close may read a short rest, to keep the connection
   * @param abort ends the connection, without reading the rest
   * @param lengthBytes of the body; empty if the server does not say it
   * @param contentRange of the answer, as in the header; empty for a whole object
   */
  record Found(
      InputStream content, Runnable abort, OptionalLong lengthBytes, Optional<String> contentRange)
      implements StoredObject {
    /** Returns the length that the body must have; empty if nothing says it. */
    OptionalLong expectedBytes() {
      Optional<ContentRange> range = contentRange.flatMap(ContentRange::parse);
      return range.isPresent() ? OptionalLong.of(range.get().lengthBytes()) : lengthBytes;
    }
  }
}
