package dev.tailwater.cli.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import dev.tailwater.destination.testkit.InMemoryDestination;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThroughputStepTest {
  private static final ProbePlan THREE_SEGMENTS =
      new ProbePlan(false, 24L << 20, Duration.ofMinutes(1), 1, InstantSource.system());

  private final InMemoryDestination real = InMemoryDestination.create();

  private ThroughputStep step(DestinationFaultPlan plan) throws InterruptedException {
    ThroughputStep step = new ThroughputStep(FaultyDestination.wrap(real, plan), THREE_SEGMENTS);
    step.run(1);
    return step;
  }

  @Test
  void triesAPutAgainThatFailedForAMoment() throws Exception {
    ThroughputStep step = step(DestinationFaultPlan.at(2, DestinationFault.FAIL_TRANSIENT));
    assertEquals(3L * ProbePlan.SEGMENT_BYTES, step.results().getFirst().bytes());
    assertEquals(3, real.snapshot().size());
    assertEquals(Verdict.OK, step.findings().getFirst().verdict());
  }

  @Test
  void knowsNothingOfAThroughputWhenEveryPutFails() throws Exception {
    ThroughputStep step =
        step(DestinationFaultPlan.when(call -> true, DestinationFault.FAIL_TRANSIENT));
    assertEquals(List.of(), step.results());
    assertEquals(Verdict.UNKNOWN, step.findings().getFirst().verdict());
  }
}
