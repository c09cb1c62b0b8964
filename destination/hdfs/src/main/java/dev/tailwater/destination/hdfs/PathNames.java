package dev.tailwater.destination.hdfs;

/**
 * The translation between keys and HDFS paths. HDFS allows no colon in a name and reserves {@code
 * .snapshot} and {@code .reserved}. These are escaped so that different keys have different paths:
 *
 * <pre>
 * :                       becomes U+A789, a letter that looks like a colon
 * U+A789, U+2E40          get U+2E40 in front
 * .snapshot, .reserved    get U+2E40 in front, if that is the whole name
 * </pre>
 *
 * <p>The names that an agent creates contain none of these, so their paths equal their keys.
 */
final class PathNames {
  private static final char COLON = '\uA789';
  private static final char LITERAL = '\u2E40';

  private PathNames() {}

  /** Returns the path of a key, relative to the root of the archive. */
  static String ofKey(String key) {
    if (isPlain(key)) {
      return key;
    }
    StringBuilder path = new StringBuilder();
    for (String component : key.split("/", -1)) {
      path.append(path.isEmpty() ? "" : "/").append(ofComponent(component));
    }
    return path.toString();
  }

  private static boolean isPlain(String key) {
    return key.indexOf(':') < 0
        && key.indexOf(COLON) < 0
        && key.indexOf(LITERAL) < 0
        && !key.contains(".snapshot")
        && !key.contains(".reserved");
  }

  /** Returns the file name for one component of a key. */
  static String ofComponent(String component) {
    StringBuilder name = new StringBuilder(component.length());
    if (component.equals(".snapshot") || component.equals(".reserved")) {
      name.append(LITERAL);
    }
    for (int i = 0; i < component.length(); i++) {
      char c = component.charAt(i);
      switch (c) {
        case ':' -> name.append(COLON);
        case COLON, LITERAL -> name.append(LITERAL).append(c);
        default -> name.append(c);
      }
    }
    return name.toString();
  }

  /**
   * Returns the component of a key that has this file name. For a name that {@link #ofComponent}
   * never returns, the result has another file name.
   */
  static String toComponent(String name) {
    if (name.indexOf(COLON) < 0 && name.indexOf(LITERAL) < 0) {
      return name;
    }
    StringBuilder component = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == LITERAL && i + 1 < name.length()) {
        component.append(name.charAt(++i));
      } else {
        component.append(c == COLON ? ':' : c);
      }
    }
    return component.toString();
  }
}
