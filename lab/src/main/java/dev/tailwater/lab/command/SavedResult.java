package dev.tailwater.lab.command;

import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.lab.report.ResultFile;
import dev.tailwater.lab.report.ResultFormatException;
import dev.tailwater.lab.result.LabResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A reader of saved results. */
final class SavedResult {
  private SavedResult() {}

  /**
   * Reads a result.
   *
   * @throws UserException the file does not exist, has an unknown format, or is broken
   */
  public static LabResult read(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw UserException.usage(file + ": a directory", "give a file of 'tailwater lab --json'");
    }
    try {
      return ResultFile.read(file);
    } catch (NoSuchFileException e) {
      throw UserException.usage(file + ": no such file", "check the path");
    } catch (ResultFormatException e) {
      throw UserException.usage(
          String.valueOf(e.getMessage()), "give a file of 'tailwater lab --json'");
    }
  }
}
