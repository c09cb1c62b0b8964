package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.deliver.RetryPolicy;
import dev.tailwater.delivery.problem.UnheardProblems;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.CrashError;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of a state that cannot be written for a while. */
class UnsavedStateTest {
  private static boolean hasTrouble(Agent agent) {
    return agent.status().problems().stream()
        .anyMatch(problem -> problem.subject().equals("state directory"));
  }

  private static void awaitDelivered(Agent agent, Path file) throws Exception {
    TestAgent.await(file + " is delivered", () -> agent.status(PosixPath.of(file)).isDelivered());
  }

  /** Two savers write to it, and what one could write says nothing of the other's rows. */
  @Test
  void theTroubleIsOverWhenEverythingIsSaved(@TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    StateTrouble trouble = new StateTrouble(place.state());
    FaultyFileCalls calls = FaultyFileCalls.wrap(TestAgent.REAL_CALLS, trouble);
    AtomicLong aheadMillis = new AtomicLong();
    Path old = Files.writeString(place.log("old.log"), "old");
    Agent agent =
        Agent.start(
            place.config(),
            place.openArchive(calls.calls(), OpenIntent.WRITE),
            RetryPolicy.forever(),
            new AgentEnvironment(
                calls.calls(),
                () -> System.currentTimeMillis() + aheadMillis.get(),
                System::nanoTime,
                new SecureRandom()),
            new UnheardProblems());
    agent.awaitFirstScan();
    awaitDelivered(agent, old);
    trouble.set(StateTrouble.Kind.FULL);
    Files.writeString(old, "more", StandardOpenOption.APPEND);
    TestAgent.await("trouble", () -> hasTrouble(agent));
    Thread.sleep(1600); // It is tried again after 0.5, 1.5 and 3.5 s.
    aheadMillis.set(11_000); // Arrivals are noted every ten seconds.
    Path fresh = Files.writeString(place.log("fresh.log"), "fresh bytes");
    awaitDelivered(agent, fresh);
    Thread.sleep(200); // Its checkpoint has failed by now, too.
    trouble.set(StateTrouble.Kind.NONE);
    TestAgent.await("the state is saved", () -> !hasTrouble(agent));
    calls.kill();
    try {
      agent.close();
    } catch (CrashError | IOException | RuntimeException dead) {
      assertTrue(calls.crashed(), dead::toString);
    }
    Files.move(fresh, place.log("renamed.log"));
    try (TestAgent next = TestAgent.start(place)) {
      assertTrue(next.drain().isComplete());
    }
    for (ArchiveContents.StreamContents stream : place.contents().streams()) {
      assertFalse(stream.holdsBytesTwice(), stream + " is there twice");
    }
  }
}
