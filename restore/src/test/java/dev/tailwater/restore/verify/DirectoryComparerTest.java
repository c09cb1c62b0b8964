package dev.tailwater.restore.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.Command;
import dev.tailwater.posix.testkit.TestFileSystems;
import dev.tailwater.restore.Bytes;
import dev.tailwater.restore.Outcome;
import dev.tailwater.restore.ReadOptions;
import dev.tailwater.restore.RestoreFixture;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.TestArchive;
import dev.tailwater.restore.attribute.OwnerChoice;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DirectoryComparerTest extends RestoreFixture {
  private static final int LENGTH = 300_000;
  private final byte[] contents = Bytes.random(LENGTH, 11);
  private final TestArchive archive = TestArchive.inMemory();
  private Path logs;

  @BeforeEach
  void makeLogs() throws IOException {
    logs = Files.createDirectory(scratch.resolve("logs"));
  }

  private CompareReport compare(Path directory) throws IOException {
    return compare(directory, TestArchive.options());
  }

  private CompareReport compare(Path directory, ReadOptions reading) throws IOException {
    return new DirectoryComparer(CALLS, archive.destination, reading, RestoreProgress.none())
        .compare(archive.index(reading), PosixPath.of(directory));
  }

  private static ComparedStream one(CompareReport report) {
    assertEquals(1, report.streams().size());
    return report.streams().getFirst();
  }

  /** A stream with the identity of a real file, delivered in three segments. */
  private TestArchive.TestStream shipped(Path file) throws IOException {
    TestArchive.TestStream stream;
    PosixPath path = PosixPath.of(file);
    try (Descriptor open = Descriptor.open(CALLS, FileCalls.AT_FDCWD, path, Set.of(), 0)) {
      StreamId id = StreamId.of("web-1", FileIdentity.of(CALLS, open.fd()), 0);
      stream = archive.new TestStream("web-1", path, id);
    }
    stream.segment(contents, 0, 100_000);
    stream.segment(contents, 100_000, 200_000);
    stream.segment(contents, 200_000, LENGTH);
    return stream;
  }

  @Test
  void encryptedSegmentsThatCannotBeComparedAreUnknown() throws IOException {
    archive.with(new Codec.Zstd(1), List.of(KeyPair.generate(new SecureRandom()).recipient()));
    shipped(Files.write(logs.resolve("a"), contents));
    byte[] other = new byte[ContentKey.KEY_BYTES];
    other[0] = 1;

    for (ReadOptions reading :
        List.of(
            TestArchive.options(), TestArchive.options().withContentKey(ContentKey.of(other)))) {
      CompareReport report = compare(logs, reading);
      assertEquals(Outcome.FAILED, report.outcome());
      assertEquals(CompareResult.UNKNOWN, one(report).result());
      assertTrue(one(report).problem().orElseThrow().contains("--identity"));
    }
  }

  @Test
  void anIdentityComparesEncryptedSegmentsThatStateNothing() throws IOException {
    KeyPair keys = KeyPair.generate(new SecureRandom());
    archive.with(new Codec.Zstd(1), List.of(keys.recipient()));
    shipped(Files.write(logs.resolve("a"), contents));

    CompareReport report =
        compare(logs, TestArchive.options().withIdentities(List.of(keys.identity())));

    assertEquals(CompareResult.SAME, one(report).result());
  }

  @Test
  void aFileThatIsStoredByteForByteIsTheSameWithoutAnyIdentity() throws IOException {
    archive.with(new Codec.Zstd(1), List.of(KeyPair.generate(new SecureRandom()).recipient()));
    shipped(Files.write(logs.resolve("a"), contents));

    CompareReport report =
        compare(logs, TestArchive.options().withContentKey(TestArchive.CONTENT_KEY));

    assertEquals(Outcome.DONE, report.outcome());
    assertEquals(CompareResult.SAME, one(report).result());
    assertEquals(LENGTH, one(report).comparedBytes());
  }

  @Test
  void whatIsNotDeliveredYetIsListed() throws IOException {
    Path file = Files.write(logs.resolve("a"), contents);
    shipped(file);
    Files.write(file, Bytes.text("more"), StandardOpenOption.APPEND);

    CompareReport report = compare(logs);

    assertEquals(Outcome.PARTIAL, report.outcome());
    assertEquals(CompareResult.UNDELIVERED, one(report).result());
    assertEquals("[[300000, 300004)]", one(report).undelivered().toString());
  }

  @Test
  void bytesThatAFileHasWhereTheArchiveHasAGapAreNotDelivered() throws IOException {
    TestArchive.TestStream stream = archive.stream("/a", 1);
    stream.segment(contents, 0, 100_000);
    stream.gap(100_000, 200_000, "moved away before it was read");
    stream.segment(contents, 200_000, contents.length);
    byte[] restored = contents.clone();
    Arrays.fill(restored, 100_000, 200_000, (byte) 0);
    Path file = Files.write(logs.resolve("a"), restored);

    assertEquals(CompareResult.SAME, one(compare(logs)).result());

    Files.write(file, contents);
    CompareReport report = compare(logs);

    assertEquals(Outcome.PARTIAL, report.outcome());
    assertEquals(CompareResult.UNDELIVERED, one(report).result());
    assertEquals("[[100000, 200000)]", one(report).undelivered().toString());
  }

  @Test
  void theFirstByteThatDiffersIsNamed() throws IOException {
    Path file = Files.write(logs.resolve("a"), contents);
    shipped(file);
    byte[] changed = contents.clone();
    changed[150_003] ^= 1;
    Files.write(file, changed);

    CompareReport report = compare(logs);

    assertEquals(Outcome.FAILED, report.outcome());
    assertEquals(CompareResult.DIFFERENT, one(report).result());
    Difference difference = one(report).differences().getFirst();
    assertEquals("[100000, 200000)", difference.range().toString());
    assertEquals(OptionalLong.of(150_003), difference.firstOffsetBytes());
    assertEquals(1, one(report).differences().size());
  }

  @Test
  void encryptedSegmentsThatDifferNameTheRangeOnly() throws IOException {
    archive.with(new Codec.Zstd(1), List.of(KeyPair.generate(new SecureRandom()).recipient()));
    Path file = Files.write(logs.resolve("a"), contents);
    shipped(file);
    byte[] changed = contents.clone();
    changed[150_003] ^= 1;
    Files.write(file, changed);

    ReadOptions reading = TestArchive.options().withContentKey(TestArchive.CONTENT_KEY);
    Difference difference = one(compare(logs, reading)).differences().getFirst();

    assertEquals("[100000, 200000)", difference.range().toString());
    assertEquals(OptionalLong.empty(), difference.firstOffsetBytes());
  }

  @Test
  void aFileThatIsShorterThanItsStreamIsDifferent() throws IOException {
    Path file = Files.write(logs.resolve("a"), contents);
    shipped(file);
    try (var channel = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
      channel.truncate(250_000);
    }

    ComparedStream one = one(compare(logs));

    assertEquals(CompareResult.DIFFERENT, one.result());
    assertEquals(OptionalLong.of(250_000), one.differences().getFirst().firstOffsetBytes());
  }

  @Test
  void aDeletedFileAndOneThatWasReplacedAreNoErrors() throws IOException {
    Path deleted = Files.write(logs.resolve("deleted"), contents);
    shipped(deleted);
    Path rotated = Files.write(logs.resolve("rotated"), contents);
    shipped(rotated);
    Files.delete(deleted);
    Files.move(rotated, scratch.resolve("elsewhere"));
    Files.write(rotated, Bytes.text("the next one"));

    CompareReport report = compare(logs);

    assertEquals(Outcome.DONE, report.outcome());
    assertEquals(1, report.count(CompareResult.NOT_THERE));
    assertEquals(1, report.count(CompareResult.REPLACED));
  }

  @Test
  void aRestoredDirectoryComparesEqualAndASingleChangeIsFound() throws IOException {
    TestArchive.TestStream older = archive.stream("/var/log/a", 1);
    older.segment(contents, 0, 1000);
    archive.stream("/var/log/a", 2).segment(contents, 1000, 2000);
    archive.stream("/var/log/a", 2).segmentAt(0, Arrays.copyOf(contents, 1000));
    restore(archive);

    assertEquals(Outcome.DONE, compare(target()).outcome());
    assertEquals(2, compare(target()).count(CompareResult.SAME));

    Path changed = target().resolve("var/log/a.~" + older.id);
    byte[] bytes = Files.readAllBytes(changed);
    bytes[999] ^= 1;
    Files.write(changed, bytes);
    assertEquals(1, compare(target()).count(CompareResult.DIFFERENT));
  }

  @Test
  void symbolicLinksAreNotFollowed() throws IOException {
    Path file = Files.write(logs.resolve("a"), contents);
    shipped(file);
    Files.move(file, scratch.resolve("elsewhere"));
    Files.createSymbolicLink(file, scratch.resolve("elsewhere"));

    CompareReport report = compare(logs);

    assertEquals(CompareResult.UNKNOWN, one(report).result());
    assertTrue(one(report).problem().orElseThrow().contains("ELOOP"));
  }

  @Test
  void aLinkAboveAFileIsNotFollowedButNamedAsWhatToCompare() throws IOException {
    Path real = Files.createDirectory(scratch.resolve("real"));
    Path link = Files.createSymbolicLink(logs.resolve("link"), real);
    Path file = Files.write(Files.createDirectory(link.resolve("sub")).resolve("a"), contents);
    shipped(file);
    shipped(Files.write(link.resolve("b"), contents));

    CompareReport report = compare(logs);

    assertEquals(Outcome.FAILED, report.outcome());
    assertEquals(2, report.count(CompareResult.UNKNOWN));
    for (ComparedStream stream : report.streams()) {
      assertTrue(stream.problem().orElseThrow().contains("--against " + link + " "));
    }
    assertEquals(2, compare(link).count(CompareResult.SAME));
  }

  @Test
  void aDamagedObjectThatIsNotEncryptedIsNotCalledSo() throws IOException {
    Path file = Files.write(logs.resolve("a"), contents);
    TestArchive.TestStream stream = archive.stream(file.toString(), 1);
    archive.destination.putObject(stream.segmentAt(0, contents), new byte[0]);

    CompareReport report =
        new DirectoryComparer(
                CALLS, archive.destination, TestArchive.options(), RestoreProgress.none())
            .withTree(OwnerChoice.NONE)
            .compare(archive.index(TestArchive.options()), PosixPath.of(logs));

    assertEquals(CompareResult.UNKNOWN, one(report).result());
    assertFalse(report.hasLockedBytes());
    assertEquals(0, report.lockedAttributes());
  }

  /** What a file held before it was truncated; it has another path since. */
  private void truncatedThere(Path file, Path now) throws IOException {
    TestArchive.TestStream before = shipped(file);
    end(before, StreamRecord.EndReason.TRUNCATED);
    TestArchive.TestStream after =
        archive.new TestStream("web-1", PosixPath.of(file), before.id.withEpoch(1));
    after.segmentAt(0, Bytes.text("new"));
    after.renamed(now.toString(), 3);
  }

  private static void end(TestArchive.TestStream stream, StreamRecord.EndReason reason)
      throws IOException {
    stream.record(stream.path, LENGTH, Optional.of(new StreamRecord.End(reason, LENGTH, 1)));
  }

  @Test
  void aFileThatWasTruncatedAndGotAnotherNameReplacesWhatItHeldBefore() throws IOException {
    Path file = Files.write(logs.resolve("a"), contents);
    Path second = Files.createLink(logs.resolve("second"), file);
    truncatedThere(file, second);
    Files.writeString(file, "new");

    CompareReport report = compare(logs);

    assertEquals(Outcome.DONE, report.outcome());
    assertEquals(1, report.count(CompareResult.REPLACED));
    assertEquals(1, report.count(CompareResult.SAME));
  }

  @Test
  void anotherFileReplacesOneThatHasEndedAndWasNeverRead() throws IOException {
    PosixPath path = PosixPath.of(logs.resolve("a"));
    TestArchive.TestStream gone =
        archive.new TestStream("web-1", path, archive.stream("/other", 77).id);
    gone.gap(0, LENGTH, "the file vanished while no agent watched");
    end(gone, StreamRecord.EndReason.VANISHED);
    Files.writeString(logs.resolve("a"), "another one");

    CompareReport report = compare(logs);

    assertEquals(1, report.count(CompareResult.REPLACED), report::toString);
    assertEquals(0, report.count(CompareResult.UNDELIVERED));
  }

  /** An agent that lost its state does not tell that these files have ended. */
  @Test
  void whatIsNoFileReplacesOneThatHasNotEnded() throws Exception {
    Path fifo = Files.write(logs.resolve("fifo"), contents);
    Path socket = Files.write(logs.resolve("socket"), contents);
    Path directory = Files.write(logs.resolve("directory"), contents);
    for (Path file : List.of(fifo, socket, directory)) {
      shipped(file);
      Files.delete(file);
    }
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
    Files.createDirectory(directory);
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));

      CompareReport report = compare(logs);

      assertEquals(3, report.count(CompareResult.REPLACED), report::toString);
      assertEquals(Outcome.DONE, report.outcome());
    }
  }

  /** As {@code InaccessiblePaths=} of systemd hides a file. */
  @Test
  void whatIsMountedOverAFileReplacesNothing() throws Exception {
    assumeTrue(TestFileSystems.isRoot(), "only root can mount");
    Path file = Files.write(logs.resolve("a"), contents);
    shipped(file);
    Command.run(List.of("mount", "--bind", "/dev/null", file.toString())).requireSuccess();
    try {
      CompareReport report = compare(logs);

      assertEquals(0, report.count(CompareResult.REPLACED), report::toString);
      assertEquals(1, report.count(CompareResult.UNKNOWN));
    } finally {
      Command.run(List.of("umount", file.toString())).requireSuccess();
    }
  }

  @Test
  void aDirectoryOrALinkReplacesAFileThatHasEnded() throws IOException {
    Path directory = Files.write(logs.resolve("a"), contents);
    end(shipped(directory), StreamRecord.EndReason.DELETED);
    Path link = Files.write(logs.resolve("b"), contents);
    end(shipped(link), StreamRecord.EndReason.DELETED);
    Files.delete(directory);
    Files.createDirectory(directory);
    Files.delete(link);
    Files.createSymbolicLink(link, directory);

    CompareReport report = compare(logs);

    assertEquals(Outcome.DONE, report.outcome());
    assertEquals(2, report.count(CompareResult.REPLACED));
  }
}
