package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.route.Bandwidth;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import dev.tailwater.posix.testkit.FaultPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * An agent with two destinations, one of which fails for a while, dies at every native call and at
 * every call of either destination. After the next agent, neither destination misses anything or
 * has anything twice.
 */
@ExtendWith(CrashTrials.class)
class SeveralDestinationsCrashTest {
  private static final int STRIDE = Integer.getInteger("tailwater.crash.stride", 6);
  private static final List<String> ARCHIVES = List.of("archive", "archive2");

  @TempDir Path base;

  /** Runs an agent, which ends by a crash or by itself. */
  private static void live(RotatedLog log, MortalProcess process, List<DestinationFaultPlan> plans)
      throws Exception {
    process.live(
        () -> {
          try (TestAgent agent =
              TestAgent.start(
                  log.hastyConfig(), destinations(log, process, plans), process.calls())) {
            log.deliver(agent, process);
          }
        });
  }

  private static List<AgentDestination> destinations(
      RotatedLog log, MortalProcess process, List<DestinationFaultPlan> plans) throws IOException {
    List<AgentDestination> destinations = new ArrayList<>();
    for (int i = 0; i < ARCHIVES.size(); i++) {
      Destination real =
          log.place().openArchive(ARCHIVES.get(i), process.calls(), OpenIntent.WRITE);
      destinations.add(
          new AgentDestination(
              ARCHIVES.get(i),
              new DyingDestination(FaultyDestination.wrap(real, plans.get(i)), process.faulty()),
              true,
              Bandwidth.UNLIMITED));
    }
    return destinations;
  }

  /** The second destination fails twice, from the second call on. */
  private static List<DestinationFaultPlan> oneFailsForAWhile() {
    return List.of(
        DestinationFaultPlan.none(),
        DestinationFaultPlan.when(
            call -> call.number() == 2 || call.number() == 3, DestinationFault.FAIL_TRANSIENT));
  }

  private static void assertWhole(RotatedLog log, String when) throws Exception {
    log.finish();
    MortalProcess next = new MortalProcess(FaultPlan.none());
    List<DestinationFaultPlan> sound =
        List.of(DestinationFaultPlan.none(), DestinationFaultPlan.none());
    try (TestAgent agent =
        TestAgent.start(log.place().config(), destinations(log, next, sound), next.calls())) {
      assertTrue(agent.drain().leftBehind().isEmpty(), when + ": something is left behind");
    }
    for (String archive : ARCHIVES) {
      log.assertWhole(log.place().contents(archive), when + ": " + archive);
    }
  }

  @Test
  void nothingIsMissingOrTwiceAtEitherAfterACrashAtNativeCalls() throws Exception {
    RotatedLog counting = RotatedLog.begin(base, "counting");
    MortalProcess uninterrupted = new MortalProcess(FaultPlan.none());
    live(counting, uninterrupted, oneFailsForAWhile());
    assertWhole(counting, "without a crash");
    long calls = uninterrupted.faulty().callCount();
    assertTrue(calls > 100, "two deliveries make more than " + calls + " calls");
    CrashTrials.atEvery(
        STRIDE,
        calls,
        call -> {
          RotatedLog log = RotatedLog.begin(base, "call " + call);
          // After one call is before the next, but for what other threads do meanwhile.
          FaultPlan plan =
              call / STRIDE % 2 == 0 ? FaultPlan.crashAt(call) : FaultPlan.crashAfter(call);
          live(log, new MortalProcess(plan), oneFailsForAWhile());
          assertWhole(log, "call " + call + " of " + calls);
        });
  }

  @Test
  void nothingIsMissingOrTwiceAtEitherAfterACrashAtAnyCallOfOne() throws Exception {
    for (DestinationFault crash :
        List.of(DestinationFault.CRASH_BEFORE, DestinationFault.CRASH_AFTER)) {
      for (int which = 0; which < ARCHIVES.size(); which++) {
        int dying = which;
        CrashTrials.atEach(
            8,
            call -> {
              RotatedLog log = RotatedLog.begin(base, crash + " " + dying + " " + call);
              List<DestinationFaultPlan> plans = new ArrayList<>(oneFailsForAWhile());
              plans.set(dying, DestinationFaultPlan.at(call, crash).or(plans.get(dying)));
              live(log, new MortalProcess(FaultPlan.none()), plans);
              assertWhole(log, crash + " of " + dying + " at " + call);
            });
      }
    }
  }
}
