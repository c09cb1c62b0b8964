package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.sign.SigningKey;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.Signing;
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
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An agent dies while it merges. The next agent finds every byte, and after its clean stop the
 * archive has nothing twice.
 */
@ExtendWith(CrashTrials.class)
class MergeCrashTest {
  /** The share of native calls that is tried, each time others; with {@code tailwater.soak} all. */
  private static final int STRIDE = Boolean.getBoolean("tailwater.soak") ? 1 : 6;

  private static final Signing SIGNED = Signing.with(SigningKey.generate(new SecureRandom()));

  @TempDir Path base;

  /** Where the bytes of the long segment come from. */
  enum Bytes {
    /** Frames that are in memory. */
    HELD(400, 1_000),
    /** The file. */
    READ_AGAIN(300_000, 700_000);

    final int appendBytes;
    final long mergeToBytes;

    Bytes(int appendBytes, long mergeToBytes) {
      this.appendBytes = appendBytes;
      this.mergeToBytes = mergeToBytes;
    }

    byte[] content() {
      byte[] bytes = new byte[3 * appendBytes];
      new Random(appendBytes).nextBytes(bytes);
      return bytes;
    }
  }

  /** Runs an agent, which ends by a crash or by itself. */
  private static final class Life {
    final TestAgent.Place place;
    final Bytes bytes;
    final MortalProcess process;
    Signing signing = Signing.OFF;

    /** Whether there is something to merge for certain; not what an earlier life left short. */
    final boolean begins;

    Optional<FaultyDestination> destination = Optional.empty();

    Life(TestAgent.Place place, Bytes bytes, FaultPlan plan) throws IOException {
      this.begins = Files.size(place.log("app.log")) == 0;
      this.place = place;
      this.bytes = bytes;
      this.process = new MortalProcess(plan);
    }

    Destination open(DestinationFaultPlan plan) throws IOException {
      FaultyDestination wrapped =
          FaultyDestination.wrap(place.openArchive(process.calls(), OpenIntent.WRITE), plan);
      destination = Optional.of(wrapped);
      return new DyingDestination(wrapped, process.faulty());
    }

    void live(DestinationFaultPlan plan) throws Exception {
      process.live(
          () -> {
            try (TestAgent agent = start(plan)) {
              growAndMerge(agent);
            }
          });
    }

    /** Has what is not there yet appended in three steps, and merges when there is enough. */
    private void growAndMerge(TestAgent agent) throws Exception {
      Path log = place.log("app.log");
      byte[] content = bytes.content();
      while (!process.isDead() && Files.size(log) < content.length) {
        int from = (int) Files.size(log);
        Files.write(
            log,
            Arrays.copyOfRange(content, from, from + bytes.appendBytes),
            StandardOpenOption.APPEND);
        process.awaitUnlessDead(() -> agent.agent.status(PosixPath.of(log)).isDelivered());
      }
      process.awaitUnlessDead(() -> isMerged(agent) || destination.orElseThrow().crashed());
      if (!process.isDead()) {
        process.drainUnlessDead(agent);
      }
    }

    private TestAgent start(DestinationFaultPlan plan) throws IOException {
      AgentConfig config =
          place.config().toBuilder()
              .maxAge(Duration.ofMillis(2))
              .goneGrace(Duration.ZERO)
              .signing(signing)
              .mergeToBytes(OptionalLong.of(bytes.mergeToBytes))
              .build();
      return TestAgent.start(config, open(plan), process.calls());
    }

    private boolean isMerged(TestAgent agent) {
      return !begins
          || agent.agent.status().destinations().getFirst().merged().supersededSegments() >= 2;
    }
  }

  private TestAgent.Place place(String name) throws IOException {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath().resolve(name));
    Files.createFile(place.log("app.log"));
    return place;
  }

  private static void assertWhole(TestAgent.Place place, Bytes bytes, String when)
      throws Exception {
    assertWhole(place, bytes, Signing.OFF, when);
  }

  private static void assertWhole(TestAgent.Place place, Bytes bytes, Signing signing, String when)
      throws Exception {
    byte[] content = bytes.content();
    Path log = place.log("app.log");
    int there = (int) Files.size(log);
    Files.write(log, Arrays.copyOfRange(content, there, content.length), StandardOpenOption.APPEND);
    AgentConfig config = place.config().toBuilder().signing(signing).build();
    try (TestAgent agent = TestAgent.start(place, config, TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().leftBehind().isEmpty(), when + ": something is left behind");
    }
    List<ArchiveContents.StreamContents> streams = place.contents().streams();
    assertEquals(1, streams.size(), when + ": streams");
    ArchiveContents.StreamContents stream = streams.getFirst();
    assertArrayEquals(content, stream.prefix(), when + ": content");
    assertFalse(stream.holdsBytesTwice(), () -> when + ": superseded ones are left: " + stream);
    assertTrue(stream.gaps.isEmpty(), when + ": gaps");
  }

  private static DestinationFaultPlan at(long call, boolean after) {
    return DestinationFaultPlan.at(
        call, after ? DestinationFault.CRASH_AFTER : DestinationFault.CRASH_BEFORE);
  }

  /** Runs an agent without a crash. */
  private Life counted(Bytes bytes) throws Exception {
    TestAgent.Place place = place("counted");
    Life life = new Life(place, bytes, FaultPlan.none());
    life.live(DestinationFaultPlan.none());
    List<String> methods =
        life.destination.orElseThrow().log().stream().map(DestinationCall::method).toList();
    assertTrue(methods.containsAll(List.of("beginSegment", "write", "commit", "delete")));
    assertWhole(place, bytes, "without a crash");
    return life;
  }

  @ParameterizedTest
  @EnumSource
  void everyByteIsThereOnceAfterACrashAtAnyDestinationCall(Bytes bytes) throws Exception {
    long calls = counted(bytes).destination.orElseThrow().callCount();
    for (boolean after : List.of(false, true)) {
      CrashTrials.atEach(
          calls,
          call -> {
            String when = (after ? "after" : "before") + " destination call " + call;
            TestAgent.Place place = place(when);
            new Life(place, bytes, FaultPlan.none()).live(at(call, after));
            assertWhole(place, bytes, when);
          });
    }
  }

  private void crashAtNativeCalls(String name, Bytes bytes, Function<Long, FaultPlan> plan)
      throws Exception {
    long calls = counted(bytes).process.faulty().callCount();
    CrashTrials.atEvery(
        STRIDE,
        calls,
        call -> {
          String when = name + " native call " + call;
          TestAgent.Place place = place(when);
          new Life(place, bytes, plan.apply(call)).live(DestinationFaultPlan.none());
          assertWhole(place, bytes, when);
        });
  }

  @Test
  void everyByteIsThereOnceAfterACrashBeforeNativeCalls() throws Exception {
    crashAtNativeCalls("before", Bytes.HELD, FaultPlan::crashAt);
  }

  @Test
  void everyByteIsThereOnceAfterACrashAfterNativeCallsOfOneThatReadsAgain() throws Exception {
    crashAtNativeCalls("after", Bytes.READ_AGAIN, FaultPlan::crashAfter);
  }

  /** Runs an agent that dies when the long segment exists and no short one is removed yet. */
  private TestAgent.Place superseded(String name, boolean loseState) throws Exception {
    TestAgent.Place place = place(name);
    Life life = new Life(place, Bytes.HELD, FaultPlan.none());
    life.signing = loseState ? SIGNED : Signing.OFF;
    life.live(DestinationFaultPlan.once("commit", DestinationFault.CRASH_AFTER));
    assertTrue(place.contents().streams().getFirst().holdsBytesTwice());
    if (loseState) {
      try (var files = Files.walk(place.state())) {
        for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
          Files.delete(file);
        }
      }
    }
    return place;
  }

  @Test
  void aCrashWhileCleaningUpIsCleanedUpToo() throws Exception {
    for (boolean after : List.of(false, true)) {
      CrashTrials.atEach(
          6,
          call -> {
            String when = (after ? "after" : "before") + " call of cleaning " + call;
            TestAgent.Place place = superseded(when, false);
            new Life(place, Bytes.HELD, FaultPlan.none()).live(at(call, after));
            assertWhole(place, Bytes.HELD, when);
          });
    }
  }

  /** With a key that survives the loss: whom else the long segment is of, nobody can tell. */
  @Test
  void whatIsSupersededIsRemovedThoughTheStateIsLost() throws Exception {
    assertWhole(superseded("lost", true), Bytes.HELD, SIGNED, "with a lost state");
  }
}
