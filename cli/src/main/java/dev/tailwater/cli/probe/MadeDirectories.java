package dev.tailwater.cli.probe;

import dev.tailwater.destination.ObjectKeys;
import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The directories that a destination on this machine, or a folder of it, needs and that were not
 * there before. Other destinations have none.
 */
final class MadeDirectories {
  /** Each comes before the one that it is in. */
  private final List<Path> absent;

  private MadeDirectories(List<Path> absent) {
    this.absent = absent;
  }

  /**
   * Looks which directories are missing before a destination is opened for writing.
   *
   * @param folder below the destination; its last part belongs to the caller
   */
  static MadeDirectories before(URI destination, String folder) {
    List<Path> absent = new ArrayList<>();
    String place = destination.getPath();
    if ("file".equals(destination.getScheme()) && place != null && place.indexOf('\0') < 0) {
      Path root = Path.of(place);
      Path temporary = root.resolve(ObjectKeys.RESERVED);
      if (isAbsent(temporary)) {
        absent.add(temporary);
      }
      Path path = root.resolve(folder).getParent();
      while (path != null && isAbsent(path)) {
        absent.add(path);
        path = path.getParent();
      }
    }
    return new MadeDirectories(absent);
  }

  private static boolean isAbsent(Path path) {
    return Files.notExists(path, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Removes them, except those that somebody else uses by now.
   *
   * @return why one of them stays; empty if none does for want of permission
   */
  Optional<String> remove() {
    for (Path path : absent) {
      try {
        var _ = Files.deleteIfExists(path);
      } catch (DirectoryNotEmptyException e) {
        return Optional.empty(); // Those that it is in are not empty either.
      } catch (IOException e) {
        return Optional.of("the empty directory " + path + " stays: " + e);
      }
    }
    return Optional.empty();
  }
}
