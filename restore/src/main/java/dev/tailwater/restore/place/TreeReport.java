package dev.tailwater.restore.place;

import dev.tailwater.restore.Damage;
import java.util.List;
import java.util.Optional;

/**
 * What became of directories, symbolic links and further names of files.
 *
 * @param directories how many directories have what the archive tells, as far as the file system
 *     takes it; those that were there included
 * @param links how many symbolic links are there
 * @param furtherNames how many further names of files are there
 * @param kept how many directories were there already, and keep the modes that they have
 * @param outdated how many links, names and directories are not made, since files came to their
 *     paths after the agent had looked at them last
 * @param failed how many of all these could not be made or changed
 * @param firstFailure what was wrong first
 * @param damages what cannot be read in the archive
 */
public record TreeReport(
    long directories,
    long links,
    long furtherNames,
    long kept,
    long outdated,
    long failed,
    Optional<String> firstFailure,
    List<Damage> damages) {
  public static final TreeReport NONE =
      new TreeReport(0, 0, 0, 0, 0, 0, Optional.empty(), List.of());

  public TreeReport {
    damages = List.copyOf(damages);
  }

  /** Whether anything is not as the archive tells. */
  public boolean isPartial() {
    return failed > 0 || !damages.isEmpty();
  }
}
