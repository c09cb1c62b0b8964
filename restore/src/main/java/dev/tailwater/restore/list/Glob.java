package dev.tailwater.restore.list;

import dev.tailwater.posix.EscapedPath;
import dev.tailwater.posix.PosixPath;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A shell pattern over a path as text: {@code *} and {@code ?} stay within one name, {@code **}
 * crosses slashes, {@code [a-z]} and {@code [!a-z]} are one character of a set, {@code {a,b}} is
 * one of several, a backslash takes the next character as it is, {@code \\xNN} is a byte as in
 * {@link EscapedPath}. A pattern without a slash is matched against the last name of the path
 * alone. The JVM's own globs need a {@code Path}, which cannot hold every Linux name. Immutable.
 */
final class Glob {
  /** What is added to a byte that is no text; the sum is a low surrogate. */
  private static final char NO_TEXT = '\uDC00';

  private final Pattern pattern;
  private final boolean wholePath;

  private Glob(Pattern pattern, boolean wholePath) {
    this.pattern = pattern;
    this.wholePath = wholePath;
  }

  /** Returns whether these select a path: one of them matches it, or there are none. */
  static boolean select(List<Glob> globs, PosixPath path) {
    return globs.isEmpty() || globs.stream().anyMatch(glob -> glob.matches(path));
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

  boolean matches(PosixPath path) {
    return matches(lossless(path));
  }

  boolean matches(String path) {
    return pattern.matcher(wholePath ? path : path.substring(path.lastIndexOf('/') + 1)).matches();
  }

  /** As UTF-8; a byte that is none becomes a character that no text has: a lone surrogate. */
  private static String lossless(PosixPath path) {
    ByteBuffer bytes = ByteBuffer.wrap(path.toBytes());
    CharBuffer text = CharBuffer.allocate(bytes.remaining());
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    for (CoderResult result = decoder.decode(bytes, text, true);
        result.isError();
        result = decoder.decode(bytes, text, true)) {
      for (int i = 0; i < result.length(); i++) {
        text.put((char) (NO_TEXT + Byte.toUnsignedInt(bytes.get())));
      }
    }
    return text.flip().toString();
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
          case '\\' -> escaped();
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

    private void escaped() {
      if (EscapedPath.isByteEscape(glob, at - 1)) {
        bytes();
      } else {
        literal(at < glob.length() ? glob.charAt(at++) : '\\');
      }
    }

    /** {@code \\xNN} once or several times: bytes that together may be characters. */
    private void bytes() {
      int start = at - 1;
      int end = start;
      while (EscapedPath.isByteEscape(glob, end)) {
        end += "\\xNN".length();
      }
      for (char c : lossless(EscapedPath.parse(glob.substring(start, end))).toCharArray()) {
        literal(c);
      }
      at = end;
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
