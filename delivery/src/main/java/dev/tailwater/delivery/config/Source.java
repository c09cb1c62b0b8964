package dev.tailwater.delivery.config;

import dev.tailwater.posix.PosixPath;
import java.util.List;
import java.util.Optional;

/**
 * A source of files.
 *
 * @param root a directory, watched with everything below it, or a file; absolute
 * @param include globs; if there are any, a file must match one of them
 * @param exclude globs; a file or directory that matches one is left out
 * @param as the path that the root has in the archive; empty: its own
 * @param cutAt where segments of its files may end
 */
public record Source(
    PosixPath root,
    List<String> include,
    List<String> exclude,
    Optional<PosixPath> as,
    CutAt cutAt) {
  private static final String GLOB_CHARACTERS = "*?[{";

  /**
   * Checks the paths and globs.
   *
   * @throws IllegalArgumentException a path is not absolute, or a glob is not valid
   */
  public Source {
    if (!root.isAbsolute()) {
      throw new IllegalArgumentException("source " + root + " is not an absolute path");
    }
    if (as.filter(path -> !path.isAbsolute()).isPresent()) {
      throw new IllegalArgumentException(as.get() + " is not an absolute path");
    }
    include.forEach(SourceGlob::require);
    exclude.forEach(SourceGlob::require);
    include = List.copyOf(include);
    exclude = List.copyOf(exclude);
  }

  /** Creates a source that is archived under its own path and cut anywhere. */
  public Source(PosixPath root, List<String> include, List<String> exclude) {
    this(root, include, exclude, Optional.empty(), CutAt.ANYWHERE);
  }

  /** Returns the same source, archived under another path. */
  public Source archivedAs(PosixPath path) {
    return new Source(root, include, exclude, Optional.of(path), cutAt);
  }

  /** Returns the same source, with segments that end elsewhere. */
  public Source cutAt(CutAt where) {
    return new Source(root, include, exclude, as, where);
  }

  /**
   * Parses a source as users write it: a path, or a glob such as {@code /var/log/}{@code *}{@code
   * /access.log}, whose leading directories without glob characters become the root.
   *
   * @param absoluteText an absolute path or glob
   */
  public static Source parse(String absoluteText, List<String> include, List<String> exclude) {
    int glob = firstGlobCharacter(absoluteText);
    if (glob < 0) {
      return new Source(PosixPath.of(absoluteText), include, exclude);
    }
    int slash = absoluteText.lastIndexOf('/', glob);
    String root = slash <= 0 ? "/" : absoluteText.substring(0, slash);
    // The leading slash anchors the glob at the root instead of any directory below it.
    return new Source(PosixPath.of(root), List.of(absoluteText.substring(slash)), exclude);
  }

  /** Returns whether it was parsed from a glob, rather than from a directory or a file. */
  public boolean isGlob() {
    return include.size() == 1 && include.getFirst().startsWith("/");
  }

  private static int firstGlobCharacter(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (GLOB_CHARACTERS.indexOf(text.charAt(i)) >= 0) {
        return i;
      }
    }
    return -1;
  }
}
