package dev.tailwater.delivery.neighbour;

import dev.tailwater.posix.SchedulingCalls;
import dev.tailwater.posix.linux.LinuxSchedulingCalls;
import java.nio.file.Path;

/**
 * Where an agent learns what its neighbours need.
 *
 * @param calls for the scheduling of its threads
 * @param proc where proc(5) is mounted
 * @param controlGroups where cgroups(7) are mounted
 */
public record NeighbourEnvironment(SchedulingCalls calls, Path proc, Path controlGroups) {

  public static NeighbourEnvironment system() {
    return new NeighbourEnvironment(
        LinuxSchedulingCalls.create(), Path.of("/proc"), Path.of("/sys/fs/cgroup"));
  }
}
