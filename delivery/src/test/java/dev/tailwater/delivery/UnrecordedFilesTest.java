package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.testkit.DestinationCall;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that a killed agent has delivered, and did not come to record, are not delivered again,
 * whenever the next one comes to open them.
 */
class UnrecordedFilesTest {
  private static final int FILES = 30;
  private static final int ALL = 2 * FILES;
  private static final int FEW = 5;

  /** More than that of a file system may differ from the agent's. */
  private static final Duration AS_FAR_AS_CLOCKS_MAY_DIFFER = Duration.ofSeconds(3);

  private TestAgent.Place place;
  private final List<Path> logs = new ArrayList<>();

  @BeforeEach
  void choosePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
  }

  private AgentConfig config(boolean packs) {
    return place.config().toBuilder().packs(packs ? PackUse.ALWAYS : PackUse.NEVER).build();
  }

  private TestAgent start(boolean packs, int openFiles) throws IOException {
    return TestAgent.start(
        config(packs),
        place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE),
        TestAgent.REAL_CALLS,
        openFiles);
  }

  /** Delivers files; the state is that of an agent that was killed before it knew of them. */
  private void deliverAndBeKilled(boolean packs) throws Exception {
    Path killed = place.base().resolve("killed");
    try (TestAgent agent = start(packs, ALL)) {
      assertTrue(agent.drain().isComplete());
    }
    try (TestAgent agent = start(packs, ALL)) {
      agent.agent().awaitFirstScan();
      place.copyState(killed);
      for (int i = 0; i < FILES; i++) {
        logs.add(Files.writeString(place.log("app-" + i + ".log"), "a line of " + i + "\n"));
      }
      assertTrue(agent.drain().isComplete());
    }
    place.restoreState(killed);
  }

  private void assertArchivedOnce() throws Exception {
    for (Path log : logs) {
      List<ArchiveContents.StreamContents> streams = place.contents().bornAt(log.toString());
      assertEquals(1, streams.size(), streams.toString());
      assertFalse(streams.getFirst().holdsBytesTwice(), streams.toString());
      assertArrayEquals(Files.readAllBytes(log), streams.getFirst().prefix());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void thoseThatHaveToWaitForDescriptors(boolean packs) throws Exception {
    deliverAndBeKilled(packs);
    try (TestAgent agent = start(packs, FEW)) {
      assertTrue(agent.drain().isComplete());
      assertEquals(0, agent.agent().counters().rawBytes());
    }
    assertArchivedOnce();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void thoseThatAreOutOfSightAtFirst(boolean packs) throws Exception {
    deliverAndBeKilled(packs);
    Path elsewhere = Files.createDirectory(place.base().resolve("elsewhere"));
    for (Path log : logs) {
      Files.move(log, elsewhere.resolve(log.getFileName()));
    }
    try (TestAgent agent = start(packs, ALL)) {
      agent.agent().awaitFirstScan();
      for (Path log : logs) {
        Files.move(elsewhere.resolve(log.getFileName()), log);
      }
      Path grown = logs.getFirst();
      Files.writeString(grown, "more\n", StandardOpenOption.APPEND);
      agent.awaitDelivered(grown);
      assertTrue(agent.drain().isComplete());
      assertEquals("more\n".length(), agent.agent().counters().rawBytes());
    }
    assertArchivedOnce();
  }

  @Test
  void thoseThatAreYoungerThanTheRunAreNotAskedFor() throws Exception {
    deliverAndBeKilled(false);
    FaultyDestination archive =
        FaultyDestination.wrap(
            place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE), DestinationFaultPlan.none());
    try (TestAgent agent = TestAgent.start(config(false), archive, TestAgent.REAL_CALLS)) {
      agent.agent().awaitFirstScan();
      Thread.sleep(AS_FAR_AS_CLOCKS_MAY_DIFFER);
      for (int i = 0; i < FILES; i++) {
        logs.add(Files.writeString(place.log("new-" + i + ".log"), "a new line of " + i + "\n"));
      }
      assertTrue(agent.drain().isComplete());
      assertEquals(List.of(), questionsOf(archive, "/new-"));
      assertFalse(questionsOf(archive, "/app-").isEmpty());
    }
    assertArchivedOnce();
  }

  private static List<DestinationCall> questionsOf(FaultyDestination archive, String part) {
    return archive.log().stream()
        .filter(call -> (call.is("list") || call.is("read")) && call.key().contains(part))
        .toList();
  }
}
