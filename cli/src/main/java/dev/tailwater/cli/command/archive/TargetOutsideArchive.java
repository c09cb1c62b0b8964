package dev.tailwater.cli.command.archive;

import dev.tailwater.cli.host.DestinationText;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.UserException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** The check that a restore does not write into the archive that it reads. */
final class TargetOutsideArchive {
  private TargetOutsideArchive() {}

  /**
   * Checks the arguments of a restore.
   *
   * @throws UserException the archive is a directory, and the target is it or inside it
   */
  static void check(String destination, String target, Surroundings surroundings)
      throws IOException {
    URI uri = DestinationText.parse(destination, surroundings);
    if (!"file".equals(uri.getScheme())) {
      return;
    }
    Path archive = real(Path.of(uri.getPath()));
    if (real(surroundings.absolute(target)).startsWith(archive)) {
      throw UserException.usage(
          "the directory " + target + " is in the archive, which a restore must not change",
          "restore into a directory outside of " + archive);
    }
  }

  /** Follows the links of what is there of a path. */
  private static Path real(Path path) throws IOException {
    Path parent = path.getParent();
    if (Files.exists(path) || parent == null) {
      return path.toRealPath();
    }
    return real(parent).resolve(path.getFileName());
  }
}
