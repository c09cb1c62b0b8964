package dev.tailwater.cli.rehearse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The directory of a rehearsal, on the file system of the sources.
 *
 * @param root absolute
 */
public record RehearsalPaths(Path root) {
  private static final String PREFIX = ".tailwater-rehearsal-";

  /** Creates one below a directory. */
  public static RehearsalPaths create(Path directory) throws IOException {
    return new RehearsalPaths(Files.createTempDirectory(directory, PREFIX).toRealPath());
  }

  /** Returns those of other rehearsals in the same directory, sorted. */
  List<RehearsalPaths> others() throws IOException {
    try (Stream<Path> entries = Files.list(root.resolveSibling(""))) {
      return entries
          .filter(entry -> entry.getFileName().toString().startsWith(PREFIX))
          .filter(entry -> !entry.equals(root))
          .sorted()
          .map(RehearsalPaths::new)
          .toList();
    }
  }

  /** The file with the name of the folder at the destinations. */
  Path folder() {
    return root.resolve("folder.txt");
  }

  /** The files that are written in a scene. */
  Path files(String scene) {
    return root.resolve(scene).resolve("files");
  }

  Path state(String scene) {
    return root.resolve(scene).resolve("state");
  }

  /** The file that announces the end of the machine. */
  Path notice(String scene) {
    return root.resolve(scene).resolve("notice");
  }

  /** The file that exists while the destination cannot be reached. */
  public Path cut(String scene) {
    return root.resolve(scene).resolve("cut");
  }

  /** The output of the agents. */
  public Path output() {
    return root.resolve("output.txt");
  }
}
