package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.posix.testkit.Call;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nobody waits for a watch whose thread has ended, and everybody can see that it has. */
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

  /** In another thread, so that one that would wait for ever fails instead. */
  private static CompletableFuture<DrainReport> drain(TestAgent agent) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return agent.agent().drain(Optional.empty());
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  @Test
  void whoeverWaitsForAWatchThatFailsIsToldAndSoIsWhoeverAsksLater(@TempDir Path base)
      throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Path log = Files.writeString(place.log("app.log"), "one\n");
    SwitchedDestination archive = SwitchedDestination.inMemory("archive");
    FaultyFileCalls calls = FaultyFileCalls.wrap(TestAgent.REAL_CALLS, this::failing);
    try (TestAgent agent = TestAgent.start(place.config(), archive, calls.calls())) {
      agent.awaitDelivered(log);
      trouble.set(true);
      for (int i = 0; i < 2; i++) {
        CompletableFuture<DrainReport> drain = drain(agent);
        Throwable why =
            assertThrows(ExecutionException.class, () -> drain.get(20, TimeUnit.SECONDS))
                .getCause();
        assertInstanceOf(IllegalStateException.class, why);
        assertTrue(
            agent.agent().status().problems().stream()
                .anyMatch(p -> p.message().contains(ERROR) && p.permanent()),
            "it is a problem");
      }
    }
  }
}
