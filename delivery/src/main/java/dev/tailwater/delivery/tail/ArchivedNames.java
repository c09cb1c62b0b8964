package dev.tailwater.delivery.tail;

import dev.tailwater.posix.PosixPath;
import java.util.List;
import java.util.Optional;

/**
 * The paths under which files are archived, if these are not their own: for example the files of a
 * disk that is attached elsewhere, or is mounted into a container. Immutable.
 */
public final class ArchivedNames {
  /** Every file is archived under its own path. */
  public static final ArchivedNames OWN = new ArchivedNames(List.of());

  private final List<Step> toArchive;
  private final List<Step> fromArchive;

  /**
   * A directory whose files are archived as if they were in another.
   *
   * @param here the directory; absolute
   * @param there the other directory; absolute
   */
  public record Moved(PosixPath here, PosixPath there) {}

  /** Creates the mapping; of several directories that contain a file, the longest counts. */
  public ArchivedNames(List<Moved> moved) {
    this.toArchive = moved.stream().map(m -> new Step(m.here(), m.there())).toList();
    this.fromArchive = moved.stream().map(m -> new Step(m.there(), m.here())).toList();
  }

  /** Returns the path in the archive of the file with this path. */
  public PosixPath archived(PosixPath here) {
    return longest(toArchive, here);
  }

  /** Returns where the file with this path in the archive is, if it exists. */
  public PosixPath here(PosixPath archived) {
    return longest(fromArchive, archived);
  }

  private record Step(PosixPath from, PosixPath to) {}

  private static PosixPath longest(List<Step> steps, PosixPath path) {
    if (steps.isEmpty()) {
      return path;
    }
    Optional<Step> best = Optional.empty();
    for (Step step : steps) {
      boolean longer =
          best.isEmpty() || step.from().lengthBytes() > best.get().from().lengthBytes();
      if (longer && path.startsWith(step.from())) {
        best = Optional.of(step);
      }
    }
    return best.map(step -> replaced(path, step)).orElse(path);
  }

  private static PosixPath replaced(PosixPath path, Step step) {
    if (path.lengthBytes() == step.from().lengthBytes()) {
      return step.to();
    }
    return step.to().resolve(path.below(step.from()));
  }
}
