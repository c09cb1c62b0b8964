package dev.tailwater.cli.child;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Temporary trees of files. */
public final class FileTree {
  private FileTree() {}

  /** Returns all regular files, sorted. */
  public static List<Path> filesBelow(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      return paths.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /** Returns the length of all files together. */
  public static long bytesBelow(Path directory) throws IOException {
    long bytes = 0;
    for (Path file : filesBelow(directory)) {
      bytes += Files.size(file);
    }
    return bytes;
  }

  /** Removes a directory with everything in it. */
  public static void delete(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
