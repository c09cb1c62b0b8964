package dev.tailwater.destination;

/** Escaping of text from a possibly hostile archive for terminals and logs. */
final class Printable {
  private Printable() {}

  /** Returns the text with control, line-break and format characters written as {@code \\u001b}. */
  static String of(String text) {
    StringBuilder safe = new StringBuilder(text.length());
    text.codePoints().forEach(c -> append(safe, c));
    return safe.toString();
  }

  private static void append(StringBuilder safe, int codePoint) {
    switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          safe.append(String.format("\\u%04x", codePoint));
      default -> safe.appendCodePoint(codePoint);
    }
  }
}
