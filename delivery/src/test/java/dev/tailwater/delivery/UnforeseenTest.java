package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.risk.AtRiskBound;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.FileCalls;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What nobody foresaw is reported, whatever thread it comes up on. */
class UnforeseenTest {
  @TempDir Path base;

  /** Merging asks what the destination recommends; so does a delivery, for the merger. */
  private TestAgent startWithTroubleOn(String threads) throws IOException {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Destination real = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE);
    Destination troubled =
        (Destination)
            Proxy.newProxyInstance(
                Destination.class.getClassLoader(),
                new Class<?>[] {Destination.class},
                (_, method, arguments) -> {
                  if (method.getName().equals("capabilities")
                      && Thread.currentThread().getName().startsWith(threads)) {
                    throw new IllegalStateException("nobody foresaw this");
                  }
                  try {
                    return method.invoke(real, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    AgentConfig config =
        place.config().toBuilder()
            .maxAge(Duration.ofMillis(2))
            .goneGrace(Duration.ofMillis(50))
            .build();
    return TestAgent.start(config, troubled, TestAgent.REAL_CALLS);
  }

  private static void awaitReport(TestAgent agent) throws Exception {
    TestAgent.await(
        "it is reported",
        () -> agent.problems.stream().anyMatch(p -> p.message().contains("nobody foresaw this")));
  }

  /** A fault in the path of a sealing worker. */
  private interface Trouble {
    void happen();
  }

  /** Makes it happen once, as soon as there is something to be sealed. */
  private static final class Once {
    private final AtomicBoolean armed = new AtomicBoolean();
    private final Trouble trouble;

    Once(Trouble trouble) {
      this.trouble = trouble;
    }

    void onAWorker() {
      if (Thread.currentThread().getName().startsWith("seal-") && armed.getAndSet(false)) {
        trouble.happen();
      }
    }
  }

  private void assertIsDeliveredAllTheSame(Once trouble, TestAgent started) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    try (TestAgent agent = started) {
      agent.agent.awaitFirstScan();
      trouble.armed.set(true);
      Path log = Files.writeString(place.log("app.log"), "one\n");
      awaitReport(agent);
      agent.awaitDelivered(log);
      TestAgent.await("the problem is over", () -> agent.agent.status().problems().isEmpty());
    }
  }

  @Test
  void anErrorInASegmentIsReportedAndTheOnlyWorkerGoesOn() throws Exception {
    Once trouble =
        new Once(
            () -> {
              throw new NoClassDefFoundError("nobody foresaw this");
            });
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    FileCalls calls =
        InterceptedCalls.of(
            TestAgent.REAL_CALLS,
            called -> {
              if (InterceptedCalls.isReadOfAWorker(called)) {
                trouble.onAWorker();
              }
            });
    assertIsDeliveredAllTheSame(
        trouble, TestAgent.start(place, place.config().toBuilder().workers(1).build(), calls));
  }

  @Test
  void anExceptionBetweenTwoSegmentsIsReportedAndTheOnlyWorkerGoesOn() throws Exception {
    Once trouble =
        new Once(
            () -> {
              throw new IllegalStateException("nobody foresaw this");
            });
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    LongSupplier clock =
        () -> {
          trouble.onAWorker();
          return System.nanoTime();
        };
    assertIsDeliveredAllTheSame(
        trouble,
        TestAgent.start(
            place.config().toBuilder().workers(1).build(),
            place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE),
            TestAgent.REAL_CALLS,
            clock));
  }

  @Test
  void troubleBeforeAMergeIsReported() throws Exception {
    try (TestAgent agent = startWithTroubleOn("merge-")) {
      awaitReport(agent);
    }
  }

  @Test
  void troubleAfterADeliveryIsReportedAndTheStreamIsDescribedAllTheSame() throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Path log = Files.writeString(place.log("app.log"), "one\n");
    try (TestAgent agent = startWithTroubleOn("deliver-")) {
      awaitReport(agent);
      agent.awaitDelivered(log);
      Files.delete(log);
      TestAgent.await(
          "the archive says that it has ended",
          () ->
              place.contents().streams().stream()
                  .flatMap(stream -> stream.record().stream())
                  .anyMatch(record -> record.end().isPresent()));
    }
  }

  /** Makes the clock fail once, on a thread whose name begins so. */
  private static LongSupplier clockThatFailsOnceOn(String threads) {
    AtomicBoolean failed = new AtomicBoolean();
    return () -> {
      if (Thread.currentThread().getName().startsWith(threads) && !failed.getAndSet(true)) {
        throw new AssertionError("nobody foresaw this");
      }
      return System.nanoTime();
    };
  }

  private static void awaitTheEndOfTheProblem(TestAgent agent) throws Exception {
    TestAgent.await("the problem is over", () -> agent.agent.status().problems().isEmpty());
  }

  @Test
  void anErrorInTheWatchOfTheBoundIsReportedAndItGoesOn() throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    AtRiskBound bound = new AtRiskBound(OptionalLong.of(1 << 20), Optional.empty());
    try (TestAgent agent =
        TestAgent.start(
            place.config().toBuilder().maxAtRisk(bound).build(),
            place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE),
            TestAgent.REAL_CALLS,
            clockThatFailsOnceOn("at-risk"))) {
      awaitReport(agent);
      awaitTheEndOfTheProblem(agent);
    }
  }

  /** Between two passes. */
  @Test
  void anErrorInTheThreadForDirectoriesIsReportedAndItGoesOn() throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    AgentConfig config = place.config().toBuilder().directories(true).build();
    try (TestAgent agent =
        TestAgent.start(
            config,
            place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE),
            TestAgent.REAL_CALLS,
            clockThatFailsOnceOn("tree "))) {
      awaitReport(agent);
      assertTrue(agent.drain().isComplete()); // It waits for a last pass.
      awaitTheEndOfTheProblem(agent);
    }
  }

  /** During the only pass there is until the end. */
  @Test
  void anErrorWhileDirectoriesAreToldIsReportedAndTheyAreToldAtTheEnd() throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Files.createDirectory(place.log("app"));
    AtomicBoolean failed = new AtomicBoolean();
    FileCalls calls =
        InterceptedCalls.of(
            TestAgent.REAL_CALLS,
            _ -> {
              if (Thread.currentThread().getName().startsWith("tree ") && !failed.getAndSet(true)) {
                throw new AssertionError("nobody foresaw this");
              }
            });
    AgentConfig config = place.config().toBuilder().directories(true).build();
    try (TestAgent agent = TestAgent.start(place, config, calls)) {
      awaitReport(agent);
      assertTrue(agent.drain().isComplete());
    }
    assertTrue(
        ToldTree.read(place, List.of()).getLast().paths().contains(place.log("app").toString()));
  }
}
