package dev.tailwater.cli.store;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Text that can be stored in JSON without loss, and is harmless to a terminal. */
final class LosslessText {
  /** The share of control characters above which their escapes would be longer than base64. */
  private static final int ONE_CONTROL_IN = 16;

  private LosslessText() {}

  /** Returns the text; empty if the bytes are better stored as base64. */
  static Optional<String> of(byte[] bytes) {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException notText) {
      return Optional.empty();
    }
    int escaped = 0;
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      if (character < ' ') {
        escaped++; // JSON writes it as an escape
      } else if (confusesTerminals(character)) {
        return Optional.empty();
      }
    }
    return escaped > 8 && escaped > text.length() / ONE_CONTROL_IN
        ? Optional.empty()
        : Optional.of(text);
  }

  /** Control characters that JSON does not escape, and those that reverse the direction of text. */
  private static boolean confusesTerminals(char character) {
    return (character >= 0x7f && character <= 0x9f)
        || (character >= 0x202a && character <= 0x202e)
        || (character >= 0x2066 && character <= 0x2069);
  }
}
