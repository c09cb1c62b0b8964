package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.ContentCheck;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.testkit.MisbehavingDestination;
import dev.tailwater.destination.testkit.Misbehavior;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The content key is lost with the state: nobody can tell the agent what is in its packs. */
class LostContentKeyTest {
  private static final KeyPair KEYS = KeyPair.generate(new SecureRandom());
  private static final int FILES = 20;

  private TestAgent.Place place;

  @BeforeEach
  void makePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    for (int i = 0; i < FILES; i++) {
      append(i, "one\n");
    }
  }

  private AgentConfig config(ContentCheck check) {
    return place.config().toBuilder()
        .packs(PackUse.FOR_MANY_FILES)
        .mergeToBytes(OptionalLong.of(0)) // What is being merged is there twice.
        .recipients(List.of(KEYS.recipient()))
        .contentCheck(check)
        .build();
  }

  private Path file(int number) {
    return place.log("app-" + number + ".log");
  }

  private void append(int number, String text) throws IOException {
    Files.writeString(file(number), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private TestAgent start() throws Exception {
    return TestAgent.start(place, config(ContentCheck.WITH_KEY_IN_STATE), TestAgent.REAL_CALLS);
  }

  /** Runs an agent until nothing is left; returns how many bytes it has sent. */
  private long run(String... said) throws Exception {
    try (TestAgent agent = start()) {
      assertTrue(agent.drain().isComplete());
      assertEquals(List.of(said), agent.problems.stream().map(Problem::subject).toList());
      return agent.agent().counters().rawBytes();
    }
  }

  /** Runs an agent at a time that stands still. */
  private void runAt(long nowMillis, PackUse packs) throws Exception {
    AgentConfig config = config(ContentCheck.WITH_KEY_IN_STATE).toBuilder().packs(packs).build();
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE);
        TestAgent agent = TestAgent.startAt(config, archive, () -> nowMillis)) {
      assertTrue(agent.drain().isComplete());
    }
  }

  private void loseState() throws IOException {
    Files.move(place.state(), Files.createTempDirectory(place.base(), "lost").resolve("state"));
  }

  private ArchiveContents archive() throws Exception {
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      return ArchiveContents.load(archive, List.of(KEYS.identity()));
    }
  }

  /** Returns what the streams of a file hold, by their epochs. */
  private List<String> texts(int number) throws Exception {
    TreeMap<StreamId, String> texts = new TreeMap<>();
    for (ArchiveContents.StreamContents stream : archive().bornAt(file(number).toString())) {
      assertFalse(stream.holdsBytesTwice(), stream.toString());
      assertEquals(List.of(), stream.gaps());
      texts.put(stream.id(), new String(stream.prefix(), StandardCharsets.US_ASCII));
    }
    return new ArrayList<>(texts.values());
  }

  private long objects() throws IOException {
    try (var all = Files.walk(place.archive())) {
      return all.filter(path -> path.toString().contains(".zst.age")).count();
    }
  }

  @Test
  void manyFilesTravelTogether() throws Exception {
    run();
    assertTrue(objects() < FILES, "objects: " + objects());
    assertEquals(List.of("one\n"), texts(0));
  }

  @Test
  void everyFileIsDeliveredAgainAsANewStream() throws Exception {
    run();
    loseState();
    append(0, "two\n");
    Files.writeString(file(1), "other\n");
    assertEquals(8 + 6 + 4 * (FILES - 2), run("lost state"));
    assertEquals(List.of("one\n", "one\ntwo\n"), texts(0));
    assertEquals(List.of("one\n", "other\n"), texts(1));
    assertEquals(List.of("one\n", "one\n"), texts(2));
  }

  /** The first epoch of each must be one that the other has not used. */
  @Test
  void agentsThatLoseTheirStateInOneSecondBeginDifferentStreams() throws Exception {
    long nowMillis = System.currentTimeMillis();
    runAt(nowMillis, PackUse.ALWAYS);
    loseState();
    runAt(nowMillis, PackUse.NEVER);
    loseState();
    for (int i = 0; i < FILES; i++) {
      Files.writeString(file(i), "other\n");
    }
    runAt(nowMillis, PackUse.NEVER);
    assertEquals(List.of("one\n", "one\n", "other\n"), texts(0));
  }

  /** An agent that was killed in the midst of merging left them. */
  @Test
  void shortSegmentsBesideALongerOneAreRemoved() throws Exception {
    run();
    AgentConfig merging =
        config(ContentCheck.WITH_KEY_IN_STATE).toBuilder()
            .packs(PackUse.NEVER)
            .mergeToBytes(OptionalLong.of(1000))
            .build();
    try (Destination archive =
            MisbehavingDestination.wrap(
                place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE),
                Misbehavior.DENIES_DELETE);
        TestAgent agent = TestAgent.start(merging, archive, TestAgent.REAL_CALLS)) {
      while (agent.agent().status().destinations().getFirst().merged().segments() == 0) {
        append(0, "x".repeat(400));
        agent.awaitDelivered(file(0));
      }
    }
    assertTrue(hasSegmentsTwice());
    loseState();
    try (TestAgent _ = start()) {
      TestAgent.await("the short ones are gone", () -> !hasSegmentsTwice());
    }
  }

  private boolean hasSegmentsTwice() throws IOException {
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      return ArchiveContents.load(archive, List.of(KEYS.identity()))
          .bornAt(file(0).toString())
          .stream()
          .anyMatch(ArchiveContents.StreamContents::holdsBytesTwice);
    }
  }

  @Test
  void nothingIsDeliveredTwiceByTheRunsThatFollow() throws Exception {
    run();
    loseState();
    run("lost state");
    append(0, "two\n");
    append(FILES, "new\n");
    assertEquals(8, run());
    Files.writeString(file(0), "x\n");
    assertEquals(2, run());
    assertEquals(List.of("one\n", "one\ntwo\n", "x\n"), texts(0));
    assertEquals(List.of("new\n"), texts(FILES));
  }

  @Test
  void nothingIsDeliveredTwiceAfterAKill() throws Exception {
    run();
    loseState();
    Path killed = place.base().resolve("killed");
    try (TestAgent agent = start()) {
      agent.agent().awaitFirstScan();
      agent.awaitDelivered(file(0));
      place.copyState(killed);
      append(0, "two\n");
      append(FILES, "new\n");
      assertTrue(agent.drain().isComplete());
    }
    place.restoreState(killed);
    append(1, "three\n");
    assertEquals(6, run());
    assertEquals(List.of("one\n", "one\ntwo\n"), texts(0));
    assertEquals(List.of("one\n", "one\nthree\n"), texts(1));
    assertEquals(List.of("new\n"), texts(FILES));
  }

  @Test
  void theStateMayBeLostAgainAndAgain() throws Exception {
    for (int losses = 0; losses < 4; losses++) {
      append(0, losses + "\n");
      run(losses == 0 ? new String[0] : new String[] {"lost state"});
      loseState();
    }
    assertEquals(
        List.of("one\n0\n", "one\n0\n1\n", "one\n0\n1\n2\n", "one\n0\n1\n2\n3\n"), texts(0));
  }

  @Test
  void anotherKeyThatIsConfiguredIsAMistakeAndNothingIsDelivered() throws Exception {
    run();
    loseState();
    AgentConfig mistaken = config(ContentCheck.with(ContentKey.of(new byte[ContentKey.KEY_BYTES])));
    PermanentDestinationException refused =
        assertThrows(
            PermanentDestinationException.class,
            () -> TestAgent.start(place, mistaken, TestAgent.REAL_CALLS));
    assertTrue(refused.getMessage().contains("another key"), refused.getMessage());
  }
}
