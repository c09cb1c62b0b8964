package dev.tailwater.cli.command;

import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.value.Printable;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Keys and values of a store as people type and read them. */
final class StoreBytes {
  private static final String HEX = "hex:";

  private StoreBytes() {}

  /** UTF-8 of the text; after {@code hex:} the bytes that the digits say. */
  static byte[] parse(String text) {
    if (!text.startsWith(HEX)) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    try {
      return HexFormat.of().parseHex(text.substring(HEX.length()));
    } catch (IllegalArgumentException e) {
      throw UserException.usage(
          "'" + text + "': " + e.getMessage(), "write bytes as hex:00ff, or text as it is");
    }
  }

  /**
   * The text where it is printable UTF-8, else {@code hex:} and digits: what {@link #parse} reads.
   */
  static String show(byte[] bytes) {
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
}
