package dev.tailwater.cli.init;

import dev.tailwater.cli.host.DestinationText;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.OpenFlag;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The configuration that {@code tailwater init} writes.
 *
 * @param text of the file
 * @param sources how many sources were found
 * @param destination where the archive will live
 * @param isPlaceholder whether the destination must be changed first
 */
public record FirstConfiguration(
    String text, int sources, String destination, boolean isPlaceholder) {

  /**
   * Makes it.
   *
   * @param nowMillis since 1970
   * @param destination as the user gave it
   * @param file the name that the file will have
   */
  public static FirstConfiguration of(
      MachineSurvey survey,
      long nowMillis,
      FileCalls calls,
      Surroundings surroundings,
      Optional<String> destination,
      String file) {
    Findings found = survey.look(nowMillis);
    List<String> notes =
        destination.map(text -> notes(text, found, calls, surroundings)).orElse(List.of());
    ConfigText config =
        new ConfigText(found, destination.map(text -> absolute(text, surroundings)), notes, file);
    return new FirstConfiguration(
        config.text(),
        found.sources().size(),
        config.chosenDestination(),
        config.needsDestination());
  }

  /** A relative path starts in the working directory now, and in the file's directory there. */
  private static String absolute(String destination, Surroundings surroundings) {
    boolean isUri = destination.matches("[A-Za-z][A-Za-z0-9+.-]*:.*");
    return isUri ? destination : surroundings.absolute(destination).toString();
  }

  /** Returns what is known about a directory on this machine; nothing about other places. */
  private static List<String> notes(
      String destination, Findings found, FileCalls calls, Surroundings surroundings) {
    URI uri = DestinationText.parse(destination, surroundings);
    if (!"file".equals(uri.getScheme())) {
      return List.of();
    }
    PosixPath path = PosixPath.of(uri.getPath());
    Optional<Space> space = space(calls, path);
    if (space.isEmpty()) {
      return List.of();
    }
    String free = ByteSizes.forPeople(space.get().freeBytes()) + " are free there.";
    boolean same =
        found.sources().stream()
            .map(source -> space(calls, source.directory().path()))
            .flatMap(Optional::stream)
            .anyMatch(other -> other.device() == space.get().device());
    return same
        ? List.of(free, "It is on the same file system as the logs, which goes with this machine.")
        : List.of(free);
  }

  private record Space(long device, long freeBytes) {}

  /** Returns the file system of a path, or of the directory above it that exists. */
  private static Optional<Space> space(FileCalls calls, PosixPath path) {
    try {
      int fd = calls.open(FileCalls.AT_FDCWD, path, Set.of(OpenFlag.PATH), 0);
      try {
        return Optional.of(new Space(calls.fstat(fd).device(), calls.statfs(fd).availableBytes()));
      } finally {
        calls.close(fd);
      }
    } catch (ErrnoException e) {
      PosixPath parent = path.parent();
      return parent.isEmpty() || parent.equals(path) ? Optional.empty() : space(calls, parent);
    }
  }
}
