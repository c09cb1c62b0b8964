package dev.tailwater.cli.rehearse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The directory of a rehearsal, on the file system of the sources.
 *
 * @param root absolute
 */
public record RehearsalPaths(Path root) {
  /** Creates one below a directory. */
  public static RehearsalPaths create(Path directory) throws IOException {
    return new RehearsalPaths(
        Files.createTempDirectory(directory, ".tailwater-rehearsal-").toRealPath());
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
