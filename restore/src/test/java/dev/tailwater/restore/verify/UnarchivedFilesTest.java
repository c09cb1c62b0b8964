package dev.tailwater.restore.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.restore.Bytes;
import dev.tailwater.restore.Outcome;
import dev.tailwater.restore.RestoreFixture;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.TestArchive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files of a directory that the archive does not have. */
class UnarchivedFilesTest extends RestoreFixture {
  private static final UnarchivedScope ALL = new UnarchivedScope(Optional.empty(), _ -> false);

  private static final PosixPath CLOSED = PosixPath.of("./closed");

  private final TestArchive archive = TestArchive.inMemory();
  private Path logs;

  @BeforeEach
  void makeLogs() throws IOException {
    logs = Files.createDirectory(scratch.resolve("logs"));
  }

  private CompareReport compare(Path directory, UnarchivedScope scope) throws IOException {
    return compare(CALLS, directory, scope);
  }

  private CompareReport compare(FileCalls calls, Path directory, UnarchivedScope scope)
      throws IOException {
    return new DirectoryComparer(
            calls, archive.destination, TestArchive.options(), RestoreProgress.none())
        .withUnarchived(scope)
        .compare(archive.index(TestArchive.options()), PosixPath.of(directory));
  }

  private CompareReport compare() throws IOException {
    return compare(logs, ALL);
  }

  /** The names of what is found, as paths below the directory. */
  private static List<String> found(Path directory, CompareReport report) {
    UnarchivedFiles files = report.unarchived().orElseThrow();
    assertEquals(files.count(), files.first().size());
    return files.first().stream()
        .map(path -> directory.relativize(path.toPath()).toString())
        .sorted()
        .toList();
  }

  private Path write(String name) throws IOException {
    Path file = logs.resolve(name);
    Files.createDirectories(file.resolveSibling("."));
    return Files.write(file, Bytes.text(name));
  }

  private Path shipped(String name) throws IOException {
    Path file = write(name);
    PosixPath path = PosixPath.of(file);
    try (Descriptor open = Descriptor.open(CALLS, FileCalls.AT_FDCWD, path, Set.of(), 0)) {
      StreamId id = StreamId.of("web-1", FileIdentity.of(CALLS, open.fd()), 0);
      archive.new TestStream("web-1", path, id).segmentAt(0, Bytes.text(name));
    }
    return file;
  }

  @Test
  void aFileOfNoStreamIsFoundWhereverItIs() throws IOException {
    shipped("a");
    shipped("sub/b");
    assertEquals(Outcome.DONE, compare().outcome());

    write("never");
    write("sub/deep/never");
    CompareReport report = compare();

    assertEquals(Outcome.PARTIAL, report.outcome());
    assertEquals(List.of("never", "sub/deep/never"), found(logs, report));
    assertEquals(2, report.count(CompareResult.SAME));
  }

  @Test
  void linksAreNotFollowedAndOnlyRegularFilesCount() throws IOException {
    shipped("a");
    Path outside = Files.createDirectory(scratch.resolve("outside"));
    Files.write(outside.resolve("file"), Bytes.text("x"));
    Files.createSymbolicLink(logs.resolve("directory"), outside);
    Files.createSymbolicLink(logs.resolve("file"), outside.resolve("file"));

    assertEquals(Outcome.DONE, compare().outcome());
  }

  @Test
  void aFurtherNameOfAFileThatWasComparedCounts() throws IOException {
    Files.createLink(logs.resolve("also"), shipped("a"));

    assertEquals(List.of(), found(logs, compare()));
  }

  @Test
  void aFileThatWasRenamedSinceIsComparedWhereItIs() throws IOException {
    Path renamed = shipped("a");
    Files.move(renamed, logs.resolve("a.1"));
    CompareReport report = compare();
    assertEquals(Outcome.DONE, report.outcome());
    assertEquals(1, report.count(CompareResult.SAME));
    assertEquals("a.1", report.streams().getFirst().file().orElseThrow().toString());

    Files.writeString(logs.resolve("a.1"), "b");
    assertEquals(1, compare().count(CompareResult.DIFFERENT));
  }

  @Test
  void aFileThatHasTakenThePathOfAnotherOneIsNotInTheArchive() throws IOException {
    Path rotated = shipped("a");
    Files.move(rotated, logs.resolve("a.1"));
    write("a");
    Files.writeString(logs.resolve("a"), "the next one");

    CompareReport report = compare();

    assertEquals(Outcome.PARTIAL, report.outcome());
    assertEquals(List.of("a"), found(logs, report));
    assertEquals(1, report.count(CompareResult.SAME));
  }

  @Test
  void theArchiveAndTemporaryFilesAndWhatIsExcludedDoNotCount() throws IOException {
    shipped("a");
    write("archive/web-1/object");
    write("other/.tailwater-tmp/1");
    write("sub/x.tmp");
    write("cache/y");
    PosixPath cache = PosixPath.of(logs.resolve("cache"));
    Predicate<PosixPath> excluded =
        path -> path.toString().endsWith(".tmp") || path.startsWith(cache);
    Path link = Files.createSymbolicLink(scratch.resolve("link"), logs.resolve("archive"));

    CompareReport report =
        compare(logs, new UnarchivedScope(Optional.of(PosixPath.of(link)), excluded));

    assertEquals(List.of(), found(logs, report));
    assertEquals(Outcome.DONE, report.outcome());
  }

  @Test
  void aRestoredDirectoryHasNothingElse() throws IOException {
    archive.stream("/log/a", 1).segmentAt(0, Bytes.text("x"));
    archive.stream("/log/a", 2).segmentAt(0, Bytes.text("y"));
    restore(archive);
    assertEquals(Outcome.DONE, compare(target(), ALL).outcome());

    Files.writeString(target().resolve("log/b"), "added");
    assertEquals(List.of("log/b"), found(target(), compare(target(), ALL)));
  }

  @Test
  void aDirectoryThatCannotBeListedIsNamed() throws IOException {
    shipped("a");
    write("closed/b");
    FileCalls failing =
        FaultyFileCalls.wrap(
                CALLS,
                FaultPlan.when(
                    call -> call.is("openBeneath") && call.arguments().get(1).equals(CLOSED),
                    new Fault.Fail(Errno.EACCES)))
            .calls();

    CompareReport report = compare(failing, logs, ALL);

    assertEquals(Outcome.PARTIAL, report.outcome());
    UnarchivedFiles files = report.unarchived().orElseThrow();
    assertEquals(1, files.unlistedCount());
    assertEquals(PosixPath.of(logs.resolve("closed")), files.unlisted().getFirst().path());
    assertTrue(files.unlisted().getFirst().why().contains("EACCES"));
  }

  @Test
  void whereNoFileOfTheArchiveIsNothingWasCompared() throws IOException {
    shipped("a");
    CompareReport report = compare(Files.createDirectory(scratch.resolve("empty")), ALL);

    assertTrue(report.isNothingThere());
    assertEquals(Outcome.PARTIAL, report.outcome());
  }

  @Test
  void theWholeMachineIsNotSearched() throws IOException {
    shipped("a");
    CompareReport report = compare(Path.of("/"), ALL);

    assertEquals(Optional.empty(), report.unarchived());
    assertEquals(Outcome.DONE, report.outcome());
  }

  @Test
  void whereNothingIsSearchedAFileThatHasReplacedAnotherIsNamed() throws IOException {
    Path file = shipped("a");
    shipped("b");
    Files.move(file, scratch.resolve("elsewhere"));
    Files.writeString(file, "damaged");

    CompareReport report = compare(Path.of("/"), ALL);

    assertEquals(Outcome.PARTIAL, report.outcome());
    assertEquals(1, report.count(CompareResult.SAME));
    ComparedStream replaced = report.streams().getFirst();
    assertEquals(CompareResult.REPLACED, replaced.result());
    assertTrue(replaced.problem().orElse("").contains("was not compared"), replaced.toString());
  }

  @Test
  void aFileThatHasReplacedAnotherIsNotNamedWhereItIsExcluded() throws IOException {
    Path file = shipped("a");
    shipped("b");
    Files.move(file, scratch.resolve("elsewhere"));
    Files.writeString(file, "not shipped on purpose");
    PosixPath excluded = PosixPath.of(file);

    CompareReport report =
        compare(Path.of("/"), new UnarchivedScope(Optional.empty(), excluded::equals));

    assertEquals(Outcome.DONE, report.outcome());
    assertEquals(1, report.count(CompareResult.REPLACED));
    assertEquals(List.of(), report.replacedByFiles());
  }

  @Test
  void noMoreFilesAreNamedThanMemoryIsMeantFor() throws IOException {
    shipped("a");
    for (int i = 0; i <= UnarchivedFiles.MAX_NAMED; i++) {
      Files.createFile(logs.resolve("file" + i));
    }

    UnarchivedFiles files = compare().unarchived().orElseThrow();

    assertEquals(UnarchivedFiles.MAX_NAMED + 1, files.count());
    assertEquals(UnarchivedFiles.MAX_NAMED, files.first().size());
  }
}
