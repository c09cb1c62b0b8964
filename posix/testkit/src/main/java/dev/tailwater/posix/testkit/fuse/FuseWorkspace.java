package dev.tailwater.posix.testkit.fuse;

import dev.tailwater.posix.testkit.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The directory with the mount point, the files and the log of one server. The client and the
 * server may both clean it up, in any order, so that the one that survives does it.
 */
record FuseWorkspace(Path directory) {
  private static final Path MOUNTS = Path.of("/proc/self/mounts");

  static FuseWorkspace create(Path parent) throws IOException {
    FuseWorkspace workspace =
        new FuseWorkspace(Files.createTempDirectory(parent, "tailwater-fuse").toRealPath());
    Files.createDirectory(workspace.mountPoint());
    Files.createDirectory(workspace.files());
    return workspace;
  }

  Path mountPoint() {
    return directory.resolve("mount");
  }

  /** Returns the directory in which the server keeps the files. */
  Path files() {
    return directory.resolve("files");
  }

  Path log() {
    return directory.resolve("server.log");
  }

  boolean isMounted() throws IOException {
    String word = " " + mountPoint() + " ";
    return Files.readAllLines(MOUNTS).stream().anyMatch(line -> line.contains(word));
  }

  /**
   * Unmounts; lazily if a file is open, so that requests fail as soon as the server has ended.
   *
   * @return false if a file was open
   */
  boolean unmount() throws IOException {
    if (!isMounted()) {
      return true;
    }
    if (Command.run(List.of("fusermount3", "-u", mountPoint().toString())).succeeded()) {
      return true;
    }
    Command.Result lazy = Command.run(List.of("fusermount3", "-u", "-z", mountPoint().toString()));
    if (isMounted()) {
      throw new IOException("cannot unmount: " + lazy);
    }
    return false;
  }

  /** Deletes everything. Call {@link #unmount} first. */
  void delete() throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    List<Path> deepestFirst;
    try (Stream<Path> all = Files.walk(directory)) {
      deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : deepestFirst) {
      Files.deleteIfExists(path);
    }
  }
}
