package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import dev.tailwater.posix.testkit.Call;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.StoreUnavailableException;
import dev.tailwater.store.StoreWriteException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * An agent dies at every single native call and every single destination call of one delivery.
 * After the next agent nothing is missing, and nothing is in the archive twice.
 */
@ExtendWith(CrashTrials.class)
class CrashMatrixTest {
  /**
   * To die after a call is to die before the next one, but for what other threads do in between:
   * every third, each time others; with {@code tailwater.soak} all.
   */
  int strideAfter() {
    return Boolean.getBoolean("tailwater.soak") ? 1 : 3;
  }

  /**
   * The lock with its holder, the log, what the latest run was, that this one has begun, and that
   * it may make packs.
   */
  private static final int WRITES_OF_A_START = 12;

  private Path base = Path.of("/nonexistent");

  @BeforeEach
  void choosePlace(@TempDir Path directory) {
    base = directory;
  }

  /** Returns how the log travels. */
  RotatedLog.Way way() {
    return RotatedLog.Way.SEGMENTS;
  }

  /** Returns how many calls there are for each at which an agent dies. */
  int strideBefore() {
    return 1;
  }

  /** Returns how many writes to the state fail, one after the other. */
  List<Long> stateWritesThatFail() {
    return List.of(1L, 2L, 5L);
  }

  private RotatedLog begin(String name) throws IOException {
    return RotatedLog.begin(base, name, way());
  }

  /** Runs an agent, which ends by a crash or by itself. */
  private static void live(
      RotatedLog log, MortalProcess process, UnaryOperator<Destination> wrapping) throws Exception {
    process.live(
        () -> {
          Destination archive = log.place().openArchive(process.calls(), OpenIntent.WRITE);
          try (TestAgent agent =
              TestAgent.start(log.hastyConfig(), wrapping.apply(archive), process.calls())) {
            log.deliver(agent, process);
          }
        });
  }

  private static void assertWhole(RotatedLog log, String when) throws Exception {
    log.finish();
    try (TestAgent agent =
        TestAgent.start(log.place(), log.nextConfig(when), TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().leftBehind().isEmpty(), when + ": something is left behind");
    }
    log.assertWhole(log.place().contents(), when);
    log.assertTreeIsTold(when);
  }

  private long callsOfOneLife() throws Exception {
    RotatedLog log = begin("counting");
    MortalProcess process = new MortalProcess(FaultPlan.none());
    live(log, process, destination -> destination);
    assertWhole(log, "without a crash");
    return process.faulty().callCount();
  }

  private void crashAtCalls(String name, LongFunction<FaultPlan> plan, int stride)
      throws Exception {
    long calls = callsOfOneLife();
    assertTrue(calls > 50, "a delivery makes more than " + calls + " calls");
    CrashTrials.atEvery(
        stride,
        calls,
        call -> {
          RotatedLog log = begin(name + call);
          live(log, new MortalProcess(plan.apply(call)), destination -> destination);
          assertWhole(log, name + " " + call + " of " + calls);
        });
  }

  @Test
  void nothingIsMissingOrTwiceAfterACrashBeforeAnyNativeCall() throws Exception {
    crashAtCalls("before call", FaultPlan::crashAt, strideBefore());
  }

  @Test
  void nothingIsMissingOrTwiceAfterACrashAfterAnyNativeCall() throws Exception {
    crashAtCalls("after call", FaultPlan::crashAfter, strideAfter());
  }

  /** Counts the writes to the state, of which some fail. */
  private static final class FailingWrites implements FaultPlan {
    private final StateTrouble trouble;
    private final long first;
    private final long end;
    private final AtomicLong count = new AtomicLong();

    FailingWrites(RotatedLog log, long first, long howMany) {
      this.trouble = new StateTrouble(log.place().state());
      this.trouble.set(StateTrouble.Kind.FULL);
      this.first = first;
      this.end = first + howMany;
    }

    @Override
    public Fault decide(Call call) {
      Fault fault = trouble.decide(call);
      if (fault instanceof Fault.Proceed) {
        return fault;
      }
      long number = count.incrementAndGet();
      return number >= first && number < end ? fault : Fault.PROCEED;
    }
  }

  private long writesToTheStateOfOneLife() throws Exception {
    RotatedLog log = begin("counting writes");
    FailingWrites none = new FailingWrites(log, 0, 0);
    live(log, new MortalProcess(none), destination -> destination);
    return none.count.get();
  }

  /** Skips the writes of the start: an agent that cannot create its state does not start. */
  @Test
  void nothingIsMissingOrTwiceAfterStateWritesFailedForAWhileAndACleanEnd() throws Exception {
    long writes = writesToTheStateOfOneLife();
    for (long howMany : stateWritesThatFail()) {
      CrashTrials.atEach(
          writes,
          first -> {
            String name = howMany + " state writes failed from " + first;
            RotatedLog log = begin(name);
            MortalProcess process = new MortalProcess(new FailingWrites(log, first, howMany));
            try {
              live(log, process, destination -> destination);
            } catch (StoreUnavailableException
                | StoreWriteException
                | StoreFailedException notStarted) {
              assertTrue(first <= WRITES_OF_A_START, name + ": " + notStarted);
            }
            assertWhole(log, name);
          });
    }
  }

  @Test
  void nothingIsMissingOrTwiceAfterACrashAtAnyDestinationCall() throws Exception {
    for (DestinationFault crash :
        List.of(DestinationFault.CRASH_BEFORE, DestinationFault.CRASH_AFTER)) {
      CrashTrials.atEach(
          way() == RotatedLog.Way.PACKS ? 24 : 12,
          call -> {
            RotatedLog log = begin(crash + " " + call);
            MortalProcess process = new MortalProcess(FaultPlan.none());
            live(
                log,
                process,
                real ->
                    new DyingDestination(
                        FaultyDestination.wrap(real, DestinationFaultPlan.at(call, crash)),
                        process.faulty()));
            assertWhole(log, crash + " of destination call " + call);
          });
    }
  }
}
