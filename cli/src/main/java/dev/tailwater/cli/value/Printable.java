package dev.tailwater.cli.value;

/**
 * Makes text safe to show: names of files may hold anything, and a terminal obeys control
 * characters.
 */
public final class Printable {
  private Printable() {}

  /**
   * A message: control characters except tabs and line ends written as {@code \}{@code u001b},
   * {@linkplain Secrets secrets} masked.
   */
  public static String text(String text) {
    return escape(Secrets.mask(text), true);
  }

  /** The same for a message that must stay on one line. */
  public static String sentence(String text) {
    return escape(Secrets.mask(text), false);
  }

  /** A name on one line, as it is but for control characters. */
  public static String line(String text) {
    return escape(text, false);
  }

  private static String escape(String text, boolean lines) {
    StringBuilder shown = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            point -> {
              boolean harmless = lines && (point == '\n' || point == '\t');
              if (!harmless && isDangerous(point)) {
                shown.append(String.format("\\u%04x", point));
              } else {
                shown.appendCodePoint(point);
              }
            });
    return shown.toString();
  }

  /** Whether it is a control character, or reverses the direction of the text after it. */
  public static boolean isDangerous(int point) {
    return Character.isISOControl(point)
        || (point >= 0x202a && point <= 0x202e)
        || (point >= 0x2066 && point <= 0x2069);
  }
}
