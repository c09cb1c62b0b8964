package dev.tailwater.posix;

/**
 * Text from a possibly hostile archive or server, safe to show on a terminal or in a log. One line;
 * everything that is invisible or changes how other characters look is escaped, also where a
 * language or an emoji needs it. {@link EscapedPath} does the same to the bytes of a path and can
 * be read back.
 */
public final class EscapedText {
  private EscapedText() {}

  /** Returns the text with control, line-break and format characters written as {@code \\u001b}. */
  public static String of(String text) {
    StringBuilder safe = new StringBuilder(text.length());
    text.codePoints().forEach(c -> append(safe, c));
    return safe.toString();
  }

  private static void append(StringBuilder safe, int codePoint) {
    if (isDangerous(codePoint)) {
      safe.append(String.format("\\u%04x", codePoint));
    } else {
      safe.appendCodePoint(codePoint);
    }
  }

  /**
   * Returns true for control characters, for format characters, which hide or reorder text, and for
   * half a character.
   */
  static boolean isDangerous(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          true;
      default -> false;
    };
  }
}
