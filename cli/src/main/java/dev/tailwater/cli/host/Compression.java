package dev.tailwater.cli.host;

import dev.tailwater.archive.ZstdLibrary;
import dev.tailwater.cli.outcome.UserException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The library for compression, which needs a directory from which code may be loaded. */
public final class Compression {
  /** Where the C library may be if the JVM's temporary directory is mounted noexec, or full. */
  private static final List<String> OTHER_DIRECTORIES = List.of("/var/tmp", "/dev/shm");

  private Compression() {}

  /**
   * Loads the library; throws what tells the user how to make that possible.
   *
   * @param last where it may be if it can be nowhere else
   */
  public static void require(Surroundings surroundings, Path... last) {
    List<Path> directories = new ArrayList<>(directories(surroundings));
    directories.addAll(List.of(last));
    try {
      ZstdLibrary.load(directories);
    } catch (IOException e) {
      throw UserException.failed(
          String.valueOf(e.getMessage()),
          "make room in one of them, mount one without noexec, or name another directory:"
              + " TAILWATER_JAVA_OPTS=-Djava.io.tmpdir=DIR");
    }
  }

  private static List<Path> directories(Surroundings surroundings) {
    Stream<Optional<String>> own =
        Stream.of(
            Optional.ofNullable(System.getProperty("java.io.tmpdir")),
            surroundings.variable("XDG_RUNTIME_DIR"),
            surroundings.variable("HOME").map(home -> home + "/.cache"));
    return Stream.concat(own.flatMap(Optional::stream), OTHER_DIRECTORIES.stream())
        .map(Path::of)
        .toList();
  }
}
