package dev.tailwater.lab.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The directory for files of benchmarks that run in JVMs of their own. */
public final class WorkDirectory {
  /** The system property that passes it to forked JVMs. */
  public static final String PROPERTY = "tailwater.lab.work";

  private WorkDirectory() {}

  /**
   * Returns the directory, and creates it; returns the temporary directory if the lab did not start
   * the benchmark.
   */
  public static Path path() throws IOException {
    String stated =
        Optional.ofNullable(System.getProperty(PROPERTY))
            .orElseGet(() -> System.getProperty("java.io.tmpdir"));
    return Files.createDirectories(Path.of(stated));
  }
}
