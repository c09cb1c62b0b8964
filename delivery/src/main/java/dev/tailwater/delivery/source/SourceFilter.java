package dev.tailwater.delivery.source;

import dev.tailwater.posix.PosixPath;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;

/**
 * The filter of one source: a directory or file, and globs over the path below it. A glob without a
 * slash matches the file's name in any directory; one with a slash matches the whole path below the
 * source. If there are includes, a file must match one; neither the file nor a directory above it
 * may match an exclude.
 */
public final class SourceFilter {
  private final PosixPath root;
  private final List<PathMatcher> includes;
  private final List<PathMatcher> excludes;
  private final List<GlobReach> reaches;

  /**
   * Creates a filter.
   *
   * @param root absolute
   * @throws java.util.regex.PatternSyntaxException when a glob is malformed
   */
  public SourceFilter(PosixPath root, List<String> includes, List<String> excludes) {
    this.root = root;
    this.includes = includes.stream().map(SourceFilter::matcher).toList();
    this.excludes = excludes.stream().map(SourceFilter::matcher).toList();
    this.reaches = includes.stream().map(GlobReach::of).toList();
  }

  private static PathMatcher matcher(String glob) {
    String whole = glob.startsWith("/") ? glob.substring(1) : glob;
    PathMatcher matcher = anyName(whole);
    if (!glob.contains("/")) {
      return path -> path.getFileName() != null && matcher.matches(path.getFileName());
    }
    if (!whole.startsWith("**/")) {
      return matcher;
    }
    // As in most tools, a leading ** also matches no directory at all.
    PathMatcher atTop = anyName(whole.substring(3));
    return path -> matcher.matches(path) || atTop.matches(path);
  }

  /** Returns a matcher whose wildcards match line terminators as well, unlike the JDK's. */
  static PathMatcher anyName(String glob) {
    PathMatcher matcher = plain(glob);
    PathMatcher onOneLine = plain(GlobText.withoutLineTerminators(glob));
    return path -> {
      if (matcher.matches(path)) { // Also for a range of characters with line terminators in it.
        return true;
      }
      String text = path.toString();
      return GlobText.hasLineTerminator(text)
          && onOneLine.matches(Path.of(GlobText.withoutLineTerminators(text)));
    };
  }

  private static PathMatcher plain(String glob) {
    return FileSystems.getDefault().getPathMatcher("glob:" + glob);
  }

  public PosixPath root() {
    return root;
  }

  /** Returns whether the file belongs to the source. */
  public boolean wants(PosixPath file) {
    if (file.equals(root)) {
      return true;
    }
    if (!file.startsWith(root)) {
      return false;
    }
    if (includes.isEmpty() && excludes.isEmpty()) {
      return true;
    }
    Path below = below(file);
    if (!includes.isEmpty() && includes.stream().noneMatch(include -> include.matches(below))) {
      return false;
    }
    return !isExcluded(below);
  }

  /** Returns whether the directory belongs to the source, with or without files. */
  boolean hasDirectory(PosixPath directory) {
    if (root.startsWith(directory)) {
      return true;
    }
    return directory.startsWith(root) && (excludes.isEmpty() || !isExcluded(below(directory)));
  }

  /** Returns whether there can be files of the source below the directory. */
  boolean descends(PosixPath directory) {
    if (!hasDirectory(directory)) {
      return false;
    }
    if (reaches.isEmpty() || root.startsWith(directory)) {
      return true;
    }
    Path below = below(directory);
    return reaches.stream().anyMatch(reach -> reach.isIn(below));
  }

  private boolean isExcluded(Path below) {
    for (Path part = below; part != null; part = part.getParent()) {
      Path path = part;
      if (excludes.stream().anyMatch(exclude -> exclude.matches(path))) {
        return true;
      }
    }
    return false;
  }

  private Path below(PosixPath path) {
    return Path.of(GlobText.of(path.below(root)));
  }
}
