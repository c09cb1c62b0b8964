package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.testkit.DestinationCall;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.FaultyDestination;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The destination has answered, and what follows from that fails for a moment. */
class FailedConnectionTest {
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicInteger lists = new AtomicInteger();
  private final CountDownLatch seen = new CountDownLatch(1);

  private DestinationFault answerLate(DestinationCall call) {
    if (!call.is("list")) {
      return DestinationFault.PROCEED;
    }
    if (lists.getAndIncrement() == 0) {
      return DestinationFault.FAIL_TRANSIENT; // Or the start would wait for an answer.
    }
    try {
      assertTrue(seen.await(60, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return DestinationFault.PROCEED;
  }

  /** Fails when a stream is chosen for a file that was found before the destination answered. */
  private long millis() {
    boolean connects =
        StackWalker.getInstance()
            .walk(
                frames ->
                    frames.anyMatch(
                        frame ->
                            frame.getClassName().endsWith(".LaneStart")
                                && frame.getMethodName().equals("connect")));
    if (connects && failures.getAndIncrement() == 0) {
      throw new IllegalStateException("no memory: says a test");
    }
    return System.currentTimeMillis();
  }

  /** Makes threads, of which the one for directories cannot be started at first. */
  private Thread thread(String name, Runnable work) {
    return new Thread(work, name) {
      {
        setDaemon(true);
      }

      @Override
      public void start() {
        if (name.startsWith("tree ") && failures.getAndIncrement() == 0) {
          throw new OutOfMemoryError("unable to create native thread: says a test");
        }
        super.start();
      }
    };
  }

  @Test
  @Timeout(180)
  void whatWaitsForItBeginsAllTheSame(@TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Path log = Files.writeString(place.log("a.log"), "text");
    Destination archive =
        FaultyDestination.wrap(
            place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE), this::answerLate);
    try (TestAgent agent =
        TestAgent.start(
            place.config().toBuilder().directories(true).build(),
            List.of(AgentDestination.only(archive)),
            TestAgent.REAL_CALLS,
            this::thread)) {
      agent.awaitSeen(log);
      seen.countDown();
      agent.awaitDelivered(log);
      TestAgent.await("directories are told", () -> !ToldTree.read(place, List.of()).isEmpty());
      assertTrue(failures.get() > 1);
      assertTrue(agent.drain().isComplete());
    }
  }

  @Test
  @Timeout(180)
  void deliveryBeginsAllTheSame(@TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    List<Path> logs = List.of(place.log("a.log"), place.log("b.log"));
    for (Path log : logs) {
      Files.writeString(log, "text of " + log);
    }
    try (TestAgent agent =
        TestAgent.startAt(
            place.config(),
            FaultyDestination.wrap(
                place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE), this::answerLate),
            this::millis)) {
      for (Path log : logs) {
        agent.awaitSeen(log);
      }
      seen.countDown();
      for (Path log : logs) {
        agent.awaitDelivered(log);
      }
      assertTrue(failures.get() > 0);
      assertEquals(List.of(), agent.agent().status().problems());
      assertTrue(agent.drain().isComplete());
    }
    for (Path log : logs) {
      List<ArchiveContents.StreamContents> streams = place.contents().bornAt(log.toString());
      assertEquals(1, streams.size());
      assertEquals(
          Files.readString(log),
          new String(streams.getFirst().prefix(), StandardCharsets.US_ASCII));
    }
  }
}
