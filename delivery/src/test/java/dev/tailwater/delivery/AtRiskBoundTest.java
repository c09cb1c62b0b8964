package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.SwitchedDestination.Mode;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.risk.AtRiskBound;
import dev.tailwater.delivery.risk.BoundWatch;
import dev.tailwater.delivery.risk.Limit;
import dev.tailwater.delivery.status.StatusReport;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent that is told how much may be at risk. */
class AtRiskBoundTest {
  private static final int MIB = 1 << 20;

  private final SwitchedDestination archive = SwitchedDestination.inMemory("archive");
  private TestAgent.Place place;

  @BeforeEach
  void choosePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
  }

  private AgentConfig config(AtRiskBound bound, Duration maxAge) {
    return place.config().toBuilder().maxAge(maxAge).maxAtRisk(bound).build();
  }

  private static AtRiskBound bytes(long bytes) {
    return new AtRiskBound(OptionalLong.of(bytes), Optional.empty());
  }

  private static AtRiskBound age(Duration age) {
    return new AtRiskBound(OptionalLong.empty(), Optional.of(age));
  }

  private static BoundWatch.Report report(TestAgent agent) {
    return agent.agent().status().safety().bound().orElseThrow();
  }

  private static void awaitLimit(TestAgent agent, Limit limit) throws Exception {
    TestAgent.await(
        "the limit is " + limit, () -> report(agent).limit().equals(Optional.of(limit)));
    assertTrue(
        agent.problems.stream()
            .anyMatch(
                p ->
                    p.subject().equals(BoundWatch.SUBJECT)
                        && p.message().contains(limit.reason())));
  }

  private static void awaitKept(TestAgent agent) throws Exception {
    TestAgent.await("the bound is kept again", () -> report(agent).limit().isEmpty());
    assertTrue(report(agent).exceededMillis() > 0);
    assertTrue(
        agent.agent().status().problems().stream()
            .noneMatch(p -> p.subject().equals(BoundWatch.SUBJECT)));
  }

  private void append(String name, int bytes) throws Exception {
    byte[] noise = new byte[bytes];
    new Random(bytes).nextBytes(noise);
    Files.write(place.log(name), noise, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  @Test
  void aBurstOverManyFilesIsDeliveredThoughNoneOfThemIsDue() throws Exception {
    try (TestAgent agent =
        TestAgent.start(
            config(bytes(4L * MIB), Duration.ofHours(1)), archive, TestAgent.REAL_CALLS)) {
      for (int i = 0; i < 60; i++) {
        append("log-" + i, 100_000);
      }
      TestAgent.await(
          "less than half of the bound is at risk",
          () -> agent.agent().status().progress().deliveredBytes() > 60 * 100_000 - 2L * MIB);
    }
  }

  @Test
  void aDestinationThatHangsIsTheUplink() throws Exception {
    try (TestAgent agent =
        TestAgent.start(
            config(age(Duration.ofMillis(200)), Duration.ofMillis(150)),
            archive,
            TestAgent.REAL_CALLS)) {
      archive.set(Mode.HANGING);
      append("app.log", 1_000);
      awaitLimit(agent, Limit.UPLINK);
      assertTrue(agent.agent().status().progress().oldestAtRiskMillis() >= 200);
      archive.set(Mode.UP);
      awaitKept(agent);
    }
  }

  @Test
  void aDestinationThatFailsIsNamed() throws Exception {
    try (TestAgent agent =
        TestAgent.start(
            config(bytes(100_000), Duration.ofMillis(50)), archive, TestAgent.REAL_CALLS)) {
      archive.set(Mode.DOWN);
      append("app.log", 200_000);
      awaitLimit(agent, Limit.DESTINATION);
      archive.set(Mode.UP);
      awaitKept(agent);
    }
  }

  @Test
  void workersThatAreSlowAreTheProcessor() throws Exception {
    AtomicBoolean slow = new AtomicBoolean(true);
    try (TestAgent agent =
        TestAgent.start(config(bytes(MIB), Duration.ofMillis(50)), archive, slowReads(slow))) {
      for (int i = 0; i < 30; i++) {
        append("log-" + i, 100_000);
      }
      awaitLimit(agent, Limit.CPU);
      slow.set(false);
      awaitKept(agent);
    }
  }

  @Test
  void aBoundThatIsExceededWhenTheAgentStopsDoesNotMakeTheDrainFail() throws Exception {
    try (TestAgent agent =
        TestAgent.start(
            config(bytes(100_000), Duration.ofMillis(50)), archive, TestAgent.REAL_CALLS)) {
      archive.set(Mode.TAKES_NO_SEGMENTS);
      append("app.log", 200_000);
      awaitLimit(agent, Limit.DESTINATION);
      CompletableFuture<DrainReport> drained = new CompletableFuture<>();
      Thread.ofPlatform()
          .daemon(true)
          .start(
              () -> {
                try {
                  drained.complete(agent.drain());
                } catch (InterruptedException | RuntimeException e) {
                  drained.completeExceptionally(e);
                }
              });
      // Else the agent may deliver all of it before it drains.
      TestAgent.await("it drains", () -> agent.agent().status().draining());
      archive.set(Mode.UP);
      DrainReport report = drained.get();
      assertTrue(report.isComplete(), report.toString());
      assertEquals(
          200_000, agent.agent().status().safety().lastDrain().orElseThrow().deliveredBytes());
    }
  }

  /** Makes each read take a while, as if the processor were needed elsewhere. */
  private static FileCalls slowReads(AtomicBoolean slow) {
    return FaultyFileCalls.wrap(
            TestAgent.REAL_CALLS,
            call ->
                slow.get() && call.method().startsWith("pread")
                    ? new Fault.Delay(300)
                    : Fault.PROCEED)
        .calls();
  }

  /** A worker hands them over meanwhile: they must be found either with it or on their way. */
  @Test
  void bytesAtRiskDoNotBecomeYoungerBeforeTheyAreDurable() throws Exception {
    Semaphore gate = new Semaphore(0);
    AtomicInteger puts = new AtomicInteger();
    archive.onSegment(
        () -> {
          if (Thread.currentThread().getName().startsWith("deliver-")) { // And not merging.
            puts.incrementAndGet();
            gate.acquireUninterruptibly();
          }
        });
    try (TestAgent agent =
        TestAgent.start(
            config(AtRiskBound.NONE, Duration.ofMillis(60)), archive, TestAgent.REAL_CALLS)) {
      for (int i = 0; i < 80; i++) {
        int putsBefore = puts.get();
        append("app.log", 1_000);
        long oldestMillis = 0;
        for (int more = 5; more > 0; more -= puts.get() > putsBefore ? 1 : 0) {
          StatusReport.Progress now = agent.agent().status().progress();
          assertTrue(now.oldestAtRiskMillis() >= oldestMillis, now::toString);
          oldestMillis = now.oldestAtRiskMillis();
        }
        gate.release();
        long deliveredBytes = 1_000L * (i + 1);
        TestAgent.await(
            "it is counted, and nothing is on its way, which would be older than what comes next",
            () -> {
              StatusReport.Progress now = agent.agent().status().progress();
              return now.deliveredBytes() == deliveredBytes && now.oldestAtRiskMillis() == 0;
            });
      }
    }
  }

  /** Delivers a file, and replaces its first bytes. */
  private void replaceBytes(TestAgent agent) throws Exception {
    append("app.log", 200_000);
    agent.agent().awaitFirstScan();
    assertTrue(agent.agent().drainAndGoOn(Duration.ofMinutes(1)).isComplete());
    TestAgent.await("the bound is kept", () -> report(agent).limit().isEmpty());
    try (FileChannel open = FileChannel.open(place.log("app.log"), StandardOpenOption.WRITE)) {
      open.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    }
    TestAgent.await("it is found", () -> agent.agent().status().progress().atRiskBytes() > 0);
  }

  @Test
  void bytesThatWereReplacedAndWaitHaveAnAge() throws Exception {
    try (TestAgent agent =
        TestAgent.start(
            config(age(Duration.ofMillis(200)), Duration.ofHours(1)),
            archive,
            TestAgent.REAL_CALLS)) {
      replaceBytes(agent);
      Thread.sleep(300);
      StatusReport now = agent.agent().status();
      assertTrue(now.progress().atRiskBytes() > 0);
      assertTrue(now.progress().oldestAtRiskMillis() >= 300, now::toString);
      TestAgent.await("the bound is not kept", () -> report(agent).limit().isPresent());
    }
  }

  @Test
  void bytesThatWereReplacedAndWaitCount() throws Exception {
    try (TestAgent agent =
        TestAgent.start(
            config(bytes(10_000), Duration.ofHours(1)), archive, TestAgent.REAL_CALLS)) {
      replaceBytes(agent);
      TestAgent.await("the bound is not kept", () -> report(agent).limit().isPresent());
    }
  }
}
