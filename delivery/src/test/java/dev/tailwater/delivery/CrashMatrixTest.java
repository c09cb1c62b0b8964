package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import dev.tailwater.posix.testkit.FaultPlan;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The agent dies at every single native call and every single destination call of one delivery, and
 * another comes after it: nothing is missing, and nothing is there twice.
 */
@ExtendWith(CrashTrials.class)
class CrashMatrixTest {
  /**
   * To die after a call is to die before the next one, but for what other threads do in between:
   * every third, each time others; with {@code tailwater.soak} all.
   */
  private static final int STRIDE_AFTER = Boolean.getBoolean("tailwater.soak") ? 1 : 3;

  @TempDir Path base;

  /** One life of an agent, which ends by a crash or by itself. */
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
    try (TestAgent agent = TestAgent.start(log.place())) {
      assertTrue(agent.drain().leftBehind().isEmpty(), when + ": something is left behind");
    }
    log.assertWhole(log.place().contents(), when);
  }

  private long callsOfOneLife() throws Exception {
    RotatedLog log = RotatedLog.begin(base, "counting");
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
          RotatedLog log = RotatedLog.begin(base, name + call);
          live(log, new MortalProcess(plan.apply(call)), destination -> destination);
          assertWhole(log, name + " " + call + " of " + calls);
        });
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
    for (DestinationFault crash :
        List.of(DestinationFault.CRASH_BEFORE, DestinationFault.CRASH_AFTER)) {
      CrashTrials.atEach(
          12,
          call -> {
            RotatedLog log = RotatedLog.begin(base, crash + " " + call);
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
