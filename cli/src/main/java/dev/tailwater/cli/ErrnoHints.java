package dev.tailwater.cli;

import dev.tailwater.posix.Errno;
import java.util.Arrays;
import java.util.Optional;

/** Hints for the errors of Linux that users run into. */
final class ErrnoHints {
  private ErrnoHints() {}

  /** Returns the hint for an error of which only the text is known; empty if that is none. */
  static Optional<String> hint(String text) {
    return Arrays.stream(Errno.values())
        .filter(errno -> errno.text().equals(text))
        .findFirst()
        .flatMap(ErrnoHints::hint);
  }

  static Optional<String> hint(Errno errno) {
    return switch (errno) {
      case EACCES, EPERM -> Optional.of("check who may read or write it: ls -ld PATH");
      case ENOENT, ENAMETOOLONG -> Optional.of("check the path");
      case ENOTDIR, ELOOP -> Optional.of("check the path, and what is there: ls -ld PATH");
      case ENOSPC, EDQUOT ->
          Optional.of("make space there, then run it again: df -h PATH, df -i PATH");
      case EROFS -> Optional.of("it is mounted read-only: findmnt --target PATH");
      case EMFILE, ENFILE -> Optional.of("raise the limit of open files: ulimit -n 65536");
      default -> Optional.empty();
    };
  }
}
