package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.destination.OpenIntent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A file that comes back when the agent has forgotten it, since it was away for long. */
class ForgottenFileTest {
  private static final Duration LONG = Duration.ofDays(31);

  private TestAgent.Place place;

  @BeforeEach
  void makePlace(@TempDir Path base) throws IOException {
    place = new TestAgent.Place(base.toRealPath());
  }

  private long run(boolean packs, Duration later) throws Exception {
    AgentConfig config =
        place.config().toBuilder().packs(packs ? PackUse.ALWAYS : PackUse.NEVER).build();
    try (TestAgent agent =
        TestAgent.startAt(
            config,
            place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE),
            () -> System.currentTimeMillis() + later.toMillis())) {
      assertTrue(agent.drain().isComplete());
      return agent.agent().counters().rawBytes();
    }
  }

  private List<String> texts(Path file) throws IOException {
    TreeMap<String, String> texts = new TreeMap<>();
    for (ArchiveContents.StreamContents stream : place.contents().bornAt(file.toString())) {
      assertFalse(stream.holdsBytesTwice(), stream.toString());
      texts.put(stream.id().text(), new String(stream.prefix(), StandardCharsets.US_ASCII));
    }
    return List.copyOf(texts.values());
  }

  @ParameterizedTest
  @CsvSource({"false,false", "false,true", "true,false", "true,true"})
  @Timeout(value = 120, unit = TimeUnit.SECONDS)
  void contradictsNothingThatIsInTheArchive(boolean packs, boolean runsMeanwhile) throws Exception {
    Path log = Files.writeString(place.log("app.log"), "one\n");
    run(packs, Duration.ZERO);
    Path away = Files.move(log, place.base().resolve("away.log"));
    run(packs, Duration.ZERO);
    if (runsMeanwhile) {
      run(packs, LONG);
    }
    Files.writeString(away, "2\n"); // It is truncated before that.
    Files.move(away, log);
    run(packs, LONG);
    assertEquals(List.of("one\n", "2\n"), texts(log));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Timeout(value = 120, unit = TimeUnit.SECONDS)
  void contradictsNothingLongAfterALossOfTheState(boolean packs) throws Exception {
    Path log = Files.writeString(place.log("app.log"), "one\n");
    run(packs, Duration.ZERO);
    Path away = Files.move(log, place.base().resolve("away.log"));
    Files.move(place.state(), place.base().resolve("lost"));
    run(packs, Duration.ZERO);
    Files.writeString(away, "2\n");
    Files.move(away, log);
    run(packs, LONG);
    assertEquals(List.of("one\n", "2\n"), texts(log));
  }

  private void run(Duration later, AgentDestination... destinations) throws Exception {
    try (TestAgent agent =
        TestAgent.startAt(
            place.config(),
            List.of(destinations),
            () -> System.currentTimeMillis() + later.toMillis())) {
      assertTrue(agent.drain().isComplete());
    }
  }

  /** The other destination did not know the file when it was there before. */
  @Test
  @Timeout(value = 120, unit = TimeUnit.SECONDS)
  void contradictsNothingWhereAnotherDestinationBeganWithTheOldName() throws Exception {
    SwitchedDestination other = SwitchedDestination.inMemory("other");
    SwitchedDestination archive = SwitchedDestination.inMemory("archive");
    Path log = Files.writeString(place.log("app.log"), "one\n");
    run(Duration.ZERO, archive.required());
    Path away = Files.move(log, place.base().resolve("away.log"));
    run(Duration.ZERO, archive.required());
    Files.writeString(away, "2\n"); // It is truncated before that.
    Files.move(away, log);
    run(LONG, other.required());
    Files.writeString(log, "3\n", StandardOpenOption.APPEND);
    run(LONG, other.required(), archive.required());
    TwoDestinations.assertHolds(other, log, "2\n3\n");
    TwoDestinations.assertHolds(archive, log, "one\n", "2\n3\n");
  }

  /** Its truncation is seen before the destination that has forgotten it can be asked. */
  @Test
  @Timeout(value = 120, unit = TimeUnit.SECONDS)
  void contradictsNothingWhereItIsTruncatedBeforeTheDestinationAnswers() throws Exception {
    SwitchedDestination other = SwitchedDestination.inMemory("other");
    SwitchedDestination archive = SwitchedDestination.inMemory("archive");
    Path log = Files.writeString(place.log("app.log"), "zero\n");
    run(Duration.ZERO, archive.required());
    Files.writeString(log, "1\n");
    run(Duration.ZERO, archive.required());
    Path away = Files.move(log, place.base().resolve("away.log"));
    run(Duration.ZERO, archive.required());
    Files.writeString(away, "second\n");
    Files.move(away, log);
    run(LONG, other.required());
    archive.set(SwitchedDestination.Mode.DOWN);
    try (TestAgent agent =
        TestAgent.startAt(
            place.config(),
            List.of(other.required(), archive.required()),
            () -> System.currentTimeMillis() + LONG.toMillis())) {
      agent.awaitDelivered(log, "other");
      Files.writeString(log, "3\n");
      agent.awaitDelivered(log, "other");
      archive.set(SwitchedDestination.Mode.UP);
      agent.awaitDelivered(log);
      assertTrue(agent.drain().isComplete());
    }
    TwoDestinations.assertHolds(other, log, "second\n", "3\n");
    TwoDestinations.assertHolds(archive, log, "zero\n", "1\n", "", "3\n");
  }
}
