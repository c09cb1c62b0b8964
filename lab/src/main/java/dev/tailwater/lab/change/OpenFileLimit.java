package dev.tailwater.lab.change;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The limit of open files of this process: proc_pid_limits(5). */
final class OpenFileLimit {
  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final String NAME = "Max open files";

  /** Descriptors for libraries, watches and other files of a JVM. */
  private static final int BESIDE = 300;

  private OpenFileLimit() {}

  /** Returns why so many files cannot be open at once, and what to do about it. */
  static Optional<String> tooLowFor(int files) throws IOException {
    return tooLowFor(files, Files.readString(LIMITS));
  }

  static Optional<String> tooLowFor(int files, String limits) {
    return limits
        .lines()
        .filter(line -> line.startsWith(NAME))
        .map(line -> line.substring(NAME.length()).strip().split(" +", 2)[0])
        .filter(soft -> !soft.equals("unlimited") && Long.parseLong(soft) < files + BESIDE)
        .map(
            soft ->
                "%d files must be open at once, and this process may have %s; allow more by ulimit -n %d"
                    .formatted(files, soft, files + BESIDE))
        .findFirst();
  }
}
