package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.record.GapRecord;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.pack.PackUse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A killed agent may have delivered later bytes of a file and not earlier ones. */
class MissingRangeTest {
  private static final int PART_BYTES = 1000;

  private TestAgent.Place place;
  private Path log;

  /** What the next agent knows of the killed one. */
  enum State {
    LOST,
    OLDER
  }

  @BeforeEach
  void makePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    log = Files.createFile(place.log("app.log"));
  }

  private TestAgent start() throws IOException {
    AgentConfig config =
        place.config().toBuilder().packs(PackUse.NEVER).mergeToBytes(OptionalLong.of(0)).build();
    return TestAgent.start(place, config, TestAgent.REAL_CALLS);
  }

  private void deliver(TestAgent agent, char letter) throws Exception {
    Files.writeString(log, String.valueOf(letter).repeat(PART_BYTES), StandardOpenOption.APPEND);
    agent.awaitDelivered(log);
  }

  /** Delivers the first and the third part of the file, and not the second one. */
  private void deliverAllButTheSecondPart(State left) throws Exception {
    Path saved = place.base().resolve("saved");
    try (TestAgent agent = start()) {
      agent.agent().awaitFirstScan();
      deliver(agent, 'a');
      place.copyState(saved);
      Set<Path> before = segments();
      deliver(agent, 'b');
      Set<Path> second = segments();
      second.removeAll(before);
      deliver(agent, 'c');
      assertEquals(1, second.size());
      Files.delete(second.iterator().next());
    }
    switch (left) {
      case OLDER -> place.restoreState(saved);
      case LOST -> Files.move(place.state(), place.base().resolve("lost"));
    }
  }

  private Set<Path> segments() throws IOException {
    try (Stream<Path> all = Files.walk(place.archive())) {
      return all.filter(path -> path.toString().endsWith(".zst"))
          .collect(Collectors.toCollection(HashSet::new));
    }
  }

  private void drain() throws Exception {
    try (TestAgent agent = start()) {
      assertTrue(agent.drain().isComplete());
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatDidNotArriveOfAFileThatIsThereIsDelivered(State left) throws Exception {
    deliverAllButTheSecondPart(left);
    drain();
    assertEquals(List.of(), gaps());
    assertEquals(Files.readString(log), text(0));
  }

  @ParameterizedTest
  @EnumSource
  void whatDidNotArriveOfAFileThatIsTruncatedIsAGap(State left) throws Exception {
    deliverAllButTheSecondPart(left);
    Files.writeString(log, "other");
    drain();
    assertEquals(List.of(new ByteRange(PART_BYTES, 2 * PART_BYTES)), gaps());
    assertEquals("other", text(1));
  }

  /** Of a file that is gone, an agent without a state knows nothing; readers find the hole. */
  @Test
  void whatDidNotArriveOfAFileThatIsDeletedIsAGap() throws Exception {
    deliverAllButTheSecondPart(State.OLDER);
    Files.delete(log);
    drain();
    assertEquals(List.of(new ByteRange(PART_BYTES, 2 * PART_BYTES)), gaps());
  }

  private String text(int stream) throws Exception {
    byte[] bytes = place.contents().bornAt(log.toString()).get(stream).prefix();
    return new String(bytes, StandardCharsets.US_ASCII);
  }

  private List<ByteRange> gaps() throws Exception {
    return place.contents().bornAt(log.toString()).getFirst().gaps().stream()
        .map(GapRecord::range)
        .toList();
  }
}
