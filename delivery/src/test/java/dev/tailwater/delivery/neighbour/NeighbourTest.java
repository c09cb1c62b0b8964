package dev.tailwater.delivery.neighbour;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.delivery.tempo.Tempo;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.SchedulingCalls;
import dev.tailwater.posix.linux.LinuxSchedulingCalls;
import dev.tailwater.posix.testkit.fuse.FuseFileSystem;
import dev.tailwater.posix.testkit.fuse.FuseOptions;
import dev.tailwater.posix.testkit.fuse.FuseRequest;
import dev.tailwater.posix.value.IoPriority;
import dev.tailwater.posix.value.SchedulingPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is made of the machine; its proc(5) and cgroups(7) are directories of the test. */
class NeighbourTest {
  private final SchedulingCalls real = LinuxSchedulingCalls.create();
  private Path proc;
  private Path groups;

  @BeforeEach
  void makeMachine(@TempDir Path base) throws Exception {
    proc = Files.createDirectories(base.resolve("proc"));
    groups = Files.createDirectories(base.resolve("cgroup"));
    Files.createDirectories(proc.resolve("self"));
    Files.createDirectories(proc.resolve("pressure"));
    for (Resource resource : Resource.values()) {
      Files.writeString(
          proc.resolve("pressure").resolve(resource.key()),
          "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n");
    }
    Files.writeString(proc.resolve("self/cgroup"), "0::/\n");
    Files.writeString(groups.resolve("cgroup.procs"), "");
  }

  private final Tempo tempo = new Tempo();

  private Neighbour neighbour(NeighbourSettings settings) {
    return new Neighbour(
        settings, new NeighbourEnvironment(real, proc, groups), System::nanoTime, tempo);
  }

  private void groupSessions(int process, int session) throws Exception {
    Files.createDirectories(proc.resolve("sys/kernel"));
    Files.writeString(proc.resolve("sys/kernel/sched_autogroup_enabled"), "1\n");
    Files.writeString(proc.resolve("self/autogroup"), "/autogroup-49 nice 0\n");
    Files.writeString(
        proc.resolve("self/stat"), process + " (a) b) S 1 " + process + " " + session + " 0 -1\n");
  }

  @Test
  void saysNothingWhereEverythingHasItsEffect() {
    Neighbour neighbour = neighbour(NeighbourSettings.STANDARD);
    assertEquals(List.of(), neighbour.notes());
    assertEquals("nice level 10, scheduling batch", neighbour.report().priority());
    assertEquals(List.of(), neighbour.report().yieldingTo());
  }

  @Test
  void aSessionOfItsOwnIsLoweredAndIsNotInAHurry() throws Exception {
    groupSessions(31, 31);
    try (Neighbour neighbour = neighbour(NeighbourSettings.STANDARD)) {
      Path group = proc.resolve("self/autogroup");
      assertEquals(List.of(), neighbour.notes());
      assertEquals("10", Files.readString(group));
      Tempo.Lease first = tempo.lease(Tempo.Mode.NO_RESTS);
      Tempo.Lease second = tempo.lease(Tempo.Mode.NO_RESTS);
      assertTrue(neighbour.report().suspended());
      assertEquals("0", Files.readString(group));
      first.close();
      assertEquals("0", Files.readString(group), "somebody is still in a hurry");
      second.close();
      assertEquals("10", Files.readString(group));
      assertFalse(neighbour.report().suspended());
    }
  }

  @Test
  void aSessionIsRaisedThoughTheKernelPutsOffChangesOfUnprivilegedProcesses() throws Exception {
    Optional<String> missing = FuseFileSystem.missing();
    assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
    try (FuseFileSystem fuse = FuseFileSystem.mount(FuseOptions.direct())) {
      proc = fuse.root();
      Files.createDirectory(proc.resolve("self"));
      groupSessions(31, 31);
      Files.writeString(proc.resolve("self/cgroup"), "0::/\n");
      try (Neighbour neighbour = neighbour(NeighbourSettings.STANDARD)) {
        Path group = proc.resolve("self/autogroup");
        fuse.fail(FuseRequest.WRITE, Errno.EAGAIN, 2);
        try (Tempo.Lease _ = tempo.lease(Tempo.Mode.NO_RESTS)) {
          assertEquals("0", Files.readString(group));
          fuse.fail(FuseRequest.WRITE, Errno.EAGAIN, 1000);
        }
        fuse.heal();
        String note = neighbour.notes().getLast();
        assertTrue(note.startsWith("the nice level of the session stays: "), note);
      }
    }
  }

  @Test
  void aSessionOfOthersIsLeftAloneAndThatIsSaid() throws Exception {
    groupSessions(31, 7);
    Neighbour neighbour = neighbour(NeighbourSettings.STANDARD);
    assertEquals("/autogroup-49 nice 0\n", Files.readString(proc.resolve("self/autogroup")));
    assertEquals(1, neighbour.notes().size());
    assertTrue(neighbour.notes().getFirst().contains("within its own session only"));
  }

  @Test
  void aControlGroupWithItsOwnShareOfTheProcessorIsSaid() throws Exception {
    groupSessions(31, 31);
    Files.writeString(proc.resolve("self/cgroup"), "0::/system.slice/tailwater.service\n");
    Path group = Files.createDirectories(groups.resolve("system.slice/tailwater.service"));
    Files.writeString(group.resolve("cpu.weight"), "100\n");
    Neighbour neighbour = neighbour(NeighbourSettings.STANDARD);
    assertTrue(neighbour.notes().getFirst().contains("within its own control group only"));
    assertEquals(
        "/autogroup-49 nice 0\n",
        Files.readString(proc.resolve("self/autogroup")),
        "sessions do not matter there");
  }

  @Test
  void knowsTheGroupsOfTheFirstVersionToo() throws Exception {
    Files.writeString(proc.resolve("self/cgroup"), "4:memory:/a\n3:cpu,cpuacct:/docker/b\n0::/\n");
    assertTrue(neighbour(NeighbourSettings.STANDARD).notes().getFirst().contains("control group"));
    Files.writeString(proc.resolve("self/cgroup"), "4:memory:/a\n3:cpu,cpuacct:/\n0::/\n");
    assertEquals(List.of(), neighbour(NeighbourSettings.STANDARD).notes());
    Files.delete(proc.resolve("self/cgroup"));
    assertEquals(List.of(), neighbour(NeighbourSettings.STANDARD).notes());
  }

  @Test
  void whatIsOffChangesNothingAndSaysNothing() throws Exception {
    groupSessions(31, 31);
    Files.delete(proc.resolve("pressure/cpu"));
    Neighbour neighbour = neighbour(NeighbourSettings.OFF);
    assertEquals("/autogroup-49 nice 0\n", Files.readString(proc.resolve("self/autogroup")));
    assertEquals(List.of(), neighbour.notes());
    assertEquals("normal", neighbour.report().priority());
    assertEquals(Optional.empty(), neighbour.priorities().lower());
    assertFalse(NeighbourSettings.OFF.lowersThreads());
  }

  @Test
  void aKernelWithoutPressureIsSaid() throws Exception {
    for (Resource resource : Resource.values()) {
      Files.delete(proc.resolve("pressure").resolve(resource.key()));
    }
    Neighbour neighbour = neighbour(NeighbourSettings.STANDARD);
    assertTrue(neighbour.notes().getFirst().startsWith("pressure is off: "));
    assertEquals(0, neighbour.yielding().rest(1_000_000_000, Long.MAX_VALUE));
  }

  @Test
  void thePressureOfItsOwnGroupCountsToo() throws Exception {
    Files.writeString(proc.resolve("self/cgroup"), "0::/pod\n");
    Path group = Files.createDirectories(groups.resolve("pod"));
    Path memory = group.resolve("memory.pressure");
    Files.writeString(memory, "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n");
    long[] now = {0};
    Neighbour neighbour =
        new Neighbour(
            NeighbourSettings.STANDARD,
            new NeighbourEnvironment(real, proc, groups),
            () -> now[0],
            tempo);
    now[0] = 2_000_000_000;
    Files.writeString(memory, "some avg10=0.00 avg60=0.00 avg300=0.00 total=1000000\n");
    assertEquals(List.of("memory"), neighbour.report().yieldingTo());
    assertEquals(50L, neighbour.report().pressurePercent().get("memory"));
  }

  @Test
  void lowersTheCallingThreadAndRaisesItAsFarAsItMay() throws Exception {
    PowerlessCalls powerless = new PowerlessCalls();
    NeighbourSettings settings =
        new NeighbourSettings(
            12, SchedulingPolicy.BATCH, IoPriority.IDLE, OptionalDouble.empty(), Optional.empty());
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              int own = real.nice(real.currentThread());
              int low = Math.max(own, 12);
              ThreadPriorities priorities = new ThreadPriorities(powerless, settings);
              ThreadPriorities.Lowered revocable = priorities.lowerRevocably().orElseThrow();
              assertEquals(own, real.nice(revocable.threadId()));
              assertEquals(IoPriority.IDLE, real.ioPriority(revocable.threadId()));
              assertTrue(priorities.raise(revocable));
              ThreadPriorities.Lowered lowered = priorities.lower().orElseThrow();
              assertEquals(low, real.nice(lowered.threadId()));
              assertEquals(List.of(lowered.threadId()), priorities.threadIds());
              assertEquals(low == own, priorities.raise(lowered));
              assertEquals(low, real.nice(lowered.threadId()));
              priorities.ended(lowered);
              assertEquals(List.of(), priorities.threadIds());
              assertEquals(List.of(), priorities.failures());
              return null;
            });
    Thread.ofPlatform().start(task);
    task.get();
  }
}
