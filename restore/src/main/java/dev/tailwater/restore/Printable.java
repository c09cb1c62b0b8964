package dev.tailwater.restore;

import dev.tailwater.posix.PosixPath;

/** Names from an archive made safe for terminals and logs. */
final class Printable {
  private Printable() {}

  /** The path with control and format characters as {@code \\u001b}. */
  static String of(PosixPath path) {
    StringBuilder safe = new StringBuilder();
    path.toString().codePoints().forEach(c -> append(safe, c));
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
