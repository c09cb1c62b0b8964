package dev.tailwater.restore.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.Bytes;
import dev.tailwater.restore.Outcome;
import dev.tailwater.restore.ReadOptions;
import dev.tailwater.restore.RestoreFixture;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.TestArchive;
import dev.tailwater.restore.TestTrees;
import dev.tailwater.restore.TestTrees.Directory;
import dev.tailwater.restore.attribute.OwnerChoice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A restored tree is compared with what the archive tells of directories and links. */
class TreeComparerTest extends RestoreFixture {
  private static final String AGENT = "web-1";
  private static final String UNTOLD = "the archive does not tell its owner";
  private final TestArchive archive = TestArchive.inMemory();
  private final TestTrees trees = new TestTrees(archive, AGENT, 5);

  @BeforeEach
  void deliver() throws IOException {
    archive.stream("/log/file", 1).segmentAt(0, Bytes.text("x"));
    trees
        .say(
            new Directory("/log", "empty")
                .mode(02750)
                .link("latest", "file")
                .furtherName("also", "/log/file"))
        .say(new Directory("/log/empty").mode(01777))
        .deliver(true, 1_000);
  }

  private CompareReport compare(Path directory, ReadOptions reading, OwnerChoice owners)
      throws IOException {
    return new DirectoryComparer(CALLS, archive.destination, reading, RestoreProgress.none())
        .withTree(owners)
        .compare(archive.index(reading), PosixPath.of(directory));
  }

  private CompareReport compare() throws IOException {
    return compare(target(), TestArchive.options(), OwnerChoice.NONE);
  }

  /** The only difference, which makes the outcome partial. */
  private String difference() throws IOException {
    CompareReport report = compare();
    assertEquals(Outcome.PARTIAL, report.outcome());
    assertEquals(1, report.tree().differences().size(), report.tree().toString());
    assertEquals(3, report.tree().same());
    TreeDifference one = report.tree().differences().getFirst();
    return one.path() + ": " + one.what();
  }

  @Test
  void whatWasRestoredIsTheSame() throws IOException {
    restore(archive);
    CompareReport report = compare();
    assertEquals(Outcome.DONE, report.outcome());
    assertEquals(new TreeComparison(4, List.of(), List.of(), false), report.tree());
  }

  @Test
  void anotherModeIsNamed() throws IOException {
    restore(archive);
    Files.setAttribute(target().resolve("log/empty"), "unix:mode", 0755);
    assertEquals("/log/empty: its mode is 0755, in the archive 01777", difference());
  }

  @Test
  void aMissingDirectoryIsNamed() throws IOException {
    restore(archive);
    Files.delete(target().resolve("log/empty"));
    assertEquals("/log/empty: it is not there", difference());
  }

  @Test
  void anotherTargetOfALinkIsNamed() throws IOException {
    restore(archive);
    Path link = target().resolve("log/latest");
    Files.delete(link);
    Files.createSymbolicLink(link, Path.of("/etc"));
    assertEquals("/log/latest: it leads to /etc, in the archive to file", difference());
  }

  @Test
  void aFileInPlaceOfALinkIsNamed() throws IOException {
    restore(archive);
    Path link = target().resolve("log/latest");
    Files.delete(link);
    Files.writeString(link, "x");
    assertEquals("/log/latest: it is no symbolic link", difference());
  }

  @Test
  void aCopyInPlaceOfAFurtherNameIsNamed() throws IOException {
    restore(archive);
    Path also = target().resolve("log/also");
    Files.delete(also);
    Files.writeString(also, "x");
    assertTrue(difference().startsWith("/log/also: it is another file"));
  }

  @Test
  void nothingIsLookedAtThroughASymbolicLink() throws IOException {
    restore(archive);
    Path moved = scratch.resolve("moved");
    Files.move(target().resolve("log"), moved);
    Files.createSymbolicLink(target().resolve("log"), moved);
    assertEquals(4, compare().tree().differences().size());
  }

  @Test
  void ownersAreComparedIfTheyAreAskedFor() throws IOException {
    int uid = (int) Files.getAttribute(scratch, "unix:uid");
    int gid = (int) Files.getAttribute(scratch, "unix:gid");
    Directory directory = new Directory("/log/empty").mode(01777);
    directory.owner = Optional.of(new FileOwner(uid + 1L, gid, "", ""));
    trees.say(directory).deliver(false, 2_000);
    restore(archive);
    assertEquals(Outcome.DONE, compare().outcome());
    Files.setAttribute(target().resolve("log"), "unix:mode", 02750);
    CompareReport report = compare(target(), TestArchive.options(), OwnerChoice.BY_ID);
    assertEquals(Outcome.PARTIAL, report.outcome());
    assertEquals(
        List.of(
            new TreeDifference(AGENT, PosixPath.of("/log"), UNTOLD),
            new TreeDifference(AGENT, PosixPath.of("/log/latest"), UNTOLD),
            new TreeDifference(
                AGENT,
                PosixPath.of("/log/empty"),
                "it belongs to "
                    + uid
                    + ":"
                    + gid
                    + ", in the archive to "
                    + (uid + 1)
                    + ":"
                    + gid)),
        report.tree().differences());
  }

  @Test
  void ofTheDirectoryThatWasShippedOnlyItsOwnPathsAreCompared() throws IOException {
    Path logs = Files.createDirectory(scratch.resolve("logs"));
    Files.createDirectory(logs.resolve("sub"));
    Files.setAttribute(logs, "unix:mode", 0700);
    Files.setAttribute(logs.resolve("sub"), "unix:mode", 0711);
    TestArchive other = TestArchive.inMemory();
    other.stream(logs + "/gone", 1).segmentAt(0, Bytes.text("x"));
    new TestTrees(other, AGENT, 5)
        .say(new Directory(logs.toString(), "sub").mode(0700))
        .say(new Directory(logs + "/sub").mode(0755))
        .say(new Directory("/elsewhere").mode(0755))
        .deliver(true, 1_000);
    CompareReport report =
        new DirectoryComparer(
                CALLS, other.destination, TestArchive.options(), RestoreProgress.none())
            .withTree(OwnerChoice.NONE)
            .compare(other.index(TestArchive.options()), PosixPath.of(logs));
    assertEquals(1, report.tree().same());
    assertEquals(
        List.of(
            new TreeDifference(
                AGENT, PosixPath.of(logs.resolve("sub")), "its mode is 0711, in the archive 0755")),
        report.tree().differences());
  }

  /** The agent lost its state before it could tell the end of the file. */
  @Test
  void aFileIsReplacedByTheLinkOfWhichTheArchiveTellsThatItCameLater() throws IOException {
    Path logs = Files.createDirectory(scratch.resolve("logs"));
    Files.createSymbolicLink(logs.resolve("current"), Path.of("elsewhere"));
    TestArchive other = TestArchive.inMemory();
    TestArchive.TestStream file = other.stream(logs + "/current", 1);
    file.arrivalNanos = OptionalLong.of(1);
    file.segmentAt(0, Bytes.text("x"));
    new TestTrees(other, AGENT, 5)
        .say(new Directory(logs.toString()).link("current", "elsewhere"))
        .deliver(true, 1_000);
    CompareReport report =
        new DirectoryComparer(
                CALLS, other.destination, TestArchive.options(), RestoreProgress.none())
            .withTree(OwnerChoice.NONE)
            .compare(other.index(TestArchive.options()), PosixPath.of(logs));
    assertEquals(CompareResult.REPLACED, report.streams().getFirst().result());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatWasInADirectoryIsNotThereWhereALinkHasItsPathNow(boolean ended) throws IOException {
    Path logs = Files.createDirectory(scratch.resolve("logs"));
    Files.createSymbolicLink(logs.resolve("current"), Path.of("elsewhere"));
    TestArchive other = TestArchive.inMemory();
    TestArchive.TestStream file = other.stream(logs + "/current/a", 1);
    file.arrivalNanos = OptionalLong.of(1);
    file.segmentAt(0, Bytes.text("x"));
    if (ended) {
      StreamRecord.End end = new StreamRecord.End(StreamRecord.EndReason.DELETED, 1, 2_000);
      file.record(file.path, 1, Optional.of(end));
    } else {
      new TestTrees(other, AGENT, 5)
          .say(new Directory(logs.toString()).link("current", "elsewhere"))
          .deliver(true, 1_000);
    }
    CompareReport report =
        new DirectoryComparer(
                CALLS, other.destination, TestArchive.options(), RestoreProgress.none())
            .withTree(OwnerChoice.NONE)
            .compare(other.index(TestArchive.options()), PosixPath.of(logs));
    assertEquals(CompareResult.NOT_THERE, report.streams().getFirst().result());
  }

  @Test
  void whatCannotBeOpenedWithoutAnIdentityIsSaidAndNoDifference() throws IOException {
    KeyPair keys = KeyPair.generate(new SecureRandom());
    new TestTrees(archive, AGENT, 6, List.of(keys.recipient()))
        .say(new Directory("/log").mode(0700))
        .deliver(true, 3_000);
    restore(archive);
    CompareReport report = compare();
    assertTrue(report.tree().isLocked());
    assertEquals(Outcome.DONE, report.outcome());
  }
}
