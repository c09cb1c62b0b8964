package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.testkit.MisbehavingDestination;
import dev.tailwater.destination.testkit.Misbehavior;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent whose credentials permit to create objects, and neither to replace nor remove them. */
class AppendOnlyTest {
  private static final String RECORDS = "records that may not be replaced";

  @TempDir Path base;

  private TestAgent.Place place;
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final AtomicInteger removals = new AtomicInteger();
  private final Random random = new Random(1);

  @BeforeEach
  void setUp() throws IOException {
    place = new TestAgent.Place(base.toRealPath());
  }

  private TestAgent start() throws IOException {
    Destination real = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE);
    Destination archive =
        MisbehavingDestination.wrap(real, Misbehavior.DENIES_REPLACE, Misbehavior.DENIES_DELETE);
    AgentConfig config =
        place.config().toBuilder()
            .maxAge(Duration.ofMillis(2))
            .goneGrace(Duration.ofMillis(50))
            .mergeToBytes(OptionalLong.of(1000))
            .build();
    return TestAgent.start(config, new CountingRemovals(archive), TestAgent.REAL_CALLS);
  }

  private final class CountingRemovals extends ForwardingDestination {
    CountingRemovals(Destination real) {
      super(real);
    }

    @Override
    public void delete(String key) throws DestinationException {
      removals.incrementAndGet();
      super.delete(key);
    }
  }

  private void append(TestAgent agent, Path file, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      byte[] bytes = new byte[400];
      random.nextBytes(bytes);
      written.writeBytes(bytes);
      Files.write(file, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      agent.awaitDelivered(file);
    }
  }

  private static long told(TestAgent agent, String subject) {
    return agent.problems.stream().filter(problem -> problem.subject().equals(subject)).count();
  }

  private void requireEveryByte() throws IOException {
    ArchiveContents contents = place.contents();
    assertEquals(1, contents.streams().size());
    assertArrayEquals(written.toByteArray(), contents.streams().getFirst().prefix());
  }

  @Test
  void deliversEverythingAndAsksForARemovalOnce() throws Exception {
    Path log = place.log("app.log");
    try (TestAgent agent = start()) {
      append(agent, log, 3);
      TestAgent.await("it is told", () -> told(agent, "merging") == 1);
      append(agent, log, 20);
      assertEquals(1, removals.get(), "asked again for what is forbidden");
      assertEquals(1, agent.agent.status().destinations().getFirst().merged().segments());
      List<Problem> open = agent.agent.status().problems();
      assertEquals(1, open.size(), open::toString);
      assertFalse(open.getFirst().bytesDependOnIt());
      assertEquals(1, open.getFirst().times(), "it is told once and does not come back");
    }
    requireEveryByte();
  }

  @Test
  void anEndThatTheArchiveMayNotBeToldOfDoesNotKeepTheAgentBusy() throws Exception {
    Path log = place.log("app.log");
    try (TestAgent agent = start()) {
      append(agent, log, 1);
      Files.move(log, place.log("app.log.1"));
      TestAgent.await("the archive has a record", () -> records() == 1);
      Files.delete(place.log("app.log.1"));
      TestAgent.await("it is told", () -> told(agent, RECORDS) == 1);
      append(agent, place.log("next.log"), 1);
      assertTrue(agent.drain().isComplete(), "the end of the first keeps it busy");
    }
    ByteArrayOutputStream archived = new ByteArrayOutputStream();
    ArchiveContents contents = place.contents();
    assertEquals(2, contents.streams().size());
    contents.streams().forEach(stream -> archived.writeBytes(stream.prefix()));
    assertEquals(written.size(), archived.size());
  }

  private long records() {
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      return archive.list("", Optional.empty(), 1000).entries().stream()
          .filter(entry -> entry.key().endsWith("stream.json"))
          .count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void anotherRunStartsAndEndsWithoutTrouble() throws Exception {
    Path log = place.log("app.log");
    for (int run = 0; run < 2; run++) {
      try (TestAgent agent = start()) {
        append(agent, log, 2);
        assertTrue(agent.drain().isComplete());
        for (Problem problem : agent.problems) {
          assertFalse(problem.bytesDependOnIt(), problem::toString);
          assertTrue(problem.hint().isPresent(), problem::toString);
        }
      }
    }
    requireEveryByte();
  }
}
