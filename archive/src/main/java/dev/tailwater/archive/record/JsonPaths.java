package dev.tailwater.archive.record;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.posix.PosixPath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Conversion of paths to and from JSON. A path that is valid UTF-8 is one text field. For any other
 * path, the text field is for display, and a second field with the suffix {@code _bytes} holds the
 * bytes, percent-encoded except for printable ASCII.
 */
public final class JsonPaths {
  static final String BYTES_SUFFIX = "_bytes";

  private JsonPaths() {}

  /** Writes the field, or both of them. */
  public static void write(JsonGenerator json, String field, PosixPath path) throws IOException {
    json.writeStringField(field, path.decoded());
    if (!isText(path)) {
      json.writeStringField(field + BYTES_SUFFIX, encode(path));
    }
  }

  /** Returns all the text that {@link #write} writes of a path, for its length. */
  public static String textOf(PosixPath path) {
    return isText(path) ? path.decoded() : path.decoded() + encode(path);
  }

  private static boolean isText(PosixPath path) {
    return PosixPath.of(path.decoded()).equals(path);
  }

  static String encode(PosixPath path) {
    StringBuilder encoded = new StringBuilder();
    for (byte b : path.toBytes()) {
      if (b > ' ' && b <= '~' && b != '%') {
        encoded.append((char) b);
      } else {
        encoded.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
      }
    }
    return encoded.toString();
  }

  static Optional<PosixPath> ofText(String text) {
    if (text.indexOf('\0') >= 0) {
      return Optional.empty();
    }
    PosixPath path = PosixPath.of(text);
    // Reject half of a surrogate pair, which UTF-8 cannot represent.
    return path.decoded().equals(text) ? Optional.of(path) : Optional.empty();
  }

  /** Returns the exact path; empty if the text field does not match it. */
  static Optional<PosixPath> decode(String encoded, String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(encoded.length());
    for (int at = 0; at < encoded.length(); at++) {
      char c = encoded.charAt(at);
      if (c == '%') {
        if (at + 3 > encoded.length()
            || !HexFormat.isHexDigit(encoded.charAt(at + 1))
            || !HexFormat.isHexDigit(encoded.charAt(at + 2))) {
          return Optional.empty();
        }
        bytes.write(HexFormat.fromHexDigits(encoded, at + 1, at + 3));
        at += 2;
      } else {
        bytes.write(c);
      }
    }
    byte[] raw = bytes.toByteArray();
    for (byte b : raw) {
      if (b == 0) {
        return Optional.empty();
      }
    }
    PosixPath path = PosixPath.of(raw);
    boolean ours = encode(path).equals(encoded) && path.decoded().equals(text);
    return ours ? Optional.of(path) : Optional.empty();
  }
}
