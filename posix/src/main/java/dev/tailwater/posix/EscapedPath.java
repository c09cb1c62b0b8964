package dev.tailwater.posix;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * A text form of paths that is safe to display and represents every byte. Bytes that are not valid
 * UTF-8, and bytes of control and format characters, become {@code \\xNN}; a backslash is doubled.
 * All other characters are unchanged, so most paths look as usual.
 */
public final class EscapedPath {
  private static final HexFormat HEX = HexFormat.of();
  private static final int ESCAPE_LENGTH = 4;

  private EscapedPath() {}

  /** Returns the text of a path. */
  public static String of(PosixPath path) {
    byte[] bytes = path.toBytes();
    if (isPlain(bytes)) {
      return new String(bytes, StandardCharsets.US_ASCII);
    }
    StringBuilder text = new StringBuilder(bytes.length);
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer from = ByteBuffer.wrap(bytes);
    CharBuffer characters = CharBuffer.allocate(bytes.length);
    CoderResult result;
    do {
      result = decoder.decode(from, characters.clear(), true);
      characters.flip().codePoints().forEach(c -> append(text, c));
      for (int left = result.isError() ? result.length() : 0; left > 0; left--) {
        escape(text, from.get());
      }
    } while (result.isError());
    return text.toString();
  }

  private static void append(StringBuilder text, int codePoint) {
    if (codePoint == '\\') {
      text.append("\\\\");
    } else if (EscapedText.isDangerous(codePoint)) {
      for (byte b : Character.toString(codePoint).getBytes(StandardCharsets.UTF_8)) {
        escape(text, b);
      }
    } else {
      text.appendCodePoint(codePoint);
    }
  }

  private static void escape(StringBuilder text, byte one) {
    text.append("\\x").append(HEX.toHexDigits(one));
  }

  /** Returns whether all bytes stand for themselves, as those of most paths do. */
  private static boolean isPlain(byte[] bytes) {
    for (byte b : bytes) {
      if (b < ' ' || b > '~' || b == '\\') {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the path that a text from {@link #of} represents. A backslash that does not begin an
   * escape stands for itself.
   *
   * @throws IllegalArgumentException if the path contains a NUL byte
   */
  public static PosixPath parse(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    int at = 0;
    while (at < text.length()) {
      if (isByteEscape(text, at)) {
        bytes.write(HexFormat.fromHexDigits(text, at + 2, at + ESCAPE_LENGTH));
        at += ESCAPE_LENGTH;
      } else if (text.startsWith("\\\\", at)) {
        bytes.write('\\');
        at += 2;
      } else {
        int end = text.offsetByCodePoints(at, 1);
        bytes.writeBytes(text.substring(at, end).getBytes(StandardCharsets.UTF_8));
        at = end;
      }
    }
    return PosixPath.of(bytes.toByteArray());
  }

  /** Returns whether an escape {@code \\xNN} begins at this position. */
  public static boolean isByteEscape(String text, int at) {
    return at + ESCAPE_LENGTH <= text.length()
        && text.startsWith("\\x", at)
        && HexFormat.isHexDigit(text.charAt(at + 2))
        && HexFormat.isHexDigit(text.charAt(at + 3));
  }
}
