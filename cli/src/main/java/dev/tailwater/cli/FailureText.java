package dev.tailwater.cli;

import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.posix.ErrnoException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

/** What to say of the failures that the modules below throw. */
final class FailureText {
  private FailureText() {}

  /** The message, with the kind of failure where the message alone would be a riddle. */
  static String message(Exception e) {
    return switch (e) {
      case NoSuchFileException gone -> gone.getFile() + ": no such file or directory";
      case AccessDeniedException denied -> denied.getFile() + ": permission denied";
      case FileSystemException file when file.getReason() != null ->
          file.getFile() + ": " + file.getReason();
      case RuntimeException bug -> "unexpected " + bug.getClass().getSimpleName() + text(bug);
      default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    };
  }

  /** What the user can do about it, if that is known. */
  static Optional<String> hint(Exception e) {
    return switch (e) {
      case ErrnoException call -> ErrnoHints.hint(call.errno());
      case NoSuchFileException gone -> Optional.of("check the path");
      case AccessDeniedException denied ->
          Optional.of("check who may read or write it: ls -ld PATH");
      default -> Optional.empty();
    };
  }

  static ExitCode exitCode(Exception e) {
    return ExitCode.FAILED;
  }

  private static String text(Exception e) {
    return e.getMessage() == null ? "" : ": " + e.getMessage();
  }
}
