package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.status.StatusReport;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import dev.tailwater.posix.PosixPath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Short segments become long ones while the agent runs, whatever happens to their files. */
class MergeTest {
  private static final int MERGE_TO = 1 << 20;

  /** A text too long for its frames to be kept, so that the file is read again. */
  private static final int UNHELD = 300_000;

  @TempDir Path base;

  private TestAgent.Place place;
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final Random random = new Random(1);

  @BeforeEach
  void setUp() throws IOException {
    place = new TestAgent.Place(base.toRealPath());
  }

  private static AgentConfig merging(AgentConfig config, long mergeToBytes) {
    return config.toBuilder()
        .maxAge(Duration.ofMillis(2))
        .goneGrace(Duration.ofMillis(50))
        .mergeToBytes(OptionalLong.of(mergeToBytes))
        .build();
  }

  private TestAgent start() throws IOException {
    return TestAgent.start(place, merging(place.config(), MERGE_TO), TestAgent.REAL_CALLS);
  }

  /** Appends a text and waits until it is durable, so that it is a segment of its own. */
  private void append(TestAgent agent, Path file, int lengthBytes) throws Exception {
    byte[] bytes = new byte[lengthBytes];
    random.nextBytes(bytes);
    written.writeBytes(bytes);
    Files.write(file, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    agent.awaitDelivered(file);
  }

  private static StatusReport.AtDestination only(TestAgent agent) {
    return agent.agent.status().destinations().getFirst();
  }

  private static void awaitMerged(TestAgent agent, int segments) throws Exception {
    TestAgent.await(
        segments + " are merged",
        () ->
            only(agent).merged().segments() >= segments
                && only(agent).merged().supersededSegments() >= 2L * segments);
  }

  private ArchiveContents.StreamContents onlyStream(ArchiveContents contents) {
    assertEquals(1, contents.streams().size());
    return contents.streams().getFirst();
  }

  private ArchiveContents.StreamContents requireWhole() throws IOException {
    return requireWhole(written.toByteArray());
  }

  private ArchiveContents.StreamContents requireWhole(byte[] bytes) throws IOException {
    ArchiveContents.StreamContents stream = onlyStream(place.contents());
    assertArrayEquals(bytes, stream.prefix());
    assertFalse(stream.holdsBytesTwice(), () -> "superseded segments are left: " + stream);
    return stream;
  }

  @Test
  void sixteenShortSegmentsOfASlowStreamBecomeOne() throws Exception {
    Path log = place.log("app.log");
    try (TestAgent agent = start()) {
      for (int i = 0; i < 80; i++) {
        append(agent, log, 20);
      }
      // Of a merger that is late, more than sixteen become one.
      TestAgent.await(
          "all but a few are merged", () -> only(agent).merged().supersededSegments() >= 64);
      assertTrue(only(agent).merged().rawBytes() >= 64 * 20);
    }
    int left = requireWhole().segments;
    assertTrue(left <= 5 + 15, () -> "of eighty are left " + left);
  }

  @Test
  void whatIsTogetherAFullSegmentIsMergedAtOnceFromTheFile() throws Exception {
    Path log = place.log("app.log");
    try (TestAgent agent = start()) {
      for (int i = 0; i < 8; i++) {
        append(agent, log, UNHELD);
      }
      awaitMerged(agent, 2);
    }
    int left = requireWhole().segments;
    assertTrue(left < 7, () -> "of eight are left " + left);
  }

  @Test
  void encryptedSegmentsAreMergedWithoutAnyPrivateKey() throws Exception {
    KeyPair keys = KeyPair.generate(new SecureRandom());
    AgentConfig config =
        place.config().toBuilder()
            .codec(new Codec.Zstd(1))
            .recipients(List.of(keys.recipient()))
            .build();
    Path log = place.log("app.log");
    try (TestAgent agent =
        TestAgent.start(place, merging(config, MERGE_TO), TestAgent.REAL_CALLS)) {
      for (int i = 0; i < 18; i++) {
        append(agent, log, i < 16 ? 500 : UNHELD);
      }
      awaitMerged(agent, 1);
    }
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      ArchiveContents.StreamContents stream =
          onlyStream(ArchiveContents.load(archive, List.of(keys.identity())));
      assertArrayEquals(written.toByteArray(), stream.prefix());
      assertFalse(stream.holdsBytesTwice());
      assertTrue(stream.segments < 8, stream::toString);
    }
  }

  @Test
  void whatIsOffIsLeftAlone() throws Exception {
    Path log = place.log("app.log");
    try (TestAgent agent =
        TestAgent.start(place, merging(place.config(), 0), TestAgent.REAL_CALLS)) {
      for (int i = 0; i < 40; i++) {
        append(agent, log, 20);
      }
      assertEquals(0, only(agent).merged().segments());
    }
    assertEquals(40, requireWhole().segments);
  }

  @Test
  void theEndOfAStreamMergesWhatIsLeftOfItThoughItsFileIsGone() throws Exception {
    Path log = place.log("app.log");
    try (TestAgent agent = start()) {
      for (int i = 0; i < 5; i++) {
        append(agent, log, 20);
      }
      Files.delete(log);
      awaitMerged(agent, 1);
    }
    assertEquals(1, requireWhole().segments);
  }

  /** Makes every removal take time, as at a distant server. */
  private Destination removing(Semaphore removals) throws IOException {
    return new ForwardingDestination(place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE)) {
      @Override
      public void delete(String key) throws DestinationException {
        removals.acquireUninterruptibly();
        super.delete(key);
      }
    };
  }

  @Test
  void aRunThatHasNoDeadlineEndsWhenEverySupersededSegmentIsRemoved() throws Exception {
    Path log = place.log("app.log");
    Semaphore removals = new Semaphore(0);
    AgentConfig config = merging(place.config(), MERGE_TO);
    try (TestAgent agent = TestAgent.startOnce(config, removing(removals))) {
      for (int i = 0; i < 5; i++) {
        append(agent, log, 20);
      }
      Files.delete(log);
      TestAgent.await("one is merged", () -> only(agent).merged().segments() == 1);
      agent.agent.drain(Optional.empty());
      CompletableFuture<Void> finished =
          CompletableFuture.runAsync(
              () -> {
                try {
                  agent.agent.finishMerging(Duration.ofMinutes(1));
                } catch (InterruptedException e) {
                  throw new CompletionException(e);
                }
              });
      removals.release(4);
      TestAgent.await("four are removed", () -> only(agent).merged().supersededSegments() == 4);
      assertFalse(finished.isDone());
      removals.release();
      finished.join();
      assertEquals(5, only(agent).merged().supersededSegments());
    }
    assertEquals(1, requireWhole().segments);
  }

  @Test
  void bytesThatWereOverwrittenMeanwhileAreNotMerged() throws Exception {
    Path log = place.log("app.log");
    try (TestAgent agent = start()) {
      append(agent, log, UNHELD);
      append(agent, log, UNHELD);
      try (var file = Files.newByteChannel(log, StandardOpenOption.WRITE)) {
        file.position(1000).write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5}));
      }
      append(agent, log, UNHELD);
      append(agent, log, UNHELD);
      // The four are given up, and what follows is merged.
      for (int i = 0; i < 4; i++) {
        append(agent, log, UNHELD);
      }
      awaitMerged(agent, 1);
      agent.awaitDelivered(log);
    }
    ArchiveContents.StreamContents stream = requireWhole(Files.readAllBytes(log));
    assertTrue(stream.segments >= 4, () -> "merged all the same: " + stream);
  }

  @Test
  void aRenamedFileIsFoundThroughItsDescriptor() throws Exception {
    Path log = place.log("app.log");
    try (TestAgent agent = start()) {
      append(agent, log, UNHELD);
      append(agent, log, UNHELD);
      Path renamed = place.log("app.log.1");
      Files.move(log, renamed);
      append(agent, renamed, UNHELD);
      append(agent, renamed, UNHELD);
      awaitMerged(agent, 1);
      assertTrue(agent.agent.status(PosixPath.of(renamed)).isDelivered());
    }
    int left = requireWhole().segments;
    assertTrue(left < 4, () -> "of four are left " + left);
  }

  @ParameterizedTest
  @CsvSource({
    "beginSegment, FAIL_TRANSIENT",
    "write, FAIL_TRANSIENT",
    "commit, FAIL_TRANSIENT",
    "commit, LOSE_ANSWER",
    "delete, FAIL_TRANSIENT",
    "delete, LOSE_ANSWER"
  })
  void aFailureIsReportedAndTriedAgainAndLosesNothing(String method, DestinationFault fault)
      throws Exception {
    Path log = place.log("app.log");
    Destination archive =
        FaultyDestination.wrap(
            place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE),
            DestinationFaultPlan.once(method, fault));
    try (TestAgent agent =
        TestAgent.start(merging(place.config(), 1000), archive, TestAgent.REAL_CALLS)) {
      for (int i = 0; i < 3; i++) {
        append(agent, log, 400);
      }
      TestAgent.await("two are superseded", () -> only(agent).merged().supersededSegments() >= 2);
      assertTrue(agent.problems.stream().anyMatch(problem -> problem.subject().equals("merging")));
      TestAgent.await("it is over", () -> agent.agent.status().problems().isEmpty());
    }
    requireWhole();
  }
}
