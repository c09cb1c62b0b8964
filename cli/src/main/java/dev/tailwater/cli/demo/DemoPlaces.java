package dev.tailwater.cli.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The temporary directory of a demo. */
record DemoPlaces(Path root) {
  static DemoPlaces create() throws IOException {
    DemoPlaces places = new DemoPlaces(Files.createTempDirectory("tailwater-demo-").toRealPath());
    Files.createDirectory(places.logs());
    return places;
  }

  Path logs() {
    return root.resolve("logs");
  }

  Path archive() {
    return root.resolve("archive");
  }

  Path state() {
    return root.resolve("state");
  }

  Path restored() {
    return root.resolve("restored");
  }

  Path key() {
    return root.resolve("key.txt");
  }

  /** What the processes said. */
  Path output() {
    return root.resolve("output.txt");
  }

  static List<Path> filesBelow(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      return paths.filter(Files::isRegularFile).sorted().toList();
    }
  }

  static long bytesBelow(Path directory) throws IOException {
    long bytes = 0;
    for (Path file : filesBelow(directory)) {
      bytes += Files.size(file);
    }
    return bytes;
  }

  void delete() throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
