package dev.tailwater.delivery.neighbour;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The control group of this process, as far as it matters to neighbours: its pressure files, and
 * whether it has its own share of the processor.
 *
 * @param directory that of version 2; empty: there is none, or it cannot be found
 * @param sharesProcessor whether the processor is divided among groups before it is divided among
 *     threads, so that nice levels rank only the threads of this group
 * @see <a href="https://man7.org/linux/man-pages/man7/cgroups.7.html">cgroups(7)</a>
 */
record ControlGroup(Optional<Path> directory, boolean sharesProcessor) {

  /** Returns the control group of the process, by its {@code /proc/self/cgroup}. */
  static ControlGroup of(NeighbourEnvironment environment) {
    List<String> lines;
    try {
      lines = Files.readAllLines(environment.proc().resolve("self/cgroup"));
    } catch (IOException e) {
      return new ControlGroup(Optional.empty(), false); // A kernel without them.
    }
    Optional<Path> directory = Optional.empty();
    boolean shares = false;
    for (String line : lines) {
      // hierarchy:controllers:path, where version 2 has no number and no controllers
      String[] parts = line.split(":", 3);
      if (parts.length < 3) {
        continue;
      }
      String path = parts[2].replaceFirst("^/+", "");
      if (parts[1].isEmpty()) {
        directory =
            Stream.of(environment.controlGroups(), environment.controlGroups().resolve("unified"))
                .filter(mount -> Files.exists(mount.resolve("cgroup.procs")))
                .map(mount -> mount.resolve(path))
                .filter(Files::isDirectory)
                .findFirst();
      } else if (Arrays.asList(parts[1].split(",", -1)).contains("cpu")) {
        shares |= !path.isEmpty();
      }
    }
    // The root group has no weight; that of a container looks like the root, but has one.
    shares |= directory.filter(d -> Files.exists(d.resolve("cpu.weight"))).isPresent();
    return new ControlGroup(directory, shares);
  }
}
