package dev.tailwater.delivery.config;

import java.nio.file.FileSystems;
import java.util.regex.PatternSyntaxException;

/** Globs over the paths below a source, as users write them. */
public final class SourceGlob {
  private SourceGlob() {}

  /**
   * Checks a glob.
   *
   * @throws IllegalArgumentException it is empty or malformed; the message says what is wrong
   */
  public static String require(String glob) {
    if (glob.isBlank()) {
      throw new IllegalArgumentException("expected a glob, not an empty text");
    }
    try {
      var _ = FileSystems.getDefault().getPathMatcher("glob:" + glob);
      return glob;
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException("not a valid glob: " + glob + ": " + reason(e), e);
    }
  }

  /** Returns whether {@link #require} accepts it. */
  public static boolean isValid(String glob) {
    try {
      return require(glob).equals(glob);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static String reason(PatternSyntaxException e) {
    String description = e.getDescription();
    if (description.startsWith("Missing ']")) {
      return "a [ is not closed";
    }
    return description.startsWith("Missing '}") ? "a { is not closed" : description;
  }
}
