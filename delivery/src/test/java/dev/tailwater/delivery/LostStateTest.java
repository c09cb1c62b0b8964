package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.ContentCheck;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.CrashError;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What was rewritten while no agent ran is delivered, although the state is lost as well, or knows
 * less than the archive.
 */
class LostStateTest {
  private static final int PARTS = 2;

  /** Shorter ranges in packs would be compared as one. */
  private static final int PART_BYTES = 1_100_000;

  private final KeyPair keys = KeyPair.generate(new SecureRandom());
  private final Random random = new Random(17);
  private TestAgent.Place place;
  private Path file;

  /** What holds the bytes. */
  enum Held {
    SEGMENTS(false),
    ENCRYPTED_SEGMENTS(true),
    PACKS(false),
    ENCRYPTED_PACKS(true);

    final boolean encrypted;

    Held(boolean encrypted) {
      this.encrypted = encrypted;
    }
  }

  @BeforeEach
  void choosePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    file = place.log("data.db");
    Files.createFile(file);
  }

  private AgentConfig config(Held held) {
    AgentConfig.Builder config =
        place.config().toBuilder()
            .packs(held.name().endsWith("PACKS") ? PackUse.ALWAYS : PackUse.NEVER);
    if (held.encrypted) {
      config
          .recipients(List.of(keys.recipient()))
          .contentCheck(ContentCheck.with(ContentKey.of(new byte[ContentKey.KEY_BYTES])));
    }
    return config.build();
  }

  /** Runs an agent until nothing is left; returns how many bytes it has sent. */
  private long run(Held held) throws Exception {
    return run(held, List.of());
  }

  private long run(Held held, List<String> said) throws Exception {
    try (TestAgent agent = TestAgent.start(place, config(held), TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
      assertEquals(said, agent.problems.stream().map(Problem::subject).toList());
      return agent.agent().counters().rawBytes();
    }
  }

  private void append(int lengthBytes) throws IOException {
    byte[] bytes = new byte[lengthBytes];
    random.nextBytes(bytes);
    Files.write(file, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** Delivers a file part by part, and loses what the agent knows of it. */
  private void shipAndLoseTheState(Held held) throws Exception {
    for (int part = 0; part < PARTS; part++) {
      append(PART_BYTES);
      run(held);
    }
    loseState();
  }

  /** Delivers a file part by part; of all but the first, the state that is kept knows nothing. */
  private void shipAndBeKilled(Held held) throws Exception {
    Path saved = place.base().resolve("saved");
    try (TestAgent agent = TestAgent.start(place, config(held), TestAgent.REAL_CALLS)) {
      append(PART_BYTES);
      agent.awaitDelivered(file);
      place.copyState(saved);
      for (int part = 0; part < PARTS; part++) {
        append(PART_BYTES);
        agent.awaitDelivered(file);
      }
    }
    place.restoreState(saved);
  }

  /**
   * A kill has arrivals go on ahead of the clock. What the next agent tells of them in segments
   * alone, none finds that has lost its state.
   */
  @ParameterizedTest
  @EnumSource
  void whatCameToAPathAfterTheLossOfTheStateCameLast(Held held) throws Exception {
    Path other = Files.writeString(place.log("other"), "new\n");
    killAfter(held, agent -> agent.agent().drainAndGoOn(Duration.ofMinutes(2)));
    Files.writeString(file, "old\n");
    killAfter(held, agent -> agent.awaitDelivered(file));
    long before = lastArrival(file);
    Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
    loseState();
    Files.writeString(file, "newer\n", StandardOpenOption.APPEND);
    run(held);
    long after = lastArrival(other);
    assertTrue(after > before, after + " is not after " + before);
  }

  private interface Use {
    void use(TestAgent agent) throws Exception;
  }

  private void killAfter(Held held, Use use) throws Exception {
    FaultyFileCalls calls = FaultyFileCalls.wrap(TestAgent.REAL_CALLS, FaultPlan.none());
    TestAgent agent = TestAgent.start(place, config(held), calls.calls());
    use.use(agent);
    calls.kill();
    try {
      agent.close();
    } catch (CrashError | IOException | RuntimeException e) {
      // It is dead.
    }
  }

  /** Returns the highest arrival that is told of the streams that were born there. */
  private long lastArrival(Path born) throws IOException {
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      return ArchiveContents.load(archive, List.of(keys.identity()))
          .bornAt(born.toString())
          .stream()
          .flatMap(stream -> stream.arrivals.stream())
          .mapToLong(Long::longValue)
          .max()
          .orElseThrow();
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsUnchangedIsComparedByTheFirstRunOnly(Held held) throws Exception {
    shipAndLoseTheState(held);
    run(held);
    try (TestAgent agent = TestAgent.start(place, config(held), TestAgent.REAL_CALLS)) {
      TestAgent.await("it is found", () -> agent.agent().status().files().watched() == 1);
      TestAgent.await("it needs no memory", () -> agent.agent().filesInMemory() == 0);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aShortUnchangedFileIsComparedByTheFirstRunOnly(Held held) throws Exception {
    append(100);
    run(held);
    loseState();
    run(held);
    try (TestAgent agent = TestAgent.start(place, config(held), TestAgent.REAL_CALLS)) {
      TestAgent.await("it is found", () -> agent.agent().status().files().watched() == 1);
      TestAgent.await("it needs no memory", () -> agent.agent().filesInMemory() == 0);
    }
  }

  private void loseState() throws IOException {
    Files.move(place.state(), Files.createTempDirectory(place.base(), "lost").resolve("state"));
  }

  private void rewrite(long offsetBytes) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.seek(offsetBytes);
      int before = open.read();
      open.seek(offsetBytes);
      open.write(before ^ 1);
    }
  }

  private List<ArchiveContents.StreamContents> archived() throws Exception {
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      return ArchiveContents.load(archive, List.of(keys.identity())).bornAt(file.toString());
    }
  }

  private void assertArchived() throws Exception {
    List<ArchiveContents.StreamContents> streams = archived();
    assertEquals(1, streams.size(), "only what was rewritten is delivered again");
    assertArrayEquals(Files.readAllBytes(file), streams.getFirst().prefix());
  }

  @ParameterizedTest
  @EnumSource
  void whatWasRewrittenInAnyRangeIsFound(Held held) throws Exception {
    shipAndLoseTheState(held);
    rewrite(10_000);
    rewrite(PART_BYTES + 10_000);
    long sentBytes = run(held);
    assertTrue(sentBytes < PARTS * PART_BYTES, "not all of it: " + sentBytes);
    assertArchived();
  }

  @ParameterizedTest
  @EnumSource
  void aForgedStreamOfTheLastEpochDoesNotKeepAFileFromBeingDelivered(Held held) throws Exception {
    shipAndLoseTheState(held);
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE)) {
      StreamId own =
          ArchiveContents.load(archive, List.of(keys.identity()))
              .bornAt(file.toString())
              .getFirst()
              .id();
      String forged =
          ArchiveNames.streamPrefix(
              TestAgent.NAME, PosixPath.of(file), own.withEpoch(Integer.MAX_VALUE));
      var _ =
          archive.putSegment(
              ArchiveNames.gap(forged, new ByteRange(0, 1)), ByteBuffer.wrap(new byte[1]));
    }
    assertEquals(0, run(held));
    Files.write(file, new byte[0]); // Truncated.
    append(10);
    assertEquals(10, run(held));
  }

  @ParameterizedTest
  @EnumSource
  void whatWasRewrittenIsFoundInAFileThatHasGrown(Held held) throws Exception {
    shipAndLoseTheState(held);
    rewrite(0);
    rewrite(PART_BYTES + 100);
    append(1000);
    run(held);
    assertArchived();
  }

  @ParameterizedTest
  @EnumSource
  void whatWasRewrittenIsFoundThoughTheTimeOfTheFileWasPutBack(Held held) throws Exception {
    shipAndLoseTheState(held);
    FileTime time = Files.getLastModifiedTime(file);
    rewrite(PART_BYTES + 100);
    Files.setLastModifiedTime(file, time);
    run(held);
    assertArchived();
  }

  @ParameterizedTest
  @EnumSource
  void aFileThatNobodyWroteToIsNotSentAgain(Held held) throws Exception {
    shipAndLoseTheState(held);
    assertEquals(0, run(held));
    rewrite(5);
    run(held);
    assertArchived();
    loseState();
    // Of a range that was replaced in part, the time tells, if the agent may read it.
    assertEquals(0, run(held, held.encrypted ? List.of("lost state") : List.of()));
    append(1000);
    run(held);
    assertArchived();
  }

  @ParameterizedTest
  @EnumSource
  void whatIsAppendedAfterARunThatSentNothingIsSentAlone(Held held) throws Exception {
    shipAndLoseTheState(held);
    assertEquals(0, run(held));
    append(1000);
    assertEquals(1000, run(held));
    rewrite(PART_BYTES + 200_000);
    long sentBytes = run(held);
    assertTrue(sentBytes < PART_BYTES, "one block of it: " + sentBytes);
    assertArchived();
  }

  @ParameterizedTest
  @EnumSource
  void whatWasRewrittenBehindTheCheckpointIsFound(Held held) throws Exception {
    shipAndBeKilled(held);
    rewrite(PART_BYTES - 10_000); // Of the block that was complete later.
    rewrite(PART_BYTES + 200_000);
    long sentBytes = run(held);
    assertTrue(sentBytes < PARTS * PART_BYTES, "not all of it: " + sentBytes);
    assertArchived();
  }

  @ParameterizedTest
  @EnumSource
  void whatWasDeliveredBehindTheCheckpointIsNotSentAgain(Held held) throws Exception {
    shipAndBeKilled(held);
    assertEquals(0, run(held));
    append(1000);
    assertEquals(1000, run(held));
    assertArchived();
  }

  /** The agent cannot read the times in encrypted packs, and lists no times of segments. */
  @ParameterizedTest
  @EnumSource
  void aTimeThatIsSetAfterAKillIsTold(Held held) throws Exception {
    Files.delete(file);
    run(held);
    StateTrouble trouble = new StateTrouble(place.state());
    MortalProcess process = new MortalProcess(trouble);
    process.live(
        () -> {
          try (TestAgent agent = TestAgent.start(place, config(held), process.calls())) {
            agent.awaitDelivered(Files.writeString(place.log("first"), "begins a run of packs"));
            trouble.set(StateTrouble.Kind.FULL);
            append(PART_BYTES);
            agent.awaitDelivered(file);
            process.faulty().kill();
          }
        });
    FileTime longAgo = FileTime.from(1_000_000_000, TimeUnit.SECONDS);
    Files.setLastModifiedTime(file, longAgo);
    assertEquals(0, run(held));
    assertArchived();
    assertEquals(longAgo.to(TimeUnit.NANOSECONDS), archived().getFirst().toldTimeNanos());
  }

  /** Arrivals go on ten seconds ahead then, which says nothing about the clock. */
  @ParameterizedTest
  @EnumSource
  void theClockIsNotCalledBehindAfterAKill(Held held) throws Exception {
    append(100);
    MortalProcess process = new MortalProcess(FaultPlan.none());
    process.live(
        () -> {
          try (TestAgent agent = TestAgent.start(place, config(held), process.calls())) {
            agent.awaitDelivered(file);
            process.faulty().kill();
          }
        });
    append(100);
    assertEquals(100, run(held));
    loseState();
    append(100);
    assertEquals(100, run(held, List.of()));
    assertArchived();
  }

  /** An agent that runs on finds it without a drain. */
  @ParameterizedTest
  @EnumSource
  void whatWasRewrittenIsFoundWhileTheFileGrows(Held held) throws Exception {
    shipAndLoseTheState(held);
    rewrite(10_000);
    append(1000);
    try (TestAgent agent = TestAgent.start(place, config(held), TestAgent.REAL_CALLS)) {
      agent.awaitDelivered(file);
      append(1000);
      agent.awaitDelivered(file);
    }
    assertArchived();
  }

  /** The CRC-32C of a range that is followed by its own one is the same whatever it holds. */
  @ParameterizedTest
  @EnumSource
  void whatEndsWithAChecksumOfItselfIsDeliveredWhenItWasRewritten(Held held) throws Exception {
    byte[] page = withChecksum('a');
    Files.write(file, page);
    run(held);
    shipAndLoseTheState(held);
    byte[] other = withChecksum('b');
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.write(other);
    }
    run(held);
    assertArchived();
  }

  private static byte[] withChecksum(char letter) {
    ByteBuffer bytes = ByteBuffer.allocate(PART_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putChar(0, letter);
    CRC32C crc = new CRC32C();
    crc.update(bytes.array(), 0, 504);
    bytes.putInt(504, (int) crc.getValue());
    return bytes.array();
  }
}
