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
  /** Makes one below a directory. */
  public static RehearsalPaths create(Path directory) throws IOException {
    return new RehearsalPaths(
        Files.createTempDirectory(directory, ".tailwater-rehearsal-").toRealPath());
  }

  /** What is written in a scene. */
  Path files(String scene) {
    return root.resolve(scene).resolve("files");
  }

  Path state(String scene) {
    return root.resolve(scene).resolve("state");
  }

  /** Appears when the machine is to go away. */
  Path notice(String scene) {
    return root.resolve(scene).resolve("notice");
  }

  /** There as long as the network is away. */
  public Path cut(String scene) {
    return root.resolve(scene).resolve("cut");
  }

  /** What the agents said. */
  public Path output() {
    return root.resolve("output.txt");
  }
}
