package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.route.Bandwidth;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.CrashError;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An agent with two destinations, one of which fails for a while, dies at every native call and at
 * every call of either destination; another comes after it: nothing is missing, and nothing is
 * there twice, at neither.
 */
class SeveralDestinationsCrashTest {
  private static final int LIVES_AT_ONCE = 6;
  private static final int STRIDE = Integer.getInteger("tailwater.crash.stride", 6);
  private static final List<String> ARCHIVES = List.of("archive", "archive2");
  private static final byte[] FIRST = random(1, 70_000);
  private static final byte[] SECOND = random(2, 300);

  @TempDir Path base;

  /** Threads that die with the process say so at length, hundreds of times. */
  @BeforeAll
  static void letTheDeadRest() {
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, failure) -> {
          if (!(failure instanceof CrashError)) {
            failure.printStackTrace();
          }
        });
  }

  @AfterAll
  static void reportUncaughtFailuresAgain() {
    Thread.setDefaultUncaughtExceptionHandler(null);
  }

  private static byte[] random(int seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** One life of an agent, which ends by a crash or by itself. */
  private static final class Life {
    final TestAgent.Place place;
    final FaultyFileCalls faulty;
    final List<DestinationFaultPlan> plans;

    Life(TestAgent.Place place, FaultPlan plan, List<DestinationFaultPlan> plans) {
      this.place = place;
      this.faulty = FaultyFileCalls.wrap(TestAgent.REAL_CALLS, plan);
      this.plans = plans;
    }

    /** Delivers, sees the file grow and be renamed, and drains. */
    void live() throws Exception {
      FileCalls calls = faulty.calls();
      try (TestAgent agent =
          TestAgent.start(
              new TestAgent.Tuning(place.config()).with(Duration.ofMillis(2), Duration.ZERO),
              destinations(calls),
              calls)) {
        Path log = place.log("app.log");
        awaitUnlessDead(() -> isDelivered(agent, log));
        if (Files.size(log) == FIRST.length) {
          Files.write(log, SECOND, StandardOpenOption.APPEND);
          Files.move(log, place.log("app.log.1"));
        }
        awaitUnlessDead(() -> isDelivered(agent, place.log("app.log.1")));
        if (!faulty.crashed()) {
          agent.agent.drain(Optional.of(Duration.ofSeconds(20)));
        }
      } catch (CrashError | IOException | RuntimeException e) {
        if (!faulty.crashed()) {
          throw e; // Only a crash is a reason to end early.
        }
      } finally {
        faulty.kill();
      }
    }

    private List<AgentDestination> destinations(FileCalls calls) throws IOException {
      List<AgentDestination> destinations = new ArrayList<>();
      for (int i = 0; i < ARCHIVES.size(); i++) {
        Destination real = place.openArchive(ARCHIVES.get(i), calls, OpenIntent.WRITE);
        destinations.add(
            new AgentDestination(
                ARCHIVES.get(i),
                new DyingDestination(FaultyDestination.wrap(real, plans.get(i)), faulty),
                true,
                Bandwidth.UNLIMITED));
      }
      return destinations;
    }

    private static boolean isDelivered(TestAgent agent, Path file) throws IOException {
      return Files.exists(file) && agent.agent.status(PosixPath.of(file)).isDelivered();
    }

    private void awaitUnlessDead(TestAgent.Condition condition) throws Exception {
      TestAgent.await("delivered or dead", () -> faulty.crashed() || condition.holds());
    }
  }

  /** The second destination fails twice, from the second call on. */
  private static List<DestinationFaultPlan> oneFailsForAWhile() {
    return List.of(
        DestinationFaultPlan.none(),
        DestinationFaultPlan.when(
            call -> call.number() == 2 || call.number() == 3, DestinationFault.FAIL_TRANSIENT));
  }

  private TestAgent.Place place(String name) throws IOException {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath().resolve(name));
    Files.write(place.log("app.log"), FIRST);
    return place;
  }

  private static void assertWhole(TestAgent.Place place, String when) throws Exception {
    // Whatever the first life did not do to the file is done now, so that all ends alike.
    Path log = place.log("app.log");
    if (Files.exists(log)) {
      if (Files.size(log) == FIRST.length) {
        Files.write(log, SECOND, StandardOpenOption.APPEND);
      }
      Files.move(log, place.log("app.log.1"));
    }
    Life next =
        new Life(
            place,
            FaultPlan.none(),
            List.of(DestinationFaultPlan.none(), DestinationFaultPlan.none()));
    try (TestAgent agent =
        TestAgent.start(
            place.config(), next.destinations(TestAgent.REAL_CALLS), TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().leftBehind().isEmpty(), when + ": something is left behind");
    }
    for (String archive : ARCHIVES) {
      assertWhole(place, place.contents(archive), when + ": " + archive);
    }
  }

  private static void assertWhole(TestAgent.Place place, ArchiveContents contents, String when) {
    List<ArchiveContents.StreamContents> streams = contents.streams();
    assertEquals(1, streams.size(), when + ": streams");
    ArchiveContents.StreamContents stream = streams.getFirst();
    byte[] whole = new byte[FIRST.length + SECOND.length];
    System.arraycopy(FIRST, 0, whole, 0, FIRST.length);
    System.arraycopy(SECOND, 0, whole, FIRST.length, SECOND.length);
    assertArrayEquals(whole, stream.prefix(), when + ": content");
    assertFalse(stream.holdsBytesTwice(), when + ": bytes held twice");
    assertTrue(stream.gaps.isEmpty(), when + ": gaps");
    assertEquals(
        place.log("app.log.1").toString(),
        stream.record.map(r -> r.lastPath().toString()).orElse(stream.birthPath),
        when + ": last path");
  }

  private interface Trial {
    void at(long call) throws Exception;
  }

  /** Lives have nothing in common and spend most of their time waiting. */
  private static void inParallel(long calls, Trial trial) throws Exception {
    List<Future<Void>> outcomes = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(LIVES_AT_ONCE)) {
      for (long call = 1; call <= calls; call++) {
        long number = call;
        outcomes.add(
            threads.submit(
                () -> {
                  trial.at(number);
                  return null;
                }));
      }
    }
    for (Future<Void> outcome : outcomes) {
      outcome.get();
    }
  }

  @Test
  void nothingIsMissingOrTwiceAtEitherAfterACrashAtNativeCalls() throws Exception {
    TestAgent.Place counting = place("counting");
    Life uninterrupted = new Life(counting, FaultPlan.none(), oneFailsForAWhile());
    uninterrupted.live();
    assertWhole(counting, "without a crash");
    long calls = uninterrupted.faulty.callCount();
    assertTrue(calls > 100, "two deliveries make more than " + calls + " calls");
    inParallel(
        calls / STRIDE,
        life -> {
          long call = life * STRIDE;
          TestAgent.Place place = place("call " + call);
          // After one call is before the next, but for what other threads do meanwhile.
          FaultPlan plan = life % 2 == 0 ? FaultPlan.crashAt(call) : FaultPlan.crashAfter(call);
          new Life(place, plan, oneFailsForAWhile()).live();
          assertWhole(place, "call " + call + " of " + calls);
        });
  }

  @Test
  void nothingIsMissingOrTwiceAtEitherAfterACrashAtAnyCallOfOne() throws Exception {
    for (DestinationFault crash :
        List.of(DestinationFault.CRASH_BEFORE, DestinationFault.CRASH_AFTER)) {
      for (int which = 0; which < ARCHIVES.size(); which++) {
        int dying = which;
        inParallel(
            8,
            call -> {
              TestAgent.Place place = place(crash + " " + dying + " " + call);
              List<DestinationFaultPlan> plans = new ArrayList<>(oneFailsForAWhile());
              plans.set(dying, DestinationFaultPlan.at(call, crash).or(plans.get(dying)));
              new Life(place, FaultPlan.none(), plans).live();
              assertWhole(place, crash + " of " + dying + " at " + call);
            });
      }
    }
  }
}
