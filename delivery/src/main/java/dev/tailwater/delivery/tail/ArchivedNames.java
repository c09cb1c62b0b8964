package dev.tailwater.delivery.tail;

import dev.tailwater.posix.PosixPath;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Under which paths files are archived, where these are not their own: as the files of a disk that
 * is attached elsewhere, or is mounted into a container. Immutable.
 */
public final class ArchivedNames {
  /** All files have their own. */
  public static final ArchivedNames OWN = new ArchivedNames(List.of());

  private final List<Moved> moved;

  /**
   * What lies below a directory is archived as if it lay below another.
   *
   * @param here absolute
   * @param there absolute
   */
  public record Moved(PosixPath here, PosixPath there) {}

  /** Where several directories contain a file, the longest counts. */
  public ArchivedNames(List<Moved> moved) {
    this.moved = List.copyOf(moved);
  }

  /** What the archive calls the file that has this path here. */
  public PosixPath archived(PosixPath here) {
    return longest(moved.stream().map(m -> new Step(m.here(), m.there())).toList(), here);
  }

  /** Where the file is here that the archive calls so, if it is anywhere. */
  public PosixPath here(PosixPath archived) {
    return longest(moved.stream().map(m -> new Step(m.there(), m.here())).toList(), archived);
  }

  private record Step(PosixPath from, PosixPath to) {}

  private static PosixPath longest(List<Step> steps, PosixPath path) {
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
    byte[] bytes = path.toBytes();
    int from = step.from().lengthBytes();
    while (from < bytes.length && bytes[from] == '/') {
      from++;
    }
    return step.to().resolve(PosixPath.of(Arrays.copyOfRange(bytes, from, bytes.length)));
  }
}
