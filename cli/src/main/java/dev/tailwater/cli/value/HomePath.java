package dev.tailwater.cli.value;

/**
 * A path that begins with {@code ~}, as in {@code --state=~/state} or in a configuration file,
 * where no shell replaces it. It would silently mean a directory of that name.
 */
public final class HomePath {
  private HomePath() {}

  /** Returns whether the text means a path below the home directory. */
  public static boolean isMeant(String text) {
    return text.equals("~") || text.startsWith("~/");
  }

  /** Says what is wrong. */
  public static String message(String text) {
    return text + ": only a shell replaces ~ by the home directory, and not everywhere";
  }

  /** Says what to write instead. */
  public static String hint(String text) {
    return "write the whole path, or ./" + text + " if it really has this name";
  }
}
