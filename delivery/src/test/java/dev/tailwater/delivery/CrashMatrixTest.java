package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.util.function.Function;
import java.util.function.LongFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The agent dies at every single native call and every single destination call of one delivery, and
 * another comes after it: nothing is missing, and nothing is there twice.
 */
class CrashMatrixTest {
  private static final int LIVES_AT_ONCE = 6;

  /**
   * To die after a call is to die before the next one, but for what other threads do in between:
   * every third, each time others; with {@code tailwater.soak} all.
   */
  private static final int STRIDE_AFTER = Boolean.getBoolean("tailwater.soak") ? 1 : 3;

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

    Life(TestAgent.Place place, FaultPlan plan) {
      this.place = place;
      this.faulty = FaultyFileCalls.wrap(TestAgent.REAL_CALLS, plan);
    }

    /** Delivers, sees the file grow and be renamed, and drains. */
    void live(Function<Destination, Destination> wrapping) throws Exception {
      FileCalls calls = faulty.calls();
      try (TestAgent agent =
          TestAgent.start(
              new TestAgent.Tuning(place.config()).with(Duration.ofMillis(2), Duration.ZERO),
              wrapping.apply(place.openArchive(calls, OpenIntent.WRITE)),
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

    private static boolean isDelivered(TestAgent agent, Path file) throws IOException {
      return Files.exists(file) && agent.agent.status(PosixPath.of(file)).isDelivered();
    }

    private void awaitUnlessDead(TestAgent.Condition condition) throws Exception {
      TestAgent.await("delivered or dead", () -> faulty.crashed() || condition.holds());
    }
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
    try (TestAgent agent = TestAgent.start(place)) {
      assertTrue(agent.drain().leftBehind().isEmpty(), when + ": something is left behind");
    }
    List<ArchiveContents.StreamContents> streams = place.contents().streams();
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

  private long callsOfOneLife() throws Exception {
    TestAgent.Place place = place("counting");
    Life life = new Life(place, FaultPlan.none());
    life.live(destination -> destination);
    assertWhole(place, "without a crash");
    return life.faulty.callCount();
  }

  private void crashAtCalls(String name, LongFunction<FaultPlan> plan, int stride)
      throws Exception {
    long calls = callsOfOneLife();
    assertTrue(calls > 50, "a delivery makes more than " + calls + " calls");
    inParallel(
        stride == 1 ? 1 : 1 + new Random().nextInt(stride),
        calls,
        stride,
        call -> {
          TestAgent.Place place = place(name + call);
          new Life(place, plan.apply(call)).live(destination -> destination);
          assertWhole(place, name + " " + call + " of " + calls);
        });
  }

  private interface Trial {
    void at(long call) throws Exception;
  }

  /** Lives have nothing in common and spend most of their time waiting. */
  private static void inParallel(long first, long calls, int stride, Trial trial) throws Exception {
    List<Future<Void>> outcomes = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(LIVES_AT_ONCE)) {
      for (long call = first; call <= calls; call += stride) {
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
  void nothingIsMissingOrTwiceAfterACrashBeforeAnyNativeCall() throws Exception {
    crashAtCalls("before call", FaultPlan::crashAt, 1);
  }

  @Test
  void nothingIsMissingOrTwiceAfterACrashAfterAnyNativeCall() throws Exception {
    crashAtCalls("after call", FaultPlan::crashAfter, STRIDE_AFTER);
  }

  @Test
  void nothingIsMissingOrTwiceAfterACrashAtAnyDestinationCall() throws Exception {
    for (boolean after : List.of(false, true)) {
      for (long call = 1; call <= 12; call++) {
        long number = call;
        TestAgent.Place place = place("destination" + after + call);
        Life life = new Life(place, FaultPlan.none());
        life.live(
            real ->
                new DyingDestination(
                    FaultyDestination.wrap(
                        real,
                        DestinationFaultPlan.at(
                            number,
                            after ? DestinationFault.CRASH_AFTER : DestinationFault.CRASH_BEFORE)),
                    life.faulty));
        assertWhole(place, (after ? "after" : "before") + " destination call " + call);
      }
    }
  }
}
