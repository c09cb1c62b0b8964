package dev.tailwater.delivery.source;

import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.List;

/** The files to be watched: those of all sources, except the agent's own directories. */
public final class SourceSet {
  private final List<SourceFilter> sources;
  private final List<PosixPath> ownPlaces;

  /**
   * Creates a set.
   *
   * @param ownPlaces directories that the agent itself writes to; delivering those would never end
   */
  public SourceSet(List<SourceFilter> sources, List<PosixPath> ownPlaces) {
    this.sources = List.copyOf(sources);
    this.ownPlaces = List.copyOf(ownPlaces);
  }

  public List<PosixPath> roots() {
    List<PosixPath> roots = new ArrayList<>();
    for (SourceFilter source : sources) {
      boolean covered = false;
      for (SourceFilter other : sources) {
        covered |= other != source && isBelow(source.root(), other.root());
      }
      if (!covered && !roots.contains(source.root())) {
        roots.add(source.root());
      }
    }
    return roots;
  }

  private static boolean isBelow(PosixPath path, PosixPath directory) {
    return !path.equals(directory) && path.startsWith(directory);
  }

  /** Returns whether the file is to be delivered. */
  public boolean wants(PosixPath file) {
    if (isOwn(file)) {
      return false;
    }
    for (SourceFilter source : sources) {
      if (source.wants(file)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether there can be files to deliver below the directory. */
  public boolean descends(PosixPath directory) {
    return !isOwn(directory) && sources.stream().anyMatch(source -> source.descends(directory));
  }

  /** Returns whether the directory belongs to a source, with or without files to deliver. */
  public boolean hasDirectory(PosixPath directory) {
    return !isOwn(directory) && sources.stream().anyMatch(source -> source.hasDirectory(directory));
  }

  private boolean isOwn(PosixPath path) {
    for (PosixPath own : ownPlaces) { // Asked of each file: a stream would cost more than this.
      if (path.startsWith(own)) {
        return true;
      }
    }
    return false;
  }
}
