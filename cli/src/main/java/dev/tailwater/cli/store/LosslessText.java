package dev.tailwater.cli.store;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Bytes that are text, and text that is harmless as it stands in a file of JSON lines. */
final class LosslessText {
  /** Above this share, the escapes of control characters would be longer than base64. */
  private static final int ONE_CONTROL_IN = 16;

  private LosslessText() {}

  /** Empty where these bytes are better carried as base64. */
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

  /** Control characters that JSON leaves as they are, and those that reverse what follows. */
  private static boolean confusesTerminals(char character) {
    return (character >= 0x7f && character <= 0x9f)
        || (character >= 0x202a && character <= 0x202e)
        || (character >= 0x2066 && character <= 0x2069);
  }
}
