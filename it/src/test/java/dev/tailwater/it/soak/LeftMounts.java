package dev.tailwater.it.soak;

import dev.tailwater.posix.testkit.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What a process that was killed in the middle of a round leaves mounted. */
final class LeftMounts {
  private static final Path MOUNTS = Path.of("/proc/self/mounts");

  private LeftMounts() {}

  /** Takes them away, the last first; loop devices go with them. */
  static void unmountBelow(Path directory) throws IOException {
    List<String> below =
        Files.readAllLines(MOUNTS).stream()
            .map(line -> line.split(" ", -1)[1])
            .filter(point -> point.startsWith(directory + "/"))
            .toList();
    for (String point : below.reversed()) {
      Command.run(List.of("umount", "-l", point)).requireSuccess();
    }
  }
}
