package dev.tailwater.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The environment of a machine that has little more than a shell, its core utilities and a JDK. */
final class SlimMachine {
  /** What the scripts of the package may use; no program of procps, util-linux or findutils. */
  private static final List<String> PROGRAMS =
      List.of("sh", "cp", "cut", "ln", "mkdir", "mktemp", "mv", "readlink", "rm", "stty", "touch");

  private SlimMachine() {}

  /**
   * Variables of a process there.
   *
   * @param directory one that does not exist yet, for the names of the programs
   */
  static Map<String, String> environment(Path directory) throws IOException {
    Files.createDirectory(directory);
    for (String program : PROGRAMS) {
      Path found =
          Stream.of("/usr/bin", "/bin")
              .map(place -> Path.of(place, program))
              .filter(Files::isExecutable)
              .findFirst()
              .orElseThrow(() -> new IOException(program + " is not on this machine"));
      Files.createSymbolicLink(directory.resolve(program), found);
    }
    return Map.of("PATH", directory.toString(), "JAVA_HOME", System.getProperty("java.home"));
  }
}
