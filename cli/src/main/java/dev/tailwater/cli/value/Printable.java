package dev.tailwater.cli.value;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

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

  /** Returns why a file cannot be used: the message of some exceptions is its path alone. */
  public static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException _ -> "no such file";
      case AccessDeniedException _ -> "permission denied";
      case DirectoryNotEmptyException _ -> "the directory is not empty";
      case FileSystemException file when file.getReason() != null -> file.getReason();
      default -> Optional.ofNullable(e.getMessage()).orElse("it failed");
    };
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
