package dev.tailwater.cli.rehearse;

import dev.tailwater.cli.config.SourceSetting;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.ship.SourceText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The search for a directory in which a rehearsal can write: on the file system of the sources, but
 * not in a source.
 */
public final class RehearsalRoot {
  private RehearsalRoot() {}

  /** Returns the directory of the first source; fails with a message for the user. */
  public static Path beside(List<SourceSetting> sources, Surroundings surroundings)
      throws IOException {
    Path first = root(sources.getFirst(), surroundings);
    Path parent = first.getParent();
    if (parent == null || !Files.isDirectory(parent) || !Files.isWritable(parent)) {
      throw unusable(first, "the directory that it lies in cannot be written to");
    }
    if (Files.exists(first) && !device(first).equals(device(parent))) {
      throw unusable(first, "it is a file system of its own");
    }
    for (SourceSetting source : sources) {
      Path root = root(source, surroundings);
      if (parent.startsWith(root) && Files.isDirectory(root)) {
        throw unusable(first, "the directory that it lies in is shipped, too");
      }
    }
    return parent;
  }

  private static Path root(SourceSetting source, Surroundings surroundings) {
    return SourceText.read(source, surroundings).root().toPath();
  }

  private static Object device(Path path) throws IOException {
    return Files.getAttribute(path, "unix:dev");
  }

  private static UserException unusable(Path source, String why) {
    return UserException.usage(
        "there is no place to write beside " + source + ": " + why,
        "name a directory on the same file system that no agent ships: --dir DIR");
  }
}
