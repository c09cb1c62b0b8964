package dev.tailwater.io.watch;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A file system that goes and comes back at the same place. */
record Remounting(Path image, Path root) {
  /** An ext4 that is mounted; {@link #unmount} it at the end. */
  static Remounting ext4(Path image, Path root) throws Exception {
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(16L << 20);
    }
    Files.createDirectories(root);
    Remounting made = new Remounting(image, root);
    assumeTrue(Files.exists(Path.of("/usr/sbin/mkfs.ext4")), "mkfs.ext4 is not installed");
    run("/usr/sbin/mkfs.ext4", "-q", "-F", image.toString());
    made.mount();
    return made;
  }

  void mount() throws Exception {
    run("mount", "-o", "loop", image.toString(), root.toString());
  }

  void unmount() throws Exception {
    run("umount", root.toString());
  }

  static void run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(List.of(command) + ": " + output);
    }
  }
}
