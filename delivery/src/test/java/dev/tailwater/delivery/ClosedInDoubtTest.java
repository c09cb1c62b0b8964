package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.InterceptedDestination;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.testkit.InMemoryDestination;
import dev.tailwater.posix.testkit.CrashError;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** An agent is closed in order before it could ask what the one before, which was killed, sent. */
@ExtendWith(CrashTrials.class)
class ClosedInDoubtTest {
  private static final int LENGTH_BYTES = 1000;

  private final InMemoryDestination archive = InMemoryDestination.create();

  /** Lists packs and receipts, and nothing of files as long as a test says. */
  private static final class Reticent extends InterceptedDestination {
    private final AtomicInteger refused = new AtomicInteger();
    private volatile boolean refuses;

    Reticent(Destination real) {
      super(real);
    }

    @Override
    protected <T> T around(Operation operation, String key, Call<T> call)
        throws DestinationException {
      if (refuses && operation == Operation.LIST && key.contains("app.log")) {
        refused.incrementAndGet();
        throw new TransientDestinationException(uri(), "list", key, "busy", "A test did this.");
      }
      return call.run();
    }
  }

  private static void append(Path log) throws IOException {
    Files.write(log, new byte[LENGTH_BYTES], StandardOpenOption.APPEND);
  }

  private static void kill(TestAgent agent, FaultyFileCalls calls) throws IOException {
    calls.kill();
    try {
      agent.close();
    } catch (CrashError | IOException | RuntimeException e) {
      // It is dead.
    }
  }

  @Test
  void theNextOneAsksStill(@TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Path log = Files.createFile(place.log("app.log"));
    Reticent destination = new Reticent(archive);
    List<AgentDestination> destinations = List.of(AgentDestination.only(destination));
    StateTrouble trouble = new StateTrouble(place.state());
    FaultyFileCalls calls = FaultyFileCalls.wrap(TestAgent.REAL_CALLS, trouble);

    TestAgent killed = TestAgent.start(place.config(), destinations, calls.calls());
    append(log);
    assertTrue(killed.agent().drainAndGoOn(Duration.ofSeconds(60)).isComplete());
    trouble.set(StateTrouble.Kind.FULL); // What is sent from now on, no checkpoint knows.
    append(log);
    assertTrue(killed.agent().drainAndGoOn(Duration.ofSeconds(60)).isComplete());
    kill(killed, calls);

    destination.refuses = true;
    append(log);
    try (TestAgent _ = TestAgent.start(place.config(), destinations, TestAgent.REAL_CALLS)) {
      TestAgent.await("it has asked", () -> destination.refused.get() > 0);
    }

    destination.refuses = false;
    try (TestAgent next = TestAgent.start(place.config(), destinations, TestAgent.REAL_CALLS)) {
      DrainReport report = next.agent().drain(Optional.of(Duration.ofSeconds(60)));
      assertTrue(report.isComplete(), report.toString());
    }
    ArchiveContents.StreamContents stream =
        ArchiveContents.load(archive, List.of()).streams().iterator().next();
    assertFalse(stream.holdsBytesTwice(), "bytes held twice: " + stream);
    assertArrayEquals(Files.readAllBytes(log), stream.prefix());
  }
}
