package dev.tailwater.cli.report;

import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import dev.tailwater.cli.value.Printable;
import org.jspecify.annotations.Nullable;

/**
 * Escapes characters that JSON allows and a terminal obeys. A reader of the JSON gets the same
 * text.
 */
final class JsonEscapes extends CharacterEscapes {
  private static final long serialVersionUID = 1L;
  private static final int DELETE = 0x7f;

  JsonEscapes() {}

  @Override
  public int[] getEscapeCodesForAscii() {
    int[] codes = standardAsciiEscapesForJSON();
    codes[DELETE] = ESCAPE_STANDARD;
    return codes;
  }

  @Override
  public @Nullable SerializableString getEscapeSequence(int character) {
    return Printable.isDangerous(character)
        ? new SerializedString(String.format("\\u%04X", character))
        : null;
  }
}
