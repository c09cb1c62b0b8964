package dev.tailwater.bench.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Where benchmarks put the files that they read and write: {@code --work} of {@code bench jmh}. */
public final class WorkDirectory {
  /** The system property by which the forked JVMs are told. */
  public static final String PROPERTY = "tailwater.bench.work";

  private WorkDirectory() {}

  /** The directory, which is there; the temporary one when a benchmark was started otherwise. */
  public static Path path() throws IOException {
    String stated =
        Optional.ofNullable(System.getProperty(PROPERTY))
            .orElseGet(() -> System.getProperty("java.io.tmpdir"));
    return Files.createDirectories(Path.of(stated));
  }
}
