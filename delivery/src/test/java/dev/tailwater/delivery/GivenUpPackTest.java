package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.name.PackName;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A pack that is given up may have arrived all the same, and later ones become durable. */
class GivenUpPackTest {
  private final AtomicBoolean away = new AtomicBoolean(true);
  private final AtomicInteger puts = new AtomicInteger();

  @Test
  @Timeout(value = 180, unit = TimeUnit.SECONDS)
  void isFoundByTheNextStartAlthoughLaterOnesAreSaved(@TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    AgentConfig config = place.config().toBuilder().packs(PackUse.ALWAYS).build();
    Path log = Files.writeString(place.log("app.log"), "one\n");
    Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE);
    DestinationFaultPlan plan =
        call -> {
          if (!away.get() || PackName.parse(call.key()).isEmpty()) {
            return DestinationFault.PROCEED;
          }
          return puts.getAndIncrement() == 0
              ? DestinationFault.LOSE_ANSWER
              : DestinationFault.FAIL_TRANSIENT;
        };
    try (TestAgent agent = TestAgent.startOnce(config, FaultyDestination.wrap(archive, plan))) {
      TestAgent.await("it is given up", () -> agent.agent().counters().undeliveredSegments() > 0);
      away.set(false);
      for (String later : List.of("b.log", "c.log")) {
        agent.awaitDelivered(Files.writeString(place.log(later), "more\n"));
      }
      assertEquals(4, agent.agent().drain(Optional.empty()).leftBehindBytes());
    }
    Files.writeString(log, "2\n"); // It is truncated before that.
    try (TestAgent agent = TestAgent.start(place, config, TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
    }
    TreeMap<String, String> texts = new TreeMap<>();
    for (ArchiveContents.StreamContents stream : place.contents().bornAt(log.toString())) {
      texts.put(stream.id().text(), new String(stream.prefix(), StandardCharsets.US_ASCII));
    }
    assertEquals(List.of("one\n", "2\n"), List.copyOf(texts.values()));
  }

  @Test
  @Timeout(value = 180, unit = TimeUnit.SECONDS)
  void oneWhoseNameHasOtherBytesHoldsUpNoOther(@TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    AgentConfig config = place.config().toBuilder().packs(PackUse.ALWAYS).build();
    Path log = Files.writeString(place.log("app.log"), "one\n");
    Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE);
    List<String> taken = new CopyOnWriteArrayList<>();
    DestinationFaultPlan plan =
        call -> {
          if (call.is("putSegment") && PackName.parse(call.key()).isPresent() && taken.isEmpty()) {
            taken.add(call.key());
            putOther(archive, call.key());
          }
          return DestinationFault.PROCEED;
        };
    try (TestAgent agent =
        TestAgent.start(config, FaultyDestination.wrap(archive, plan), TestAgent.REAL_CALLS)) {
      // What was sealed behind it by then is given up with it.
      TestAgent.await("it is given up", () -> agent.agent().counters().undeliveredSegments() > 0);
      agent.awaitDelivered(Files.writeString(place.log("b.log"), "more\n"));
      DrainReport report = agent.agent().drainAndGoOn(Duration.ofSeconds(1));
      assertEquals(4, report.leftBehindBytes());
      assertEquals(taken, report.problems().stream().map(Problem::subject).toList());
    }
    try (Destination again = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE)) {
      again.delete(taken.getFirst());
    }
    try (TestAgent agent = TestAgent.start(place, config, TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
    }
    ArchiveContents.StreamContents stream = place.contents().bornAt(log.toString()).getFirst();
    assertEquals("one\n", new String(stream.prefix(), StandardCharsets.US_ASCII));
  }

  private static void putOther(Destination archive, String key) {
    try {
      archive.putSegment(key, ByteBuffer.wrap(new byte[100]));
    } catch (DestinationException e) {
      throw new AssertionError(e);
    }
  }
}
