package dev.tailwater.destination.cloud;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The range that an answer has.
 *
 * @param totalBytes the length of the whole object; empty if the server does not know it
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#name-content-range">RFC 9110, section
 *     14.4</a>
 */
record ContentRange(long firstByte, long lastByte, OptionalLong totalBytes) {
  private static final Pattern FORM =
      Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18}|\\*)", Pattern.CASE_INSENSITIVE);

  /** Reads the value of the header; empty if it is not a range of bytes. */
  static Optional<ContentRange> parse(String header) {
    Matcher parts = FORM.matcher(header.strip());
    if (!parts.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        new ContentRange(
            Long.parseLong(parts.group(1)),
            Long.parseLong(parts.group(2)),
            parts.group(3).equals("*")
                ? OptionalLong.empty()
                : OptionalLong.of(Long.parseLong(parts.group(3)))));
  }

  long lengthBytes() {
    return lastByte - firstByte + 1;
  }
}
