package dev.tailwater.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.route.Bandwidth;
import dev.tailwater.delivery.status.FileDelivery;
import dev.tailwater.delivery.status.StatusReport;
import dev.tailwater.delivery.sums.BlockSums;
import dev.tailwater.delivery.watch.Losses;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.PutResult;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes that were changed after they had been read are delivered again. */
class ChangedInPlaceTest {
  /** A text longer than what is compared before the position. */
  private static final String BEFORE = "b".repeat(1000);

  private TestAgent.Place place;
  private Path file;

  @BeforeEach
  void choosePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    file = place.log("data.db");
    Files.writeString(file, BEFORE);
  }

  private void changeFirstByte() throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.write('X');
    }
  }

  private FileDelivery delivery(TestAgent agent) throws Exception {
    return agent.agent().status(PosixPath.of(file));
  }

  private static List<PosixPath> changed(Losses.Report losses) {
    return losses.changed().stream().map(Losses.Changed::path).toList();
  }

  private ArchiveContents.StreamContents archived() throws Exception {
    return place.contents().bornAt(file.toString()).getFirst();
  }

  private void assertArchived() throws Exception {
    assertArrayEquals(Files.readAllBytes(file), archived().prefix());
    assertEquals(1, place.contents().bornAt(file.toString()).size());
  }

  @Test
  void aByteThatWasChangedIsDelivered() throws Exception {
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(file);
      changeFirstByte();
      assertFalse(delivery(agent).isDelivered(), "as soon as it is written");
      agent.awaitDelivered(file);
      assertArchived();
      assertTrue(agent.drain().isComplete());
      assertEquals(List.of(), agent.problems);
    }
  }

  /** Bytes that end with their own CRC have one CRC, whatever they are. */
  @Test
  void aChangeIsDeliveredThoughTheFileEndsWithAChecksumOfItself() throws Exception {
    writeWithChecksum(new CRC32C(), 'b');
    byte[] first = Files.readAllBytes(file);
    try (TestAgent agent = TestAgent.start(place)) {
      for (Checksum checksum : List.of(new CRC32C(), new CRC32())) {
        for (char letter : "cde".toCharArray()) {
          agent.awaitDelivered(file);
          writeWithChecksum(checksum, letter);
        }
        agent.awaitDelivered(file);
        assertArchived();
      }
    }
    assertEquals(first.length, Files.size(file));
  }

  /** What the archive knows of them is that CRC. */
  @Test
  void whatEndsWithAChecksumOfItselfIsDeliveredWhenItWasChangedAndTheStateIsLost()
      throws Exception {
    for (char letter : "bcd".toCharArray()) {
      writeWithChecksum(new CRC32C(), letter);
      try (TestAgent agent = TestAgent.start(place)) {
        assertTrue(agent.drain().isComplete());
      }
      Files.move(place.state(), place.base().resolve("lost-" + letter));
      assertArrayEquals(
          Files.readAllBytes(file), place.contents().bornAt(file.toString()).getLast().prefix());
    }
  }

  private void writeWithChecksum(Checksum checksum, char letter) throws Exception {
    ByteBuffer bytes = ByteBuffer.allocate(1500).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(String.valueOf(letter).repeat(500).getBytes(UTF_8));
    checksum.reset();
    checksum.update(bytes.array(), 0, bytes.position());
    bytes.putInt((int) checksum.getValue());
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.write(bytes.array());
    }
  }

  @Test
  void onlyTheBlocksThatWereChangedAreDeliveredAgain() throws Exception {
    byte[] bytes = new byte[3_000_001];
    new Random(7).nextBytes(bytes);
    Files.write(file, bytes);
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(file);
      // A segment is counted after it is acknowledged.
      TestAgent.await("all is counted", () -> agent.agent().counters().rawBytes() == bytes.length);
      try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
        open.seek(2 * BlockSums.BLOCK_BYTES - 1);
        open.write(new byte[] {1, 2});
        open.seek(20 * BlockSums.BLOCK_BYTES);
        open.write(3);
      }
      agent.awaitDelivered(file);
      assertArchived();
      TestAgent.await(
          "what was changed is counted", () -> agent.agent().counters().rawBytes() > bytes.length);
      assertEquals(3L * BlockSums.BLOCK_BYTES, agent.agent().counters().rawBytes() - bytes.length);
    }
  }

  @Test
  void aDrainDeliversWhatWasChangedLast() throws Exception {
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(file);
      changeFirstByte();
      assertTrue(agent.drain().isComplete());
    }
    assertArchived();
  }

  @Test
  void whatWasChangedBesideAnAppendIsDelivered() throws Exception {
    Files.write(file, new byte[500_000]);
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(file);
      changeFirstByte();
      Files.writeString(file, "more", StandardOpenOption.APPEND);
      agent.awaitDelivered(file);
      assertArchived();
    }
  }

  @Test
  void whatWasChangedIsDeliveredThoughItsBlockGrowsMeanwhile() throws Exception {
    HeldPack held = new HeldPack(place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE));
    try (TestAgent agent = TestAgent.start(place.config(), held, TestAgent.REAL_CALLS)) {
      agent.awaitDelivered(file);
      long sealedBefore = agent.agent().counters().sealedSegments();
      held.begin();
      changeFirstByte();
      TestAgent.await("it is under way", () -> !delivery(agent).isDelivered() && held.isHeld());
      Files.writeString(file, "more", StandardOpenOption.APPEND);
      TestAgent.await(
          "what was appended is read",
          () ->
              TestAgent.withPacks() // Which arrive one after the other.
                  ? agent.agent().counters().sealedSegments() > sealedBefore + 1
                  : delivery(agent).durableBytes() == Files.size(file));
      held.end();
      agent.awaitDelivered(file);
      assertArchived();
    }
  }

  /** Has a pack wait. */
  private static final class HeldPack extends ForwardingDestination {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean holds;

    HeldPack(Destination real) {
      super(real);
    }

    void begin() {
      holds = true;
    }

    boolean isHeld() {
      return begun.getCount() == 0;
    }

    void end() {
      ended.countDown();
    }

    @Override
    public PutResult putSegment(String key, ByteBuffer content) throws DestinationException {
      if (holds && PackName.parse(key).isPresent()) {
        begun.countDown();
        try {
          ended.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      return real().putSegment(key, content);
    }
  }

  @Test
  void whatWasChangedThroughAMappingIsDelivered() throws Exception {
    Files.write(file, new byte[500_000]);
    try (TestAgent agent = TestAgent.start(place);
        FileChannel channel =
            FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      agent.awaitDelivered(file);
      MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, 500_000);
      mapped.put(300_000, (byte) 1);
      agent.awaitDelivered(file);
      assertArchived();
    }
  }

  /** The kernel sets the time of a file at the first store into a page that was written back. */
  @Test
  void aDrainDeliversWhatIsStoredWithoutASignSoonAfterAComparison() throws Exception {
    Files.write(file, new byte[500_000]);
    try (TestAgent agent = TestAgent.start(place);
        FileChannel channel =
            FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      agent.awaitDelivered(file);
      MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, 500_000);
      for (byte value = 1; value < 5; value++) {
        mapped.put(300_000 + value, value);
        assertTrue(agent.agent().drainAndGoOn(Duration.ofMinutes(2)).isComplete());
        assertArchived();
      }
    }
  }

  @Test
  void theNextRunDeliversWhatIsStoredWithoutASignSoonAfterAComparison() throws Exception {
    Files.write(file, new byte[500_000]);
    try (TestAgent agent = TestAgent.start(place)) {
      assertTrue(agent.drain().isComplete());
    }
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, 500_000);
      for (byte value = 1; value < 5; value++) {
        mapped.put(300_000 + value, value);
        try (TestAgent agent = TestAgent.start(place)) {
          assertTrue(agent.drain().isComplete());
        }
        assertArchived();
      }
    }
  }

  @Test
  void whatIsChangedAgainAndAgainEndsAsTheFileDoes() throws Exception {
    byte[] bytes = new byte[2_000_000];
    Files.write(file, bytes);
    Random random = new Random(5);
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(file);
      for (int round = 0; round < 5; round++) {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
          for (int i = 0; i < 20; i++) {
            open.seek(random.nextInt(bytes.length - 1000));
            open.write(random.nextInt());
          }
        }
        if (round % 2 == 0) {
          agent.awaitDelivered(file);
          assertArchived();
        }
      }
      assertTrue(agent.drain().isComplete());
    }
    assertArchived();
  }

  @Test
  void whatADyingAgentHasNotComparedIsNotCalledChanged() throws Exception {
    Files.write(file, new byte[10_000]);
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(file);
      Files.write(file, new byte[10_000], StandardOpenOption.APPEND);
      TestAgent.await("the rest is delivered", () -> agent.agent.counters().rawBytes() == 20_000);
    }
    assertEquals(0, offline().files().losses().changedFiles());
    assertEquals(1, offline().files().uncomparedFiles());
    try (TestAgent agent = TestAgent.start(place)) {
      assertTrue(agent.drain().isComplete());
    }
    assertEquals(0, offline().files().uncomparedFiles());
  }

  private StatusReport offline() {
    try {
      return OfflineStatus.read(TestAgent.REAL_CALLS, PosixPath.of(place.state()))
          .orElseThrow()
          .report();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whatWasChangedWhileNoAgentRanIsDelivered() throws Exception {
    Files.write(file, new byte[500_000]);
    try (TestAgent agent = TestAgent.start(place)) {
      assertTrue(agent.drain().isComplete());
    }
    changeFirstByte();
    assertEquals(List.of(PosixPath.of(file)), changed(offline().files().losses()));
    try (TestAgent agent = TestAgent.start(place)) {
      assertTrue(agent.drain().isComplete());
      // The checksums are kept, so that not everything is delivered again.
      assertEquals(BlockSums.BLOCK_BYTES, agent.agent().counters().rawBytes());
    }
    assertArchived();
  }

  @ParameterizedTest
  @ValueSource(longs = {-5, 0, 1})
  void whatWasChangedWhileNoAgentRanIsDeliveredWhateverTheTimeOfTheFileWas(long secondsSince1970)
      throws Exception {
    Files.setLastModifiedTime(file, FileTime.from(secondsSince1970, TimeUnit.SECONDS));
    try (TestAgent agent = TestAgent.start(place)) {
      assertTrue(agent.drain().isComplete());
    }
    changeFirstByte();
    try (TestAgent agent = TestAgent.start(place)) {
      assertTrue(agent.drain().isComplete());
    }
    assertArchived();
  }

  @Test
  void aFileThatWasChangedIsNotDeliveredAgainWhenTheStateIsLost() throws Exception {
    Files.write(file, new byte[500_000]);
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(file);
      changeFirstByte();
      assertTrue(agent.drain().isComplete());
    }
    Files.move(place.state(), place.base().resolve("lost"));
    try (TestAgent agent = TestAgent.start(place)) {
      assertTrue(agent.drain().isComplete());
      assertEquals(0, agent.agent().counters().rawBytes());
    }
    assertArchived();
  }

  @Test
  void aFileThatWasChangedAndDeletedIsDeliveredAsItWasLast() throws Exception {
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(file);
      changeFirstByte();
      byte[] last = Files.readAllBytes(file);
      Files.delete(file);
      TestAgent.await(
          "the stream ends", () -> archived().record().flatMap(r -> r.end()).isPresent());
      assertArrayEquals(last, archived().prefix());
      assertTrue(agent.drain().isComplete());
    }
  }

  @Test
  void aFileThatIsMovedAwayAndChangedThenIsDeliveredAsItWasLast() throws Exception {
    Path elsewhere = place.base().resolve("elsewhere");
    try (TestAgent agent = TestAgent.start(place);
        RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      agent.awaitDelivered(file);
      Files.move(file, elsewhere);
      open.write('X');
      awaitEnd(StreamRecord.EndReason.MOVED_AWAY);
      assertArrayEquals(Files.readAllBytes(elsewhere), archived().prefix());
      assertTrue(agent.drain().isComplete());
    }
  }

  @Test
  void aFileThatIsChangedThroughADescriptorAfterItsDeletionIsDeliveredAsItWasLast()
      throws Exception {
    try (TestAgent agent = TestAgent.start(place);
        RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      agent.awaitDelivered(file);
      Files.delete(file);
      open.write('X');
      awaitEnd(StreamRecord.EndReason.DELETED);
      byte[] last = new byte[(int) open.length()];
      open.seek(0);
      open.readFully(last);
      assertArrayEquals(last, archived().prefix());
      assertTrue(agent.drain().isComplete());
    }
  }

  private void awaitLastPath(Path path) throws Exception {
    TestAgent.await(
        path + " is told as the last path",
        () ->
            archived().record().stream()
                .flatMap(record -> record.paths().stream())
                .reduce((_, later) -> later)
                .filter(last -> last.path().equals(PosixPath.of(path)))
                .isPresent());
  }

  private void awaitEnd(StreamRecord.EndReason reason) throws Exception {
    TestAgent.await(
        "the stream ends",
        () ->
            archived().record().flatMap(record -> record.end()).stream()
                .anyMatch(end -> end.reason() == reason));
  }

  @Test
  void whatWasChangedIsDeliveredToEveryDestination() throws Exception {
    Files.createDirectories(place.base().resolve("other"));
    try (TestAgent agent =
        TestAgent.start(
            place.config(),
            List.of(
                new AgentDestination(
                    "one",
                    place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE),
                    true,
                    Bandwidth.UNLIMITED),
                new AgentDestination(
                    "two",
                    place.openArchive("other", TestAgent.REAL_CALLS, OpenIntent.WRITE),
                    true,
                    Bandwidth.UNLIMITED)),
            TestAgent.REAL_CALLS)) {
      agent.awaitDelivered(file);
      changeFirstByte();
      agent.awaitDelivered(file);
      for (String archive : List.of("archive", "other")) {
        assertArrayEquals(
            Files.readAllBytes(file),
            place.contents(archive).bornAt(file.toString()).getFirst().prefix());
      }
    }
  }

  @Test
  void aShortFileThatIsWrittenAnewAsItWasHasNotChanged() throws Exception {
    Files.writeString(file, "up\n");
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(file);
      rewrite("up\n");
      agent.awaitDelivered(file);
      assertTrue(agent.drain().isComplete());
    }
    rewrite("up\n");
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(file);
      assertTrue(agent.drain().isComplete());
      assertEquals(List.of(), agent.problems);
    }
  }

  private void rewrite(String text) throws Exception {
    Files.writeString(file, text, StandardOpenOption.WRITE);
  }

  @Test
  void aTruncatedFileIsNotSaidToBeChanged() throws Exception {
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(file);
      Files.writeString(file, "c".repeat(1000)); // As long as it was, and all of it is new.
      agent.awaitDelivered(file);
      TestAgent.await(
          "the stream has ended", () -> place.contents().bornAt(file.toString()).size() == 2);
      assertTrue(agent.drain().isComplete());
    }
  }

  @Test
  void appendingRenamingAndWhatElseOnlyConcernsNamesChangesNothing() throws Exception {
    Path renamed = place.log("data.db.1");
    try (TestAgent agent = TestAgent.start(place)) {
      for (int i = 0; i < 200; i++) {
        Files.writeString(file, "line " + i + "\n", UTF_8, StandardOpenOption.APPEND);
        if (i % 20 == 0) {
          agent.awaitDelivered(file);
        }
      }
      agent.awaitDelivered(file);
      Files.move(file, renamed);
      Files.setPosixFilePermissions(renamed, PosixFilePermissions.fromString("rw-------"));
      awaitLastPath(renamed);
      Files.createLink(file, renamed);
      awaitLastPath(file); // A name that is gone before it is seen may have been a file of its own.
      agent.awaitDelivered(renamed);
      Files.delete(file);
      DrainReport report = agent.drain();
      assertTrue(report.isComplete(), report.toString());
      Files.delete(renamed);
      assertEquals(List.of(), agent.problems);
    }
    try (TestAgent agent = TestAgent.start(place)) {
      DrainReport report = agent.drain();
      assertTrue(report.isComplete(), report.toString());
      assertEquals(List.of(), agent.problems);
    }
  }
}
