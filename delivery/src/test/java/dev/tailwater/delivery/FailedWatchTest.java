package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.posix.testkit.Call;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A watch that fails is a problem; nobody waits for it in vain, and it goes on when it can. */
class FailedWatchTest {
  private static final String ERROR = "no memory, says a test";

  private final AtomicBoolean trouble = new AtomicBoolean();

  /** A drain makes the watch look at every file, which is what fails. */
  private Fault failing(Call call) {
    if (trouble.get() && call.is("fstat") && Thread.currentThread().getName().equals("watch")) {
      throw new OutOfMemoryError(ERROR);
    }
    return Fault.PROCEED;
  }

  @Test
  void aDrainWithoutAWatchSaysSoAndTheWatchGoesOnWhenItCan(@TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Path log = Files.writeString(place.log("app.log"), "one\n");
    SwitchedDestination archive = SwitchedDestination.inMemory("archive");
    FaultyFileCalls calls = FaultyFileCalls.wrap(TestAgent.REAL_CALLS, this::failing);
    try (TestAgent agent = TestAgent.start(place.config(), archive, calls.calls())) {
      agent.awaitDelivered(log);
      trouble.set(true);
      DrainReport blind = agent.agent().drainAndGoOn(Duration.ofMinutes(1));
      assertFalse(blind.isComplete(), blind::toString);
      assertTrue(
          blind.problems().stream().anyMatch(p -> p.message().contains(ERROR)), blind::toString);
      trouble.set(false);
      Path later = Files.writeString(place.log("later.log"), "two\n");
      agent.awaitDelivered(later);
      DrainReport report = agent.drain();
      assertTrue(report.isComplete(), report::toString);
    }
  }

  @Test
  void aLastDrainWithoutAWatchLeavesARecord(@TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Path log = Files.writeString(place.log("app.log"), "one\n");
    SwitchedDestination archive = SwitchedDestination.inMemory("archive");
    FaultyFileCalls calls = FaultyFileCalls.wrap(TestAgent.REAL_CALLS, this::failing);
    try (TestAgent agent = TestAgent.start(place.config(), archive, calls.calls())) {
      agent.awaitDelivered(log);
      trouble.set(true);
      DrainReport report = agent.agent().drain(Optional.empty());
      assertFalse(report.isComplete(), report::toString);
      assertTrue(archive.leftBehind().orElseThrow().contains("\"complete\":[]"));
    }
  }
}
