package dev.tailwater.posix.testkit.fuse;

import dev.tailwater.posix.testkit.Command;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The requirements of a FUSE mount on this machine. */
final class FuseLibrary {
  private static final Path DEVICE = Path.of("/dev/fuse");
  private static final List<String> DIRECTORIES =
      List.of(
          "/usr/lib/x86_64-linux-gnu",
          "/usr/lib/aarch64-linux-gnu",
          "/lib/x86_64-linux-gnu",
          "/lib/aarch64-linux-gnu",
          "/usr/lib64",
          "/usr/lib");

  /** The ABI of libfuse 3.17, which Debian 13 has, begins as that of the versions before it. */
  private static final List<String> NAMES = List.of("libfuse3.so.3", "libfuse3.so.4");

  private FuseLibrary() {}

  /** Returns the path of the library, which is in a directory of the architecture. */
  static Optional<Path> path() {
    Stream<Path> places =
        DIRECTORIES.stream()
            .flatMap(directory -> NAMES.stream().map(name -> Path.of(directory, name)));
    return places.filter(Files::exists).findFirst();
  }

  /** Returns why nothing can be mounted, in words; empty if mounting should work. */
  static Optional<String> missing() {
    if (path().isEmpty()) {
      return Optional.of("libfuse3 is not installed (Debian: fuse3)");
    }
    if (!Command.exists("fusermount3")) {
      return Optional.of("fusermount3 is not installed (Debian: fuse3)");
    }
    try (RandomAccessFile device = new RandomAccessFile(DEVICE.toFile(), "rw")) {
      return device.getFD().valid() ? Optional.empty() : Optional.of(DEVICE + " is not open");
    } catch (IOException e) {
      return Optional.of("this process may not use FUSE: " + e.getMessage());
    }
  }
}
