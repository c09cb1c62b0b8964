package dev.tailwater.cli.store;

import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.value.Printable;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/** Keys and values of a store as people type and read them. */
public final class EntryText {
  private static final String HEX = "hex:";

  /** The length to which a value in a table is truncated. */
  private static final int SHOWN_BYTES = 120;

  private EntryText() {}

  /** Parses text as UTF-8, or the hexadecimal digits after {@code hex:}. */
  public static byte[] parse(String text) {
    return text.startsWith(HEX)
        ? parseHex(text.substring(HEX.length()))
        : text.getBytes(StandardCharsets.UTF_8);
  }

  /** Parses hexadecimal digits. */
  public static byte[] parseHex(String digits) {
    try {
      return HexFormat.of().parseHex(digits);
    } catch (IllegalArgumentException e) {
      throw UserException.usage(
          "'" + digits + "' is not hexadecimal: " + e.getMessage(),
          "write bytes as 00ff, or text as it is");
    }
  }

  /** Parses base64. */
  public static byte[] parseBase64(String text) {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw UserException.usage(
          "'" + text + "' is not base64: " + e.getMessage(), "printf %s KEY | base64 writes it");
    }
  }

  /**
   * Returns printable UTF-8 as it is, other bytes as {@code hex:} and digits, which {@link #parse}
   * reads.
   */
  public static String show(byte[] bytes) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      if (Printable.line(text).equals(text) && !text.startsWith(HEX)) {
        return text;
      }
    } catch (CharacterCodingException e) {
      return HEX + HexFormat.of().formatHex(bytes);
    }
    return HEX + HexFormat.of().formatHex(bytes);
  }

  /** Returns the same, truncated for a line of a table. */
  public static String brief(byte[] bytes) {
    if (bytes.length <= SHOWN_BYTES) {
      return show(bytes);
    }
    int end = SHOWN_BYTES;
    while (end > SHOWN_BYTES - 4 && (bytes[end] & 0xC0) == 0x80) {
      end--; // not within a character
    }
    return show(Arrays.copyOf(bytes, end)) + "... (" + bytes.length + " bytes)";
  }
}
