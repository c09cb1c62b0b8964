package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.Signing;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.testkit.DestinationCall;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.FaultPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An agent dies, or a call fails, while it makes a long segment of what a stream has gathered in
 * packs. Every byte is there, and none is there twice but what such a segment has of packs.
 */
@ExtendWith(CrashTrials.class)
class GatherCrashTest {
  /** The share of native calls that is tried, each time others; with {@code tailwater.soak} all. */
  private static final int STRIDE = Boolean.getBoolean("tailwater.soak") ? 1 : 12;

  private static final int APPEND = 200;
  private static final int APPENDS = 6;
  private static final long MERGE_TO = 600;

  @TempDir Path base;

  private static byte[] content() {
    byte[] bytes = new byte[APPENDS * APPEND];
    new Random(1).nextBytes(bytes);
    return bytes;
  }

  private static AgentConfig config(TestAgent.Place place) {
    return place.config().toBuilder()
        .packs(PackUse.ALWAYS)
        .signing(Signing.WITH_KEY_IN_STATE) // Otherwise nothing that is there twice is removed.
        .maxAge(Duration.ofMillis(2))
        .goneGrace(Duration.ZERO)
        .mergeToBytes(OptionalLong.of(MERGE_TO))
        .build();
  }

  /** Runs an agent, which ends by a crash or by itself. */
  private static final class Life {
    final TestAgent.Place place;
    final MortalProcess process;
    Optional<FaultyDestination> destination = Optional.empty();

    Life(TestAgent.Place place, FaultPlan plan) {
      this.place = place;
      this.process = new MortalProcess(plan);
    }

    void live(DestinationFaultPlan plan) throws Exception {
      process.live(
          () -> {
            Destination archive = place.openArchive(process.calls(), OpenIntent.WRITE);
            FaultyDestination wrapped = FaultyDestination.wrap(archive, plan);
            destination = Optional.of(wrapped);
            Destination dying = new DyingDestination(wrapped, process.faulty());
            try (TestAgent agent = TestAgent.start(config(place), dying, process.calls())) {
              grow(agent);
            }
          });
    }

    private void grow(TestAgent agent) throws Exception {
      Path log = place.log("app.log");
      byte[] content = content();
      while (!process.isDead() && Files.size(log) < content.length) {
        int from = (int) Files.size(log);
        Files.write(
            log, Arrays.copyOfRange(content, from, from + APPEND), StandardOpenOption.APPEND);
        process.awaitUnlessDead(() -> agent.agent.status(PosixPath.of(log)).isDelivered());
      }
      process.awaitUnlessDead(
          () ->
              agent.agent.status().destinations().getFirst().merged().gatheredSegments() > 0
                  || destination.orElseThrow().crashed());
      if (!process.isDead()) {
        process.drainUnlessDead(agent);
      }
    }
  }

  private TestAgent.Place place(String name) throws IOException {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath().resolve(name));
    Files.createFile(place.log("app.log"));
    return place;
  }

  private static void assertWhole(TestAgent.Place place, String when) throws Exception {
    byte[] content = content();
    Path log = place.log("app.log");
    int there = (int) Files.size(log);
    Files.write(log, Arrays.copyOfRange(content, there, content.length), StandardOpenOption.APPEND);
    try (TestAgent agent = TestAgent.start(place, config(place), TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().leftBehind().isEmpty(), when + ": something is left behind");
    }
    List<ArchiveContents.StreamContents> streams = place.contents().streams();
    assertEquals(1, streams.size(), when + ": streams");
    ArchiveContents.StreamContents stream = streams.getFirst();
    assertArrayEquals(content, stream.prefix(), when + ": content");
    assertFalse(stream.holdsBytesTwice(), () -> when + ": bytes are there twice: " + stream);
    assertTrue(stream.gaps.isEmpty(), when + ": gaps");
  }

  /** Runs an agent without a crash. */
  private Life counted() throws Exception {
    TestAgent.Place place = place("counted");
    Life life = new Life(place, FaultPlan.none());
    life.live(DestinationFaultPlan.none());
    List<String> methods =
        life.destination.orElseThrow().log().stream().map(DestinationCall::method).toList();
    assertTrue(methods.containsAll(List.of("beginSegment", "write", "commit")));
    assertTrue(place.contents().streams().getFirst().gatheredBytes() >= MERGE_TO);
    assertWhole(place, "without a crash");
    return life;
  }

  @ParameterizedTest
  @EnumSource(names = {"CRASH_BEFORE", "CRASH_AFTER", "FAIL_TRANSIENT", "LOSE_ANSWER"})
  void everyByteIsThereAfterACrashOrFailureAtAnyDestinationCall(DestinationFault fault)
      throws Exception {
    long calls = counted().destination.orElseThrow().callCount();
    CrashTrials.atEach(
        calls,
        call -> {
          String when = fault + " at destination call " + call;
          TestAgent.Place place = place(when);
          new Life(place, FaultPlan.none()).live(DestinationFaultPlan.at(call, fault));
          assertWhole(place, when);
        });
  }

  @Test
  void everyByteIsThereAfterACrashAtNativeCalls() throws Exception {
    long calls = counted().process.faulty().callCount();
    CrashTrials.atEvery(
        STRIDE,
        calls,
        call -> {
          String when = "before native call " + call;
          TestAgent.Place place = place(when);
          new Life(place, FaultPlan.crashAt(call)).live(DestinationFaultPlan.none());
          assertWhole(place, when);
        });
  }
}
