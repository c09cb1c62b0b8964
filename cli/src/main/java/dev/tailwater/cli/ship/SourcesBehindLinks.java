package dev.tailwater.cli.ship;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.delivery.config.Source;
import dev.tailwater.posix.EscapedPath;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sources that lead to the files of other ones by symbolic links in their paths. */
final class SourcesBehindLinks {
  /** A shell makes a source of each file that a pattern matches. */
  private static final int MOST_NAMED = 3;

  private final RealPaths realPaths;
  private final Map<Path, List<Source>> byRealRoot = new HashMap<>();
  private final List<String> found = new ArrayList<>();

  SourcesBehindLinks(List<Source> sources, RealPaths realPaths) {
    this.realPaths = realPaths;
    List<Source> comparable =
        sources.stream()
            .filter(source -> !real(source).toString().contains(Surroundings.REPLACEMENT))
            .toList();
    for (Source source : comparable) {
      findAt(source); // Of two with one root, the later one finds the other.
      byRealRoot.computeIfAbsent(real(source), _ -> new ArrayList<>(1)).add(source);
    }
    for (Source source : comparable) {
      findAbove(source);
    }
  }

  private Path real(Source source) {
    return realPaths.of(source.root());
  }

  private void findAt(Source source) {
    byRealRoot.getOrDefault(real(source), List.of()).forEach(other -> compare(source, other));
  }

  private void findAbove(Source source) {
    for (Path above = real(source).getParent(); above != null; above = above.getParent()) {
      byRealRoot.getOrDefault(above, List.of()).forEach(other -> compare(source, other));
    }
  }

  private void compare(Source source, Source other) {
    if (source.root().startsWith(other.root()) || other.root().startsWith(source.root())) {
      return; // So it is meant.
    }
    found.add(
        "source "
            + EscapedPath.of(source.root())
            + " leads to files of source "
            + EscapedPath.of(other.root())
            + ": each of them is shipped under one of its two paths only, if the source of that path"
            + " includes it");
  }

  void report(PrintStream err) {
    found.stream().limit(MOST_NAMED).forEach(text -> err.println("tailwater: " + text));
    if (found.size() > MOST_NAMED) {
      err.println("tailwater: and " + (found.size() - MOST_NAMED) + " more such pairs of sources");
    }
    if (!found.isEmpty()) {
      err.println("Hint: name these files once, by the path without links");
    }
  }
}
