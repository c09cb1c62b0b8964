package dev.tailwater.cli.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The temporary directory of a demo. */
record DemoPaths(Path root) {
  static DemoPaths create() throws IOException {
    DemoPaths places = new DemoPaths(Files.createTempDirectory("tailwater-demo-").toRealPath());
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

  /** The output of the processes. */
  Path output() {
    return root.resolve("output.txt");
  }
}
