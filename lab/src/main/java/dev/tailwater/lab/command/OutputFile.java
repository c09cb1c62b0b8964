package dev.tailwater.lab.command;

import dev.tailwater.cli.outcome.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * An output file that is written atomically after all measurements, and that overwrites only files
 * of the lab.
 */
final class OutputFile {
  private final Path file;

  private OutputFile(Path file) {
    this.file = file;
  }

  /** A check whether a file is of a certain kind. */
  @FunctionalInterface
  public interface Kind {
    boolean isOf(Path file) throws IOException;
  }

  /**
   * Checks before the run that the file can be written.
   *
   * @param option that names the file, for messages
   * @param force whether to overwrite any other file
   * @throws UserException the file cannot be written, or another file exists there
   */
  public static OutputFile at(String option, Path file, Kind kind, boolean force)
      throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory == null || !Files.isDirectory(directory)) {
      throw UserException.usage(
          option + " " + file + ": its directory does not exist", "make it before");
    }
    if (!Files.isWritable(directory)) {
      throw UserException.usage(
          option + " " + file + ": its directory cannot be written", "give another place");
    }
    if (Files.exists(file)) {
      if (!Files.isRegularFile(file)) {
        throw UserException.usage(option + " " + file + ": not a file", "give another name");
      }
      if (!force && !kind.isOf(file)) {
        throw UserException.usage(
            option + " " + file + ": the file exists, and the lab has not written it",
            "give another name, or --force");
      }
    }
    return new OutputFile(file);
  }

  public Path path() {
    return file;
  }

  /** Writes the file. */
  public void write(byte[] content) throws IOException {
    Path unfinished =
        file.resolveSibling("." + file.getFileName() + "." + UUID.randomUUID() + ".tmp");
    try {
      Files.write(unfinished, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(unfinished);
    }
  }
}
