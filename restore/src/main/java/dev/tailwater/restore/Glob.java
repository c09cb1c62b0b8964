package dev.tailwater.restore;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A shell pattern over a path as text: {@code *} and {@code ?} stay within one name, {@code **}
 * crosses slashes, {@code [a-z]} and {@code [!a-z]} are one character of a set, {@code {a,b}} is
 * one of several, a backslash takes the next character as it is. A pattern without a slash is
 * matched against the last name of the path alone. The JVM's own globs need a {@code Path}, which
 * cannot hold every Linux name. Immutable.
 */
final class Glob {
  private final Pattern pattern;
  private final boolean wholePath;

  private Glob(Pattern pattern, boolean wholePath) {
    this.pattern = pattern;
    this.wholePath = wholePath;
  }

  /**
   * @throws IllegalArgumentException when a bracket or brace is not closed; the message names the
   *     pattern
   */
  static Glob of(String text) {
    try {
      return new Glob(
          Pattern.compile(new Translation(text).regex(), Pattern.DOTALL), text.indexOf('/') >= 0);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "not a valid glob: " + text + ": " + e.getDescription(), e);
    }
  }

  boolean matches(String path) {
    return pattern.matcher(wholePath ? path : path.substring(path.lastIndexOf('/') + 1)).matches();
  }

  private static final class Translation {
    private final String glob;
    private final StringBuilder regex = new StringBuilder();
    private int at;
    private int depth;

    Translation(String glob) {
      this.glob = glob;
    }

    String regex() {
      while (at < glob.length()) {
        char c = glob.charAt(at++);
        switch (c) {
          case '*' -> star();
          case '?' -> regex.append("[^/]");
          case '[' -> set();
          case '{' -> {
            depth++;
            regex.append("(?:");
          }
          case '}' -> {
            regex.append(depth > 0 ? ")" : "\\}");
            depth = Math.max(0, depth - 1);
          }
          case ',' -> regex.append(depth > 0 ? '|' : ',');
          case '\\' -> literal(at < glob.length() ? glob.charAt(at++) : '\\');
          default -> literal(c);
        }
      }
      if (depth > 0) {
        throw invalid("a { is not closed");
      }
      return regex.toString();
    }

    private void star() {
      if (at < glob.length() && glob.charAt(at) == '*') {
        at++;
        // "a/**/b" also means "a/b".
        boolean slashBehind = at < glob.length() && glob.charAt(at) == '/';
        boolean slashBefore = at < 3 || glob.charAt(at - 3) == '/';
        if (slashBehind && slashBefore) {
          at++;
          regex.append("(?:.*/)?");
        } else {
          regex.append(".*");
        }
      } else {
        regex.append("[^/]*");
      }
    }

    private void set() {
      int end = glob.indexOf(']', at + 1);
      if (end < 0) {
        throw invalid("a [ is not closed");
      }
      String inside = glob.substring(at, end);
      at = end + 1;
      boolean not = inside.startsWith("!") || inside.startsWith("^");
      regex.append(not ? "[^/" : "[");
      for (char c : inside.substring(not ? 1 : 0).toCharArray()) {
        if ("\\[]&^".indexOf(c) >= 0) {
          regex.append('\\');
        }
        regex.append(c);
      }
      regex.append(']');
    }

    private void literal(char c) {
      if ("\\.[]{}()*+-?^$|&#".indexOf(c) >= 0) {
        regex.append('\\');
      }
      regex.append(c);
    }

    private IllegalArgumentException invalid(String why) {
      return new IllegalArgumentException("not a valid glob: " + glob + ": " + why);
    }
  }
}
