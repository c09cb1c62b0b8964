package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.drain.DrainReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a drain has everything looked at. */
class DrainLookTest {
  /** By a clock that stands still, a wait of the watch thread would have no end. */
  @Test
  void theWatchLooksAtOnceWhenADrainAsks(@TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Path log = Files.writeString(place.log("app.log"), "one\n");
    long nanos = System.nanoTime();
    SwitchedDestination archive = SwitchedDestination.inMemory("archive");
    try (TestAgent agent =
        TestAgent.start(place.config(), archive, TestAgent.REAL_CALLS, () -> nanos)) {
      for (int round = 0; round < 50; round++) {
        DrainReport report = agent.agent().drainAndGoOn(Duration.ofMinutes(1));
        assertTrue(report.isComplete(), report::toString);
      }
      agent.awaitDelivered(log);
    }
  }
}
