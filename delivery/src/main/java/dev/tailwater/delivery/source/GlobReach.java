package dev.tailwater.delivery.source;

import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;

/** Which directories below a source can have files that a glob matches. */
final class GlobReach {
  /** What the first names of a path must match, one matcher for each number of names. */
  private final List<PathMatcher> prefixes = new ArrayList<>();

  /** Whether there may be files at any depth below what matches all prefixes. */
  private final boolean isOpen;

  private GlobReach(boolean isOpen) {
    this.isOpen = isOpen;
  }

  /**
   * Returns the reach of a glob.
   *
   * @param glob a valid one, as the user wrote it: without a slash, it matches names at any depth
   */
  static GlobReach of(String glob) {
    if (!glob.contains("/")) {
      return new GlobReach(true);
    }
    String whole = glob.startsWith("/") ? glob.substring(1) : glob;
    int open = startOfOpenPart(whole);
    GlobReach reach = new GlobReach(open >= 0);
    String closed = open >= 0 ? whole.substring(0, open) : whole;
    for (int slash = closed.indexOf('/'); slash >= 0; slash = closed.indexOf('/', slash + 1)) {
      reach.prefixes.add(SourceFilter.anyName(closed.substring(0, slash)));
    }
    return reach;
  }

  /**
   * Returns where the first part between slashes begins that matches several names, or may: one
   * with two stars, or with a slash in braces. Negative if there is none.
   */
  private static int startOfOpenPart(String glob) {
    int part = 0;
    boolean inBraces = false;
    for (int i = 0; i < glob.length(); i++) {
      switch (glob.charAt(i)) {
        case '\\' -> i++;
        case '[' -> i = glob.indexOf(']', i); // Which ends it in any case, and it has no slash.
        case '{' -> inBraces = true;
        case '}' -> inBraces = false;
        case '*' -> {
          if (glob.startsWith("**", i)) {
            return part;
          }
        }
        case '/' -> {
          if (inBraces) {
            return part;
          }
          part = i + 1;
        }
        default -> {}
      }
    }
    return -1;
  }

  /** Returns whether a directory, as its path below the source, can have such files below it. */
  boolean isIn(Path directory) {
    int names = directory.getNameCount();
    int compared = Math.min(names, prefixes.size());
    return (isOpen || names <= prefixes.size())
        && (compared == 0 || prefixes.get(compared - 1).matches(directory.subpath(0, compared)));
  }
}
