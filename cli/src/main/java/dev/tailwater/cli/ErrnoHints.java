package dev.tailwater.cli;

import dev.tailwater.posix.Errno;
import java.util.Optional;

/** Hints for the errors of Linux that users run into. */
final class ErrnoHints {
  private ErrnoHints() {}

  static Optional<String> hint(Errno errno) {
    return switch (errno) {
      case EACCES, EPERM -> Optional.of("check who may read or write it: ls -ld PATH");
      case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG -> Optional.of("check the path");
      case ENOSPC, EDQUOT -> Optional.of("make space there, then run it again: df -h PATH");
      case EROFS -> Optional.of("it is mounted read-only: findmnt --target PATH");
      case EMFILE, ENFILE -> Optional.of("raise the limit of open files: ulimit -n 65536");
      default -> Optional.empty();
    };
  }
}
