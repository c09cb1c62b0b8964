package dev.tailwater.lab.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Where benchmarks that run in JVMs of their own put the files that they read and write. */
public final class WorkDirectory {
  /** The system property by which the forked JVMs are told. */
  public static final String PROPERTY = "tailwater.lab.work";

  private WorkDirectory() {}

  /** The directory, which is there; the temporary one when a benchmark was started otherwise. */
  public static Path path() throws IOException {
    String stated =
        Optional.ofNullable(System.getProperty(PROPERTY))
            .orElseGet(() -> System.getProperty("java.io.tmpdir"));
    return Files.createDirectories(Path.of(stated));
  }
}
