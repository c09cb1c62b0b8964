package dev.tailwater.restore.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.Bytes;
import dev.tailwater.restore.Outcome;
import dev.tailwater.restore.ReadOptions;
import dev.tailwater.restore.RestoreFixture;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.TestArchive;
import dev.tailwater.restore.attribute.OwnerChoice;
import dev.tailwater.restore.place.RestoreOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Modes and owners of files are compared with those that a restore gives. */
class FileAttributesComparisonTest extends RestoreFixture {
  private static final String CONTENT = "first\n";

  private final TestArchive archive = TestArchive.inMemory();
  private TestArchive.TestStream stream;
  private int uid;
  private int gid;

  @BeforeEach
  void deliver() throws IOException {
    uid = (int) Files.getAttribute(scratch, "unix:uid");
    gid = (int) Files.getAttribute(scratch, "unix:gid");
    stream = archive.stream("/log/file", 1);
    stream.permissions = 04750;
    stream.owner = Optional.of(new FileOwner(uid + 1L, gid, "", ""));
    stream.segmentAt(0, Bytes.text(CONTENT));
  }

  private CompareReport compare(ReadOptions reading, OwnerChoice owners) throws IOException {
    return new DirectoryComparer(CALLS, archive.destination, reading, RestoreProgress.none())
        .withTree(owners)
        .compare(archive.index(reading), PosixPath.of(target()));
  }

  private ComparedStream compare(OwnerChoice owners) throws IOException {
    CompareReport report = compare(TestArchive.options(), owners);
    ComparedStream one = report.streams().getFirst();
    boolean same = one.result() == CompareResult.SAME;
    assertEquals(same ? Outcome.DONE : Outcome.PARTIAL, report.outcome());
    return one;
  }

  private void mode(int mode) throws IOException {
    Files.setAttribute(target().resolve("log/file"), "unix:mode", mode);
  }

  @Test
  void aRestoredFileHasTheModeThatTheArchiveTells() throws IOException {
    restore(archive);
    assertEquals(CompareResult.SAME, compare(OwnerChoice.NONE).result());
  }

  @Test
  void anotherModeIsNamed() throws IOException {
    restore(archive);
    mode(0755);
    ComparedStream one = compare(OwnerChoice.NONE);
    assertEquals(CompareResult.ATTRIBUTES_DIFFER, one.result());
    assertEquals(CONTENT.length(), one.comparedBytes());
    assertEquals(
        Optional.of("its mode is 0755, in the archive 0750"), one.attributes().difference());
  }

  @Test
  void theLatestModeCounts() throws IOException {
    stream.permissions = 0600;
    stream.segmentAt(CONTENT.length(), Bytes.text("second\n"));
    restore(archive);
    assertEquals(CompareResult.SAME, compare(OwnerChoice.NONE).result());
    mode(0750);
    assertEquals(
        Optional.of("its mode is 0750, in the archive 0600"),
        compare(OwnerChoice.NONE).attributes().difference());
  }

  @Test
  void ownersAndSpecialBitsAreComparedIfTheyAreAskedFor() throws IOException {
    restore(archive);
    assertEquals(
        Optional.of(
            "its mode is 0750, in the archive 04750, and it belongs to "
                + uid
                + ":"
                + gid
                + ", in the archive to "
                + (uid + 1)
                + ":"
                + gid),
        compare(OwnerChoice.BY_ID).attributes().difference());
  }

  @Test
  void anOwnerThatTheArchiveDoesNotTellIsNotTheSame() throws IOException {
    TestArchive.TestStream other = archive.stream("/log/other", 2);
    other.permissions = 0750;
    other.segmentAt(0, Bytes.text("other\n"));
    restore(archive);
    CompareReport report = compare(TestArchive.options(), OwnerChoice.BY_ID);
    assertEquals(
        Optional.of("the archive does not tell its owner"),
        report.streams().getLast().attributes().difference());
  }

  @Test
  void otherBytesWithAnotherModeAreDifferentAndBothAreNamed() throws IOException {
    restore(archive);
    mode(0700);
    Files.write(target().resolve("log/file"), Bytes.text("f1rst\n"));
    ComparedStream one = compare(TestArchive.options(), OwnerChoice.NONE).streams().getFirst();
    assertEquals(CompareResult.DIFFERENT, one.result());
    assertEquals(
        Optional.of("its mode is 0700, in the archive 0750"), one.attributes().difference());
  }

  @Test
  void theModeOfAnEmptyFileIsInItsRecord() throws IOException {
    TestArchive.TestStream empty = archive.stream("/log/empty", 2);
    empty.permissions = 0604;
    empty.record(PosixPath.of("/log/empty"), 0, Optional.empty());
    restore(archive);
    assertEquals(Outcome.DONE, compare(TestArchive.options(), OwnerChoice.NONE).outcome());
    Files.setAttribute(target().resolve("log/empty"), "unix:mode", 0644);
    assertEquals(
        1, compare(TestArchive.options(), OwnerChoice.NONE).count(CompareResult.ATTRIBUTES_DIFFER));
  }

  @Test
  void encryptedModesAreComparedWithAnIdentityAndOtherwiseCounted() throws IOException {
    KeyPair keys = KeyPair.generate(new SecureRandom());
    archive.with(new Codec.Zstd(1), List.of(keys.recipient()));
    stream.permissions = 0600;
    stream.segmentAt(CONTENT.length(), Bytes.text("second\n"));
    ReadOptions open =
        TestArchive.options().withIdentities(List.of(keys.identity())).withAllowPlain(true);
    restore(archive, RestoreOptions.of(open));
    mode(0640);

    ReadOptions locked = TestArchive.options().withContentKey(TestArchive.CONTENT_KEY);
    CompareReport without = compare(locked, OwnerChoice.NONE);
    assertEquals(1, without.lockedAttributes());
    assertEquals(0, without.count(CompareResult.ATTRIBUTES_DIFFER));

    CompareReport with = compare(open, OwnerChoice.NONE);
    assertEquals(0, with.lockedAttributes());
    assertEquals(1, with.count(CompareResult.ATTRIBUTES_DIFFER));
  }

  @Test
  void theModeOfAFileThatTookThePathIsNotCompared() throws IOException {
    Path file = Files.write(scratch.resolve("a"), Bytes.text(CONTENT));
    PosixPath path = PosixPath.of(file);
    TestArchive.TestStream shipped;
    try (Descriptor open = Descriptor.open(CALLS, FileCalls.AT_FDCWD, path, Set.of(), 0)) {
      StreamId id = StreamId.of("web-1", FileIdentity.of(CALLS, open.fd()), 0);
      shipped = archive.new TestStream("web-1", path, id);
    }
    shipped.segmentAt(0, Bytes.text(CONTENT));
    Files.move(file, scratch.resolve("a.1"));
    Files.write(file, Bytes.text(CONTENT));
    Files.setAttribute(file, "unix:mode", 0604);
    CompareReport report =
        new DirectoryComparer(
                CALLS, archive.destination, TestArchive.options(), RestoreProgress.none())
            .withTree(OwnerChoice.NONE)
            .compare(archive.index(TestArchive.options()), PosixPath.of(scratch));
    assertEquals(1, report.count(CompareResult.SAME));
    assertEquals(0, report.count(CompareResult.ATTRIBUTES_DIFFER));
  }
}
