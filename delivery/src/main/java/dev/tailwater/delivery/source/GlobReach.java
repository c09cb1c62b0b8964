package dev.tailwater.delivery.source;

import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;

/** Which directories below a source can have files that a glob matches. */
final class GlobReach {
  /** What the first names of a path must match, one matcher for each number of names. */
  private final List<PathMatcher> prefixes;

  /** Whether there may be files at any depth below what matches all prefixes. */
  private final boolean isOpen;

  private GlobReach(List<PathMatcher> prefixes, boolean isOpen) {
    this.prefixes = prefixes;
    this.isOpen = isOpen;
  }

  /**
   * Returns the reach of a glob.
   *
   * @param glob a valid one, as the user wrote it: without a slash, it matches names at any depth
   */
  static GlobReach of(String glob) {
    if (!glob.contains("/")) {
      return new GlobReach(List.of(), true);
    }
    return of(glob.startsWith("/") ? glob.substring(1) : glob, new ArrayList<>());
  }

  /** Ends at the first part between slashes that matches several names, or may. */
  private static GlobReach of(String glob, List<PathMatcher> prefixes) {
    boolean inBraces = false;
    for (int i = 0; i < glob.length(); i++) {
      switch (glob.charAt(i)) {
        case '\\' -> {
          i++;
          if (glob.startsWith("/", i)) {
            return new GlobReach(prefixes, true); // A slash all the same.
          }
        }
        case '[' -> i = glob.indexOf(']', i); // Which ends it in any case, and it has no slash.
        case '{' -> inBraces = true;
        case '}' -> inBraces = false;
        case '*' -> {
          if (glob.startsWith("**", i)) {
            return new GlobReach(prefixes, true);
          }
        }
        case '/' -> {
          if (inBraces) {
            return new GlobReach(prefixes, true);
          }
          prefixes.add(SourceFilter.anyName(glob.substring(0, i)));
        }
        default -> {}
      }
    }
    return new GlobReach(prefixes, false);
  }

  /** Returns whether a directory, as its path below the source, can have such files below it. */
  boolean isIn(Path directory) {
    int names = directory.getNameCount();
    int compared = Math.min(names, prefixes.size());
    return (isOpen || names <= prefixes.size())
        && (compared == 0 || prefixes.get(compared - 1).matches(directory.subpath(0, compared)));
  }
}
