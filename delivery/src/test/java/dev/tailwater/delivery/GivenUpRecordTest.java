package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a run that must end was to say of a file that is gone is given up, and not forgotten. */
@Timeout(180)
class GivenUpRecordTest {
  private final AtomicBoolean refusing = new AtomicBoolean();
  private final AtomicInteger refusals = new AtomicInteger();
  private TestAgent.Place place;
  private Path log;

  @BeforeEach
  void makePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    log = Files.writeString(place.log("app.log"), "one\n");
  }

  private TestAgent startOnce(AgentConfig config, DestinationFaultPlan plan) throws IOException {
    Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE);
    return TestAgent.startOnce(config, FaultyDestination.wrap(archive, plan));
  }

  private DestinationFault refuse() {
    refusals.incrementAndGet();
    return DestinationFault.FAIL_PERMANENT;
  }

  private List<StreamRecord.EndReason> toldEnds() throws IOException {
    return place.contents().bornAt(log.toString()).stream()
        .flatMap(stream -> stream.record().stream())
        .flatMap(record -> record.end().stream())
        .map(StreamRecord.End::reason)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theEndOfAFileIsToldWhenTheDestinationWorksAgain(boolean inPacks) throws Exception {
    AgentConfig config =
        place.config().toBuilder().packs(inPacks ? PackUse.ALWAYS : PackUse.NEVER).build();
    try (TestAgent agent =
        startOnce(config, _ -> refusing.get() ? refuse() : DestinationFault.PROCEED)) {
      agent.awaitDelivered(log);
      refusing.set(true);
      Files.delete(log);
      TestAgent.await("it is refused", () -> refusals.get() > 0);
      refusing.set(false);
      agent.awaitDelivered(Files.writeString(place.log("other.log"), "more\n"));
      DrainReport report = agent.agent().drain(Optional.empty());
      assertTrue(report.isComplete(), report::toString);
    }
    assertEquals(List.of(StreamRecord.EndReason.DELETED), toldEnds());
  }

  @Test
  void aRunThatDoesNotTellTheEndOfAFileIsNotComplete() throws Exception {
    AgentConfig config = place.config().toBuilder().packs(PackUse.NEVER).build();
    try (TestAgent agent =
        startOnce(
            config,
            call ->
                call.is("putObject") && call.key().contains("app.log")
                    ? refuse()
                    : DestinationFault.PROCEED)) {
      agent.awaitDelivered(log);
      Files.delete(log);
      TestAgent.await("it is refused", () -> refusals.get() > 0);
      agent.awaitDelivered(Files.writeString(place.log("other.log"), "more\n"));
      assertFalse(agent.agent().drain(Optional.empty()).isComplete());
    }
    assertEquals(List.of(), toldEnds());
  }

  @Test
  void theEndOfAFileThatVanishedIsToldWhenTheDestinationWorksAgain() throws Exception {
    AgentConfig config = place.config().toBuilder().packs(PackUse.NEVER).build();
    Path killed = place.base().resolve("killed");
    try (TestAgent agent = startOnce(config, _ -> DestinationFault.PROCEED)) {
      agent.awaitDelivered(log);
      place.copyState(killed);
    }
    place.restoreState(killed);
    Files.delete(log);
    try (TestAgent agent =
        startOnce(
            config,
            call ->
                call.is("list") && call.key().contains("app.log") && refusals.get() == 0
                    ? refuse()
                    : DestinationFault.PROCEED)) {
      TestAgent.await("it is refused", () -> refusals.get() > 0);
      agent.awaitDelivered(Files.writeString(place.log("other.log"), "more\n"));
      DrainReport report = agent.agent().drain(Optional.empty());
      assertTrue(report.isComplete(), report::toString);
    }
    assertEquals(List.of(StreamRecord.EndReason.VANISHED), toldEnds());
  }

  /** A run that could not ask how much the archive has of a file that is gone. */
  @Test
  void theEndOfAFileThatVanishedIsRightAfterARunThatCouldNotAsk() throws Exception {
    AgentConfig config = place.config().toBuilder().packs(PackUse.NEVER).build();
    Path killed = place.base().resolve("killed");
    try (TestAgent agent = startOnce(config, _ -> DestinationFault.PROCEED)) {
      agent.awaitDelivered(log);
      place.copyState(killed);
      Files.writeString(log, "two\n", StandardOpenOption.APPEND);
      agent.awaitDelivered(log);
    }
    place.restoreState(killed);
    Files.delete(log);
    try (TestAgent agent =
        startOnce(
            config,
            call ->
                call.is("list") && call.key().contains("app.log")
                    ? refuse()
                    : DestinationFault.PROCEED)) {
      TestAgent.await("it is refused", () -> refusals.get() > 0);
      assertFalse(agent.agent().drain(Optional.empty()).isComplete());
    }
    try (TestAgent agent = startOnce(config, _ -> DestinationFault.PROCEED)) {
      assertTrue(agent.agent().drain(Optional.empty()).isComplete());
    }
    StreamRecord record = place.contents().bornAt(log.toString()).getFirst().record().orElseThrow();
    assertEquals(8, record.end().orElseThrow().sizeBytes());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theNextRunTellsTheEndThatWasGivenUp(boolean deleted) throws Exception {
    AgentConfig config = place.config().toBuilder().packs(PackUse.NEVER).build();
    try (TestAgent agent =
        startOnce(
            config,
            call ->
                call.is("putObject") && call.key().contains("app.log")
                    ? refuse()
                    : DestinationFault.PROCEED)) {
      agent.awaitDelivered(log);
      if (deleted) {
        Files.delete(log);
      } else {
        Files.move(log, place.base().resolve("away.log"));
      }
      TestAgent.await("it is refused", () -> refusals.get() > 0);
      assertFalse(agent.agent().drain(Optional.empty()).isComplete());
    }
    assertEquals(List.of(), toldEnds());
    try (TestAgent agent = startOnce(config, _ -> DestinationFault.PROCEED)) {
      assertTrue(agent.agent().drain(Optional.empty()).isComplete());
    }
    assertEquals(
        List.of(deleted ? StreamRecord.EndReason.DELETED : StreamRecord.EndReason.MOVED_AWAY),
        toldEnds());
  }

  /** Files that were moved away are known for long: nothing may depend on their number. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theNextRunTellsNoEndAgain(boolean packs) throws Exception {
    AgentConfig config =
        place.config().toBuilder().packs(packs ? PackUse.ALWAYS : PackUse.NEVER).build();
    try (TestAgent agent = startOnce(config, _ -> DestinationFault.PROCEED)) {
      agent.awaitDelivered(log);
      Files.move(log, place.base().resolve("away.log"));
      TestAgent.await("it is told", () -> !toldEnds().isEmpty());
      assertTrue(agent.agent().drain(Optional.empty()).isComplete());
    }
    List<String> puts = new CopyOnWriteArrayList<>();
    try (TestAgent agent =
        startOnce(
            config,
            call -> {
              if (call.method().startsWith("put") && !call.key().contains("~left-behind")) {
                puts.add(call.key());
              }
              return DestinationFault.PROCEED;
            })) {
      assertTrue(agent.agent().drain(Optional.empty()).isComplete());
    }
    assertEquals(List.of(), puts);
  }
}
