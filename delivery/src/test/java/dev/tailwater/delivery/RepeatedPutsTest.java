package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.name.ReceiptName;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.Signing;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.testkit.MisbehavingDestination;
import dev.tailwater.destination.testkit.Misbehavior;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every put reaches the destination twice, as where a proxy repeats it. */
class RepeatedPutsTest {
  private static final class Repeating extends ForwardingDestination {
    final AtomicInteger puts = new AtomicInteger();

    Repeating(Destination real) {
      super(real);
    }

    @Override
    public PutResult putSegment(String key, ByteBuffer content) throws DestinationException {
      puts.incrementAndGet();
      var _ = real().putSegment(key, content.duplicate());
      return real().putSegment(key, content);
    }
  }

  @ParameterizedTest
  @CsvSource({"false,false", "false,true", "true,false", "true,true"})
  @Timeout(value = 120, unit = TimeUnit.SECONDS)
  void whatIsThereAlreadyIsWhatThisAgentHasPut(
      boolean packs, boolean appendOnly, @TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Files.createDirectories(place.log("app/old"));
    Files.writeString(place.log("app/a.log"), "hello");
    AgentConfig config =
        place.config().toBuilder()
            .directories(true)
            .packs(packs ? PackUse.ALWAYS : PackUse.NEVER)
            .signing(Signing.WITH_KEY_IN_STATE)
            .build();
    for (int run = 0; run < 2; run++) {
      Files.writeString(place.log("app/b" + run + ".log"), "more");
      Repeating archive = new Repeating(open(place, appendOnly));
      try (TestAgent agent = TestAgent.start(config, archive, TestAgent.REAL_CALLS)) {
        assertTrue(agent.drain().isComplete());
        List<String> said =
            agent.problems.stream()
                .map(problem -> problem.subject() + ": " + problem.message())
                // The record of the first run may really not be replaced.
                .filter(problem -> !appendOnly || !problem.startsWith("records that may not"))
                .toList();
        assertEquals(List.of(), said);
      }
      assertTrue(archive.puts.get() < 20, archive.puts.get() + " puts");
    }
    assertEquals(3, place.contents().streams().size());
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      List<String> keys =
          archive.list("", Optional.empty(), 1000).entries().stream().map(Entry::key).toList();
      long receipts = keys.stream().filter(key -> ReceiptName.parse(key).isPresent()).count();
      // Both runs put one at the end, the first one also before; a slow one puts more of them.
      assertTrue(receipts >= 3, keys::toString);
      assertTrue(keys.stream().filter(key -> key.contains("~tree/")).count() <= 2, keys::toString);
    }
  }

  private static Destination open(TestAgent.Place place, boolean appendOnly) throws Exception {
    Destination real = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE);
    return appendOnly
        ? MisbehavingDestination.wrap(real, Misbehavior.DENIES_REPLACE, Misbehavior.DENIES_DELETE)
        : real;
  }
}
