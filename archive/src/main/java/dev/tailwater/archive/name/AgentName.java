package dev.tailwater.archive.name;

/** What can be an agent's name. */
public final class AgentName {
  private static final int MAX_BYTES = 64;

  private AgentName() {}

  /**
   * Returns whether this can be an agent's name: 1 to 64 of {@code A-Z a-z 0-9 . _ -}, not
   * beginning with a dot, which destinations keep for what is their own.
   */
  public static boolean isValid(String name) {
    if (name.isEmpty() || name.length() > MAX_BYTES || name.charAt(0) == '.') {
      return false;
    }
    for (int at = 0; at < name.length(); at++) {
      char c = name.charAt(at);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (!letter && !(c >= '0' && c <= '9') && c != '.' && c != '_' && c != '-') {
        return false;
      }
    }
    return true;
  }

  /** Throws {@link IllegalArgumentException} when the name is not {@linkplain #isValid valid}. */
  public static void require(String name) {
    if (!isValid(name)) {
      throw new IllegalArgumentException(
          "an agent's name is 1 to 64 letters, digits, dots, underscores and hyphens and begins"
              + " with no dot, not '"
              + name
              + "'");
    }
  }
}
