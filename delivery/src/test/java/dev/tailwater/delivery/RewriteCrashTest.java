package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.sums.BlockSums;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.FaultPlan;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * An agent dies at any call of its life while a file is rewritten, and every second one has lost
 * its state before. After the next agent the archive has the file as it is.
 */
@ExtendWith(CrashTrials.class)
class RewriteCrashTest {
  private static final int STRIDE = Boolean.getBoolean("tailwater.soak") ? 1 : 12;
  private static final int BYTES = 5 * BlockSums.BLOCK_BYTES + 1234;

  @TempDir Path base;

  private TestAgent.Place begin(String name) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath().resolve(name));
    byte[] bytes = new byte[BYTES];
    new Random(3).nextBytes(bytes);
    Files.write(place.log("data"), bytes);
    return place;
  }

  /** The archive has the file, and nobody knows its checksums. */
  private TestAgent.Place beginWithoutState(String name) throws Exception {
    TestAgent.Place place = begin(name);
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(place.log("data"));
    }
    Files.move(place.state(), place.base().resolve("lost"));
    return place;
  }

  private TestAgent.Place begin(String name, boolean stateIsLost) throws Exception {
    return stateIsLost ? beginWithoutState(name) : begin(name);
  }

  /**
   * Waits until the agent has noted, durably, how the file was when it found it: what is written
   * before that is there when an agent comes that knows nothing.
   */
  private static void awaitTakenUp(TestAgent.Place place, MortalProcess process) throws Exception {
    Path file = place.log("data");
    Files.write(file, new byte[] {1}, StandardOpenOption.APPEND);
    process.awaitUnlessDead(
        () ->
            place.contents().bornAt(file.toString()).getFirst().prefix().length
                == Files.size(file));
  }

  private static boolean isDelivered(TestAgent agent, Path file) throws Exception {
    return agent.agent().status(PosixPath.of(file)).isDelivered();
  }

  private static void rewrite(Path file, int value) throws Exception {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.seek(BlockSums.BLOCK_BYTES + 7L);
      open.write(value);
      open.seek(5L * BlockSums.BLOCK_BYTES + 7L);
      open.write(value);
    }
  }

  private static void live(
      TestAgent.Place place,
      boolean stateIsLost,
      MortalProcess process,
      UnaryOperator<Destination> wrapping)
      throws Exception {
    Path file = place.log("data");
    process.live(
        () -> {
          Destination archive = place.openArchive(process.calls(), OpenIntent.WRITE);
          try (TestAgent agent =
              TestAgent.start(place.config(), wrapping.apply(archive), process.calls())) {
            if (stateIsLost) {
              awaitTakenUp(place, process);
              if (process.isDead()) {
                return;
              }
            } else {
              process.awaitUnlessDead(() -> isDelivered(agent, file));
            }
            for (int i = 1; i <= 2; i++) {
              rewrite(file, i);
              process.awaitUnlessDead(() -> isDelivered(agent, file));
            }
            rewrite(file, 3);
            if (!process.isDead()) {
              process.drainUnlessDead(agent);
            }
          }
        });
  }

  private static void assertWhole(TestAgent.Place place, String when) throws Exception {
    Path file = place.log("data");
    try (TestAgent agent = TestAgent.start(place, place.config(), TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete(), when);
      assertTrue(isDelivered(agent, file), when);
    }
    // What was delivered and not recorded, and rewritten since, may belong to an earlier stream.
    List<ArchiveContents.StreamContents> streams = place.contents().bornAt(file.toString());
    assertArrayEquals(Files.readAllBytes(file), streams.getLast().prefix(), when);
  }

  @Test
  void theArchiveHasTheFileAsItIsAfterACrashAtAnyNativeCall() throws Exception {
    TestAgent.Place counted = beginWithoutState("counting");
    MortalProcess counting = new MortalProcess(FaultPlan.none());
    live(counted, true, counting, destination -> destination);
    assertWhole(counted, "without a crash");
    CrashTrials.atEvery(
        STRIDE,
        counting.faulty().callCount(),
        call -> {
          boolean stateIsLost = call / STRIDE % 2 == 0;
          TestAgent.Place place = begin("call" + call, stateIsLost);
          MortalProcess process = new MortalProcess(FaultPlan.crashAt(call));
          live(place, stateIsLost, process, destination -> destination);
          assertWhole(place, "crash at call " + call);
        });
  }

  @Test
  void theArchiveHasTheFileAsItIsAfterACrashAtAnyDestinationCall() throws Exception {
    for (DestinationFault crash :
        List.of(DestinationFault.CRASH_BEFORE, DestinationFault.CRASH_AFTER)) {
      CrashTrials.atEach(
          8,
          call -> {
            boolean stateIsLost = call % 2 == 0;
            TestAgent.Place place = begin(crash + " " + call, stateIsLost);
            MortalProcess process = new MortalProcess(FaultPlan.none());
            live(
                place,
                stateIsLost,
                process,
                real ->
                    new DyingDestination(
                        FaultyDestination.wrap(real, DestinationFaultPlan.at(call, crash)),
                        process.faulty()));
            assertWhole(place, crash + " of destination call " + call);
          });
    }
  }

  /**
   * The crash came after an append was delivered and before that was saved. In the block of the
   * append, an earlier byte is another one when the next agent comes.
   */
  @Test
  void whatIsReplacedBeforeAnAppendThatNoCheckpointHasIsFound() throws Exception {
    TestAgent.Place place = begin("append");
    Path file = place.log("data");
    Path saved = place.base().resolve("saved");
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(file);
      place.copyState(saved);
      Files.write(file, new byte[] {1}, StandardOpenOption.APPEND);
      agent.awaitDelivered(file);
    }
    place.restoreState(saved);
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.seek(5L * BlockSums.BLOCK_BYTES + 7);
      open.write(99);
    }
    assertWhole(place, "after the crash");
  }

  /** The crash came after the delivery of the new bytes and before that was saved. */
  @Test
  void bytesThatReturnAfterACrashAreDeliveredThoughTheLastCheckpointHasThem(@TempDir Path base)
      throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Path file = place.log("data");
    byte[] bytes = new byte[8 * BlockSums.BLOCK_BYTES];
    new Random(3).nextBytes(bytes);
    Files.write(file, bytes);
    Path saved = base.resolve("saved");
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(file);
      place.copyState(saved);
      rewrite(file, 1);
      agent.awaitDelivered(file);
    }
    place.restoreState(saved);
    Files.write(file, bytes, StandardOpenOption.WRITE);
    assertWhole(place, "after the crash");
  }
}
