package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.deliver.RetryPolicy;
import dev.tailwater.delivery.drain.DrainListener;
import dev.tailwater.delivery.drain.DrainPhase;
import dev.tailwater.delivery.neighbour.NeighbourEnvironment;
import dev.tailwater.delivery.neighbour.NeighbourSettings;
import dev.tailwater.delivery.neighbour.PowerlessCalls;
import dev.tailwater.delivery.neighbour.PressureLimits;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.problem.ProblemListener;
import dev.tailwater.delivery.thread.ThreadMaker;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.SchedulingCalls;
import dev.tailwater.posix.linux.LinuxSchedulingCalls;
import dev.tailwater.posix.value.IoPriority;
import dev.tailwater.posix.value.SchedulingPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole agent as a neighbour: what its threads are to the kernel, and when it rests. */
class NeighbourAgentTest {
  private static final String SEAL = "seal-[0-9]+";
  private static final String DELIVER = "deliver-[0-9]+";
  private static final int MANY = 1_000;
  private static final NeighbourSettings LOW =
      new NeighbourSettings(
          13,
          SchedulingPolicy.BATCH,
          IoPriority.bestEffort(6),
          OptionalDouble.empty(),
          Optional.empty());

  private TestAgent.Place place;
  private Path proc;
  private Set<Path> threadsBefore = Set.of();

  @BeforeEach
  void makePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    proc = place.base().resolve("proc");
    Files.createDirectories(proc.resolve("pressure"));
    threadsBefore = Set.copyOf(threads());
  }

  private Agent start(NeighbourSettings settings, SchedulingCalls calls) throws IOException {
    return start(settings, calls, place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE));
  }

  private Agent start(NeighbourSettings settings, SchedulingCalls calls, Destination archive)
      throws IOException {
    return Agent.start(
        place.config().toBuilder().neighbour(settings).build(),
        List.of(AgentDestination.only(archive)),
        RetryPolicy.forever(),
        new AgentEnvironment(
            TestAgent.REAL_CALLS,
            System::currentTimeMillis,
            System::nanoTime,
            new SecureRandom(),
            new NeighbourEnvironment(calls, proc, proc),
            ThreadMaker.platform(),
            OptionalInt.empty()),
        new ProblemListener() {
          @Override
          public void began(Problem problem) {}

          @Override
          public void ended(Problem problem) {}
        });
  }

  private static void append(Path file, String text) throws Exception {
    Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static void awaitDelivered(Agent agent, Path file) throws Exception {
    TestAgent.await(file + " is delivered", () -> agent.status(PosixPath.of(file)).isDelivered());
  }

  /** A thread of this process with fields 19 and 41 of its stat, see proc(5). */
  private record Rank(int nice, int policy) {
    static final Rank NORMAL = new Rank(ownNice(), 0);
    static final Rank BATCH = new Rank(ownNice(), 3);
    static final Rank LOWERED = new Rank(Math.max(ownNice(), 13), 3);

    /** Whoever starts the tests may have lowered or raised them. */
    private static int ownNice() {
      SchedulingCalls calls = LinuxSchedulingCalls.create();
      try {
        return calls.nice(calls.currentThread());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static List<Path> threads() throws IOException {
    try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
      return tasks.toList();
    }
  }

  private static String stat(Path task) {
    try {
      return Files.readString(task.resolve("stat"));
    } catch (IOException e) {
      return ""; // It has ended meanwhile: ENOENT, or ESRCH after the opening.
    }
  }

  /** Returns the threads that this test has made. */
  private List<Rank> ranksOf(String name) throws Exception {
    List<Rank> ranks = new ArrayList<>();
    for (Path task : threads()) {
      String stat = threadsBefore.contains(task) ? "" : stat(task);
      if (stat.matches("(?s)[0-9]+ \\(" + name + "\\) .*")) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).strip().split(" ", -1);
        ranks.add(new Rank(Integer.parseInt(fields[16]), Integer.parseInt(fields[38])));
      }
    }
    return ranks;
  }

  /** In a hurry there are as many workers as processors. */
  private void awaitRanks(String name, Rank rank, int atLeast, int atMost) throws Exception {
    TestAgent.await(
        atLeast + " to " + atMost + " threads " + name + " are " + rank,
        () -> {
          List<Rank> ranks = ranksOf(name);
          return ranks.size() >= atLeast
              && ranks.size() <= atMost
              && ranks.stream().allMatch(rank::equals);
        });
  }

  private interface Check {
    void run() throws Exception;
  }

  /** Ends the agent; checks while the drain hurries, since threads that read end with reading. */
  private static void drainAndCheck(Agent agent, Optional<Duration> deadline, Check check)
      throws Exception {
    CompletableFuture<Boolean> checked = new CompletableFuture<>();
    DrainListener listener =
        (phase, left) -> {
          if (phase == DrainPhase.HURRY) {
            try {
              check.run();
              checked.complete(true);
            } catch (Exception | AssertionError e) {
              checked.completeExceptionally(e);
            }
          }
        };
    assertTrue(agent.drain(deadline, listener).isComplete());
    assertTrue(checked.get());
  }

  private void lowersAndRaises(SchedulingCalls calls) throws Exception {
    append(place.log("app.log"), "one\n");
    try (Agent agent = start(LOW, calls)) {
      awaitDelivered(agent, place.log("app.log"));
      awaitRanks(SEAL, Rank.LOWERED, 1, 1);
      awaitRanks(DELIVER, Rank.BATCH, 2, 2);
      awaitRanks("seal-maker", Rank.NORMAL, 1, 1);
      assertTrue(agent.drainAndGoOn(Duration.ofSeconds(30)).isComplete());
      append(place.log("app.log"), "two\n");
      awaitDelivered(agent, place.log("app.log"));
      awaitRanks(SEAL, Rank.LOWERED, 1, 1);
      awaitRanks(DELIVER, Rank.BATCH, 2, 2);
      append(place.log("app.log"), "three\n");
      drainAndCheck(
          agent,
          Optional.of(Duration.ofSeconds(30)),
          () -> {
            awaitRanks(SEAL, Rank.NORMAL, 1, MANY);
            awaitRanks(DELIVER, Rank.NORMAL, 2, MANY);
          });
      assertTrue(agent.status().running().orElseThrow().neighbour().suspended());
    }
    assertEquals(
        "one\ntwo\nthree\n",
        new String(
            place.contents().bornAt(place.log("app.log").toString()).getFirst().prefix(),
            java.nio.charset.StandardCharsets.UTF_8));
  }

  @Test
  void itsThreadsAreLowUntilTheHurry() throws Exception {
    lowersAndRaises(LinuxSchedulingCalls.create());
  }

  @Test
  void withoutPrivilegeNewThreadsTakeThePlaceOfLowOnes() throws Exception {
    lowersAndRaises(new PowerlessCalls());
  }

  @Test
  void manyHurriesLeaveNoThreadsBehind() throws Exception {
    append(place.log("app.log"), "one\n");
    try (Agent agent = start(LOW, new PowerlessCalls())) {
      awaitDelivered(agent, place.log("app.log"));
      for (int i = 0; i < 10; i++) {
        assertTrue(agent.drainAndGoOn(Duration.ofSeconds(30)).isComplete());
        append(place.log("app.log"), "more\n");
        awaitDelivered(agent, place.log("app.log"));
        awaitRanks(SEAL, Rank.LOWERED, 1, 1);
      }
    }
  }

  @Test
  void aHurryHoldsNoMoreStagingThanItMay() throws Exception {
    byte[] noise = new byte[3 << 20];
    new Random(5).nextBytes(noise);
    for (int i = 0; i < 5; i++) {
      Files.write(place.log("large-" + i), noise);
      Files.write(place.log("small-" + i), Arrays.copyOf(noise, 1_000));
    }
    HoldingDestination holding = new HoldingDestination();
    try (Agent agent = start(LOW, new PowerlessCalls(), holding)) {
      TestAgent.await("something is being put", () -> holding.stagingBytes() > 0);
      assertFalse(agent.drain(Optional.of(Duration.ofSeconds(2))).isComplete());
      long mayBytes = 3L * (1 << 20) + 24 * (256 << 10);
      assertTrue(holding.stagingBytes() <= mayBytes, "staging of " + holding.stagingBytes());
      holding.open();
    }
  }

  @Test
  void aDrainWithoutDeadlineStaysPolite() throws Exception {
    append(place.log("app.log"), "one\n");
    try (Agent agent = start(LOW, new PowerlessCalls())) {
      drainAndCheck(agent, Optional.empty(), () -> awaitRanks(SEAL, Rank.LOWERED, 1, 1));
      assertFalse(agent.status().running().orElseThrow().neighbour().suspended());
    }
  }

  @Test
  void atItsProcessorLimitItRestsUntilTheHurry() throws Exception {
    PowerlessCalls calls = new PowerlessCalls();
    NeighbourSettings limited =
        new NeighbourSettings(
            0, SchedulingPolicy.NORMAL, IoPriority.NONE, OptionalDouble.of(0.5), Optional.empty());
    try (Agent agent = start(limited, calls)) {
      append(place.log("app.log"), "one\n");
      awaitDelivered(agent, place.log("app.log"));
      calls.cpuNanos.addAndGet(Duration.ofHours(1).toNanos());
      append(place.log("app.log"), "two\n");
      TestAgent.await(
          "it says so",
          () ->
              agent
                  .status()
                  .running()
                  .map(running -> running.neighbour().yieldingTo())
                  .equals(Optional.of(List.of("cpu_limit"))));
      append(place.log("app.log"), "three\n");
      assertTrue(agent.drain(Optional.of(Duration.ofSeconds(30))).isComplete());
      assertEquals(List.of(), agent.status().running().orElseThrow().neighbour().yieldingTo());
    }
  }

  private void pressure(long totalMicros) throws Exception {
    for (String resource : List.of("cpu", "io", "memory")) {
      Path file = proc.resolve("pressure").resolve(resource);
      Path next = file.resolveSibling("next");
      Files.writeString(next, "some avg10=0.00 avg60=0.00 avg300=0.00 total=" + totalMicros + "\n");
      Files.move(next, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }
  }

  @Test
  void underPressureItYieldsAndDeliversAllTheSame() throws Exception {
    pressure(0);
    NeighbourSettings yielding =
        new NeighbourSettings(
            0,
            SchedulingPolicy.NORMAL,
            IoPriority.NONE,
            OptionalDouble.empty(),
            Optional.of(new PressureLimits(0.2, PressureLimits.NEVER, 0.1)));
    try (Agent agent = start(yielding, new PowerlessCalls())) {
      long[] totalMicros = {0};
      TestAgent.await(
          "it says for whom it rests",
          () -> {
            totalMicros[0] += 10_000_000;
            pressure(totalMicros[0]);
            append(place.log("app.log"), "a line\n");
            return agent
                .status()
                .running()
                .map(running -> running.neighbour().yieldingTo())
                .equals(Optional.of(List.of("cpu", "memory")));
          });
      awaitDelivered(agent, place.log("app.log"));
      TestAgent.await(
          "all of a sudden nobody waits any more",
          () -> agent.status().running().orElseThrow().neighbour().yieldingTo().isEmpty());
    }
  }
}
