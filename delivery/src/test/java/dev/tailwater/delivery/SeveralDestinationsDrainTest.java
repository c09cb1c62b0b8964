package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.SwitchedDestination.Mode;
import dev.tailwater.delivery.drain.DestinationDrain;
import dev.tailwater.delivery.drain.DrainReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a drain, and a run that must end, wait for where there are several destinations. */
class SeveralDestinationsDrainTest extends TwoDestinations {
  @Test
  void nobodyCountsOnABestEffortDestination() throws Exception {
    Path log = append("app.log", "one\n");
    second.set(Mode.DOWN);
    try (TestAgent agent = start(first.required(), second.bestEffort())) {
      agent.awaitDelivered(log);
      assertEquals(0, agent.agent.status().progress().atRiskBytes());
      assertEquals(4, agent.at("second").progress().atRiskBytes());
      DrainReport report = agent.drain();
      assertTrue(report.isComplete(), report.toString());
      assertTrue(report.deadlineMet());
      DestinationDrain left = report.destinations().getLast();
      assertEquals(4, left.leftBehindBytes());
      assertFalse(report.otherProblems().isEmpty());
    }
    second.set(Mode.UP);
    try (TestAgent agent = start(first.required(), second.bestEffort())) {
      agent.awaitDelivered(log, "second");
    }
    assertHolds(second, log, "one\n");
  }

  @Test
  void aDrainWaitsForABestEffortDestinationThatMakesProgress() throws Exception {
    Path log = append("app.log", "one\n");
    try (TestAgent agent = start(first.required(), second.bestEffort())) {
      DrainReport report = agent.drain();
      assertHolds(first, log, "one\n");
      if (report.totals().took().toSeconds()
          < 5) { // Else it may have been given up, on a slow machine.
        assertEquals(0, report.destinations().getLast().leftBehindBytes(), report.toString());
        assertHolds(second, log, "one\n");
      }
    }
  }

  @Test
  void aRunThatMustEndDoesNotWaitLongForABestEffortDestinationThatRefuses() throws Exception {
    Path log = append("app.log", "one\n");
    second.set(Mode.REFUSING);
    try (TestAgent agent =
        TestAgent.startOnce(place.config(), List.of(first.required(), second.bestEffort()))) {
      agent.agent.awaitFirstScan();
      DrainReport report = agent.agent.drain(Optional.empty());
      assertTrue(report.isComplete(), report.toString());
      assertEquals(4, report.destinations().getLast().leftBehindBytes());
    }
    assertHolds(first, log, "one\n");
  }

  @Test
  void aRunThatMustEndDoesNotWaitForeverForABestEffortDestinationThatHangs() throws Exception {
    Path log = append("app.log", "one\n");
    second.set(Mode.HANGING);
    try (TestAgent agent =
        TestAgent.startOnce(place.config(), List.of(first.required(), second.bestEffort()))) {
      agent.agent.awaitFirstScan();
      DrainReport report = agent.agent.drain(Optional.empty());
      assertTrue(report.isComplete(), report.toString());
    }
    assertHolds(first, log, "one\n");
  }

  @Test
  void aBestEffortDestinationThatHangsDoesNotUseUpTheDeadlineOfADrain() throws Exception {
    Path log = append("app.log", "one\n");
    second.set(Mode.HANGING);
    try (TestAgent agent = start(first.required(), second.bestEffort())) {
      agent.awaitDelivered(log);
      DrainReport report =
          assertTimeoutPreemptively(
              Duration.ofMinutes(2), () -> agent.agent.drain(Optional.of(Duration.ofHours(1))));
      assertTrue(report.isComplete(), report.toString());
      assertTrue(report.deadlineMet(), report.toString());
      assertEquals(4, report.destinations().getLast().leftBehindBytes());
    }
  }

  @Test
  void aRunThatMustEndReportsWhatARequiredDestinationRefused() throws Exception {
    append("app.log", "one\n");
    second.set(Mode.REFUSING);
    try (TestAgent agent =
        TestAgent.startOnce(place.config(), List.of(first.required(), second.required()))) {
      agent.agent.awaitFirstScan();
      DrainReport report = agent.agent.drain(Optional.empty());
      assertFalse(report.isComplete());
      assertEquals(4, report.leftBehindBytes());
      assertEquals(0, report.destinations().getFirst().leftBehindBytes());
      assertEquals(4, report.destinations().getLast().leftBehindBytes());
      assertEquals(Optional.of("second"), report.problems().getFirst().destination());
    }
  }
}
