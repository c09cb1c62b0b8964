package dev.tailwater.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * The directory in which experiments write, which is removed in any case. Thread-safe: a process
 * that is stopped removes it while an experiment is running.
 */
public final class LabScratch implements AutoCloseable {
  private static final int TRIES = 5;

  private final Path directory;

  private LabScratch(Path directory) {
    this.directory = directory;
  }

  /** Creates a scratch directory in a directory on the mount to measure. */
  public static LabScratch in(Path directory) throws IOException {
    return new LabScratch(Files.createTempDirectory(directory, "tailwater-lab-"));
  }

  public Path directory() {
    return directory;
  }

  /** Creates an empty directory for an experiment. */
  Path room(String name) throws IOException {
    return Files.createDirectory(directory.resolve(name));
  }

  /** Removes everything, including files that are written meanwhile. */
  @Override
  public void close() throws IOException {
    delete(directory);
  }

  /** Removes a directory with its content, if it exists. */
  static void delete(Path directory) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        if (Files.exists(directory)) {
          Files.walkFileTree(directory, new Remover());
        }
        return;
      } catch (IOException | UncheckedIOException e) {
        // Another thread or process also removes it, or has just written a file.
        if (attempt == TRIES) {
          throw e;
        }
      }
    }
  }

  private static final class Remover extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
        throws IOException {
      if (failure != null) {
        throw failure;
      }
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
