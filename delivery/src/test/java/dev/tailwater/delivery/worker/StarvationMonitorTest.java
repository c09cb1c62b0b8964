package dev.tailwater.delivery.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.neighbour.Neighbour;
import dev.tailwater.delivery.neighbour.NeighbourEnvironment;
import dev.tailwater.delivery.neighbour.NeighbourSettings;
import dev.tailwater.delivery.neighbour.PowerlessCalls;
import dev.tailwater.delivery.neighbour.ThreadPriorities.Lowered;
import dev.tailwater.delivery.tempo.Tempo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When bytes go before politeness. */
class StarvationMonitorTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Lowered WORKER = new Lowered(77, 0);

  private Path schedstat;
  private Neighbour neighbour;
  private final Tempo tempo = new Tempo();
  private StarvationMonitor starvation;
  private long nowNanos;
  private long waitedNanos;

  @BeforeEach
  void begin(@TempDir Path proc) throws Exception {
    schedstat = Files.createDirectories(proc.resolve("self/task/77")).resolve("schedstat");
    neighbour =
        new Neighbour(
            NeighbourSettings.STANDARD,
            new NeighbourEnvironment(new PowerlessCalls(), proc, proc),
            () -> nowNanos,
            tempo);
    starvation = new StarvationMonitor(neighbour, tempo, nowNanos);
  }

  private boolean look(double waitedSeconds, double lateSeconds) throws Exception {
    nowNanos += SECOND;
    waitedNanos += (long) (waitedSeconds * SECOND);
    Files.writeString(schedstat, "5 " + waitedNanos + " 3\n");
    return starvation.look(List.of(WORKER), (long) (lateSeconds * SECOND), 2 * SECOND, nowNanos);
  }

  @Test
  void bytesThatGetTooOldSinceWorkersGetNoProcessorSuspendPoliteness() throws Exception {
    assertFalse(look(0.9, 2.5));
    assertFalse(look(0.9, 3));
    assertTrue(look(0.9, 3.5));
    assertTrue(neighbour.report().suspended());
  }

  @Test
  void aWorkerThatWaitsForSomethingElseIsNotHelpedByThat() throws Exception {
    for (int i = 0; i < 20; i++) {
      assertFalse(look(0.3, 100), "it is the destination that is slow");
    }
  }

  @Test
  void aWorkerThatKeepsUpMayWaitForTheProcessor() throws Exception {
    for (int i = 0; i < 20; i++) {
      assertFalse(look(0.9, 1.9));
    }
  }

  @Test
  void politenessComesBackWhenTheyHaveKeptUpForAWhile() throws Exception {
    for (int i = 0; i < 3; i++) {
      look(1, 5);
    }
    for (int i = 0; i < 9; i++) {
      assertTrue(look(0, 0.9));
    }
    assertTrue(look(0, 1.1), "late again, so it is counted anew");
    for (int i = 0; i < 9; i++) {
      assertTrue(look(0, -1));
    }
    assertFalse(look(0, -1));
    assertFalse(neighbour.report().suspended());
    assertEquals(List.of(), neighbour.report().yieldingTo());
  }
}
