package dev.tailwater.cli.value;

/**
 * Makes text safe to show: names of files may hold anything, and a terminal obeys control
 * characters.
 *
 * <p>This is for whatever the program prints, also for texts of the user's own, so it leaves
 * invisible characters that a terminal does not obey, such as the joiners in emoji and in some
 * languages. Paths from an archive and messages of destinations are escaped before, by {@link
 * dev.tailwater.posix.EscapedPath} and {@link dev.tailwater.posix.EscapedText}, which leave nothing
 * that is invisible.
 */
public final class Printable {
  private Printable() {}

  /**
   * Makes a message safe: escapes control characters except tabs and line ends as {@code \}{@code
   * u001b}, and masks {@linkplain Secrets secrets}.
   */
  public static String text(String text) {
    return escape(Secrets.mask(text), true);
  }

  /** Makes a message safe that must stay on one line. */
  public static String sentence(String text) {
    return escape(Secrets.mask(text), false);
  }

  /** Makes a name safe that must stay on one line; masks nothing. */
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
