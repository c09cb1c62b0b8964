package dev.tailwater.posix;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * A text form of paths that is safe to display and represents every byte. Bytes that are not valid
 * UTF-8, and bytes of control and format characters, become {@code \\xNN}; a backslash is doubled.
 * All other characters are unchanged, so most paths look as usual.
 */
public final class EscapedPath {
  private static final HexFormat HEX = HexFormat.of();
  private static final int MAX_CHARACTER_BYTES = 4;
  private static final int ESCAPE_LENGTH = 4;

  private EscapedPath() {}

  /** Returns the text of a path. */
  public static String of(PosixPath path) {
    byte[] bytes = path.toBytes();
    StringBuilder text = new StringBuilder(bytes.length);
    int at = plainEnd(bytes);
    text.append(new String(bytes, 0, at, StandardCharsets.US_ASCII));
    while (at < bytes.length) {
      int length = characterLength(bytes, at);
      String character = new String(bytes, at, Math.max(length, 1), StandardCharsets.UTF_8);
      if (length == 0 || EscapedText.isDangerous(character.codePointAt(0))) {
        for (int i = at; i < at + Math.max(length, 1); i++) {
          text.append("\\x").append(HEX.toHexDigits(bytes[i]));
        }
      } else {
        text.append(character.equals("\\") ? "\\\\" : character);
      }
      at += Math.max(length, 1);
    }
    return text.toString();
  }

  /** Returns where the first bytes end that stand for themselves: in most paths, all do. */
  private static int plainEnd(byte[] bytes) {
    int at = 0;
    while (at < bytes.length && bytes[at] >= ' ' && bytes[at] <= '~' && bytes[at] != '\\') {
      at++;
    }
    return at;
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

  /** Returns the length of the UTF-8 character at this position; 0 if there is none. */
  private static int characterLength(byte[] bytes, int at) {
    for (int length = 1; length <= MAX_CHARACTER_BYTES && at + length <= bytes.length; length++) {
      try {
        StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, at, length));
        return length;
      } catch (CharacterCodingException e) {
        // Incomplete so far: try with one more byte.
      }
    }
    return 0;
  }
}
