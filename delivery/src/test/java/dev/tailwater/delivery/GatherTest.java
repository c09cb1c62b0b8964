package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.age.Identity;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.delivery.checkpoint.ContentKeyFile;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.delivery.status.StatusReport;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.testkit.MisbehavingDestination;
import dev.tailwater.destination.testkit.Misbehavior;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a slow log has gathered in packs becomes long segments, read from the file. */
class GatherTest {
  private static final KeyPair KEYS = KeyPair.generate(new SecureRandom());
  private static final int MERGE_TO = 2000;

  @TempDir Path base;
  private TestAgent.Place place;
  private Path log;
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final Random random = new Random(1);

  @BeforeEach
  void makePlace() throws IOException {
    place = new TestAgent.Place(base.toRealPath());
    log = place.log("app.log");
  }

  private AgentConfig config(boolean encrypted) {
    return place.config().toBuilder()
        .packs(PackUse.ALWAYS)
        .recipients(encrypted ? List.of(KEYS.recipient()) : List.of())
        .maxAge(Duration.ofMillis(2))
        .mergeToBytes(OptionalLong.of(MERGE_TO))
        .build();
  }

  /** Appends bytes and waits until they are durable, so that they are in a pack of their own. */
  private void append(TestAgent agent, int length) throws Exception {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    written.writeBytes(bytes);
    Files.write(log, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    agent.awaitDelivered(log);
  }

  private static StatusReport.Merged merged(TestAgent agent) {
    return agent.agent.status().destinations().getFirst().merged();
  }

  private static long deliveredBytes(TestAgent agent) {
    return agent.agent.status().progress().deliveredBytes();
  }

  private List<ArchiveObject.Segment> segments() throws IOException {
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      return archive.list("", Optional.empty(), Integer.MAX_VALUE).entries().stream()
          .flatMap(entry -> ArchiveNames.parse(entry.key()).stream())
          .filter(ArchiveObject.Segment.class::isInstance)
          .map(ArchiveObject.Segment.class::cast)
          .toList();
    }
  }

  private ArchiveContents.StreamContents stream(boolean encrypted) throws IOException {
    List<Identity> identities = encrypted ? List.of(KEYS.identity()) : List.of();
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      ArchiveContents contents = ArchiveContents.load(archive, identities);
      assertEquals(1, contents.streams().size());
      return contents.streams().getFirst();
    }
  }

  private void assertWhole(boolean encrypted) throws IOException {
    assertArrayEquals(written.toByteArray(), stream(encrypted).prefix());
    assertFalse(stream(encrypted).holdsBytesTwice());
  }

  private void growAndGather(TestAgent agent, long segments) throws Exception {
    while (merged(agent).gatheredSegments() < segments) {
      append(agent, 200);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsGatheredInPacksBecomesLongSegments(boolean encrypted) throws Exception {
    try (TestAgent agent = TestAgent.start(place, config(encrypted), TestAgent.REAL_CALLS)) {
      growAndGather(agent, 3);
      assertEquals(List.of(), agent.problems);
      assertEquals(0, merged(agent).notGathered());
    }
    assertWhole(encrypted);
    assertEquals(3, segments().size());
    segments().forEach(segment -> assertTrue(segment.range().lengthBytes() >= MERGE_TO));
    assertTrue(stream(encrypted).gatheredBytes() >= 3 * MERGE_TO);
  }

  @Test
  void eachOfManyFilesInTheSamePacksGetsItsOwnBytes() throws Exception {
    int files = 20;
    try (TestAgent agent = TestAgent.start(place, config(false), TestAgent.REAL_CALLS)) {
      while (merged(agent).gatheredSegments() < files) {
        for (int i = 0; i < files; i++) {
          byte[] bytes = new byte[150 + 10 * i];
          random.nextBytes(bytes);
          Files.write(
              place.log("log-" + i), bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
        for (int i = 0; i < files; i++) {
          agent.awaitDelivered(place.log("log-" + i));
        }
      }
      assertEquals(0, merged(agent).notGathered());
    }
    List<ArchiveContents.StreamContents> streams = place.contents().streams();
    assertEquals(files, streams.size());
    for (ArchiveContents.StreamContents stream : streams) {
      assertArrayEquals(Files.readAllBytes(Path.of(stream.birthPath())), stream.prefix());
      assertFalse(stream.holdsBytesTwice());
    }
  }

  @Test
  void aLogThatIsRotatedAndDeletedIsGathered() throws Exception {
    try (TestAgent agent = TestAgent.start(place, config(false), TestAgent.REAL_CALLS)) {
      for (int i = 0; i < 20; i++) {
        append(agent, 50);
      }
      Files.move(log, place.log("app.log.1"));
      Files.createFile(log);
      Files.delete(place.log("app.log.1"));
      // The file is gone and its descriptor is closed: then its bytes stay where they are.
      TestAgent.await(
          "it is gathered or left",
          () -> merged(agent).gatheredSegments() + merged(agent).notGathered() == 1);
      assertTrue(agent.drain().isComplete());
    }
    ArchiveContents.StreamContents ended =
        place.contents().streams().stream()
            .filter(one -> one.prefix().length > 0)
            .findFirst()
            .orElseThrow();
    assertArrayEquals(written.toByteArray(), ended.prefix());
    assertFalse(ended.holdsBytesTwice());
  }

  @Test
  void bytesThatWereOverwrittenMeanwhileAreNotGatheredAsOnesThatWereDelivered() throws Exception {
    try (TestAgent agent = TestAgent.start(place, config(false), TestAgent.REAL_CALLS)) {
      append(agent, MERGE_TO - 200);
      // Below the last kilobyte, which the agent compares before it reads on.
      try (var file = Files.newByteChannel(log, StandardOpenOption.WRITE)) {
        file.write(ByteBuffer.wrap(new byte[100]));
      }
      // The first bytes are given up, either since they differ or since they were replaced.
      growAndGather(agent, 1);
      assertTrue(agent.drain().isComplete());
    }
    assertArrayEquals(Files.readAllBytes(log), stream(false).prefix());
    assertTrue(segments().getFirst().range().startBytes() > 0);
  }

  @Test
  void anAgentThatLostItsStateDeliversNothingAgain() throws Exception {
    try (TestAgent agent = TestAgent.start(place, config(true), TestAgent.REAL_CALLS)) {
      growAndGather(agent, 2);
    }
    try (Stream<Path> files = Files.walk(place.state())) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        if (Files.isRegularFile(file) && !file.endsWith(ContentKeyFile.NAME.toString())) {
          Files.delete(file);
        }
      }
    }
    int before = segments().size();
    try (TestAgent agent = TestAgent.start(place, config(true), TestAgent.REAL_CALLS)) {
      append(agent, 100);
      TestAgent.await("it is counted", () -> deliveredBytes(agent) > 0);
      assertEquals(100, deliveredBytes(agent));
      assertTrue(agent.drain().isComplete());
    }
    assertWhole(true);
    assertEquals(before, segments().size());
  }

  @Test
  void whereNothingMayBeRemovedNothingIsGatheredAfterTheFirstRefusal() throws Exception {
    Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE);
    Destination keeping = MisbehavingDestination.wrap(archive, Misbehavior.DENIES_DELETE);
    try (TestAgent agent = TestAgent.start(config(false), keeping, TestAgent.REAL_CALLS)) {
      TestAgent.await(
          "it is refused",
          () -> {
            append(agent, 200);
            return !agent.problems.isEmpty();
          });
      int before = segments().size();
      for (int i = 0; i < 30; i++) {
        append(agent, 200);
      }
      assertEquals(before, segments().size());
    }
    assertArrayEquals(written.toByteArray(), stream(false).prefix());
  }
}
