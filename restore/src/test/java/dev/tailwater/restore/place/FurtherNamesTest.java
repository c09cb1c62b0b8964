package dev.tailwater.restore.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.CrashError;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.testkit.TestFileSystems;
import dev.tailwater.restore.Bytes;
import dev.tailwater.restore.Outcome;
import dev.tailwater.restore.ReadOptions;
import dev.tailwater.restore.RestoreFixture;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.TestArchive;
import dev.tailwater.restore.TestArchive.TestStream;
import dev.tailwater.restore.TestTrees;
import dev.tailwater.restore.TestTrees.Directory;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.Selection;
import dev.tailwater.restore.name.PartialName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A further name leads to the file of which it was told, or to none. */
class FurtherNamesTest extends RestoreFixture {
  private static final String AGENT = "web-1";
  private static final long TOLD_AT_MILLIS = 2_000;

  private final TestArchive archive = TestArchive.inMemory();
  private final TestTrees trees = new TestTrees(archive, AGENT, 5);

  /** With the names a, b and c when the tree was told. */
  private TestStream file;

  @BeforeEach
  void tellAFileWithThreeNames() throws IOException {
    file = archive.stream("/log/a", 1);
    cameAt(file, 1_000, "old");
    trees
        .say(new Directory("/log").furtherName("b", file).furtherName("c", file))
        .deliver(true, TOLD_AT_MILLIS);
  }

  private static void cameAt(TestStream stream, long millis, String text) throws IOException {
    stream.arrivalNanos = OptionalLong.of(TimeUnit.MILLISECONDS.toNanos(millis));
    if (!text.isEmpty()) {
      stream.segmentAt(0, Bytes.text(text));
    }
    tell(stream, text.length(), Optional.empty());
  }

  private static void movedAt(TestStream stream, long millis, String path, int size)
      throws IOException {
    stream.path = PosixPath.of(path);
    stream.arrivalNanos = OptionalLong.of(TimeUnit.MILLISECONDS.toNanos(millis));
    tell(stream, size, Optional.empty());
  }

  private static void tell(TestStream stream, int size, Optional<StreamRecord.End> end)
      throws IOException {
    stream.record(stream.path, size, end);
  }

  private RestoreReport restored(Outcome outcome, long furtherNames) throws IOException {
    RestoreReport report = restore(archive);
    assertEquals(outcome, report.outcome(), report.toString());
    assertEquals(furtherNames, report.tree().furtherNames(), report.toString());
    return report;
  }

  private void assertText(String path, String text) throws IOException {
    assertEquals(text, Files.readString(target().resolve(path)), path);
  }

  private void assertSameFile(String one, String other) throws IOException {
    assertTrue(
        Files.isSameFile(target().resolve(one), target().resolve(other)), one + " and " + other);
  }

  private boolean exists(String path) {
    return Files.exists(target().resolve(path));
  }

  @Test
  void theyLeadToTheirFileWhenAnotherOneHasItsPath() throws IOException {
    cameAt(archive.stream("/log/a", 2), 3_000, "new");
    restored(Outcome.DONE, 2);
    assertText("log/a", "new");
    assertText("log/b", "old");
    assertSameFile("log/b", "log/c");
    assertSameFile("log/b", "log/a.~" + file.id.text());
  }

  /** The archive was told that the file has lost its first name, and is under the next one. */
  @Test
  void theyLeadToTheFileWhereItWentWhenItLostItsPath() throws IOException {
    cameAt(archive.stream("/log/a", 2), 2_500, "new");
    movedAt(file, 3_000, "/log/c", 3);
    RestoreReport report = restored(Outcome.DONE, 1);
    assertEquals(1, report.tree().outdated());
    assertEquals(List.of("log/a", "log/b", "log/c"), files());
    assertText("log/a", "new");
    assertText("log/c", "old");
    assertSameFile("log/b", "log/c");
  }

  /** It was truncated, or an agent whose content key is lost began anew. */
  @Test
  void theyLeadToTheLastStreamOfTheirFile() throws IOException {
    TestStream later = archive.stream(AGENT, PosixPath.of("/log/a"), 1, 7);
    cameAt(later, 1_500, "later");
    movedAt(later, 3_000, "/log/moved", 5);
    restored(Outcome.DONE, 2);
    assertText("log/moved", "later");
    assertFalse(exists("log/a"));
    assertText("log/a.~" + file.id.text(), "old");
    assertSameFile("log/b", "log/moved");
    assertSameFile("log/c", "log/moved");
  }

  /** A file that was truncated to nothing has only a record, which nobody encrypts. */
  @Test
  void theyLeadToAnEmptyLastStreamOfAnEncryptedArchive() throws IOException {
    KeyPair keys = KeyPair.generate(new SecureRandom());
    TestArchive sealed = TestArchive.inMemory().with(new Codec.Zstd(1), List.of(keys.recipient()));
    TestStream first = sealed.stream("/log/a", 1);
    cameAt(first, 1_000, "old");
    cameAt(sealed.stream(AGENT, PosixPath.of("/log/a"), 1, 1), 1_000, "");
    new TestTrees(sealed, AGENT, 5, List.of(keys.recipient()))
        .say(new Directory("/log").furtherName("b", first))
        .deliver(true, TOLD_AT_MILLIS);
    ReadOptions reading = TestArchive.options().withIdentities(List.of(keys.identity()));
    RestoreReport report = restore(sealed, RestoreOptions.of(reading));
    assertEquals(1, report.tree().furtherNames(), report.toString());
    assertText("log/a", "");
    assertSameFile("log/a", "log/b");
  }

  @Test
  void aFileThatHasEndedKeepsAPathThatWasAFurtherNameOfIt() throws IOException {
    file.path = PosixPath.of("/log/c");
    tell(file, 3, Optional.of(new StreamRecord.End(StreamRecord.EndReason.DELETED, 3, 5)));
    restored(Outcome.DONE, 2);
    assertEquals(List.of("log/b", "log/c"), files());
  }

  @Test
  void aFileThatWasThereEarlierGivesWayToANameOfAnother() throws IOException {
    TestStream before = archive.stream("/log/c", 2);
    cameAt(before, 1_500, "before");
    restored(Outcome.DONE, 2);
    assertSameFile("log/a", "log/c");
    assertText("log/c.~" + before.id.text(), "before");
  }

  @Test
  void aNameOfAFileThatTheArchiveDoesNotHaveIsMissedAndSaid() throws IOException {
    TestTrees later = new TestTrees(archive, AGENT, 6);
    TestStream never = archive.stream("/log/a", 9);
    later.say(new Directory("/log").furtherName("c", never)).deliver(true, TOLD_AT_MILLIS);
    cameAt(archive.stream("/log/c", 2), 1_500, "was there before");
    RestoreReport report = restored(Outcome.PARTIAL, 0);
    assertEquals(1, report.tree().failed());
    assertEquals(
        Optional.of("/log/c: its file is not restored, which was archived as /log/a"),
        report.tree().firstFailure());
    assertFalse(exists("log/c"));
  }

  @Test
  void aFileOfTheUserIsNotTakenForTheirs() throws IOException {
    Files.createDirectories(target().resolve("log"));
    Files.writeString(target().resolve("log/a"), "of the user");
    RestoreReport report = restored(Outcome.FAILED, 0);
    assertEquals(2, report.tree().failed());
    assertEquals(List.of("log/a"), files());
  }

  @Test
  void withoutTheirFileTheyAreMissedAndSaid() throws IOException {
    cameAt(archive.stream("/log/other", 2), 1_000, "other");
    ReadOptions reading = TestArchive.options();
    ArchiveIndex index =
        ArchiveIndex.load(
            archive.destination,
            Selection.everything().only(List.of("/log/b", "/log/other")),
            reading,
            RestoreProgress.none());
    Restorer restorer =
        new Restorer(
            CALLS, archive.destination, RestoreOptions.of(reading), RestoreProgress.none());
    for (RestoreReport report :
        List.of(
            restorer.preview(index, PosixPath.of(target())),
            restorer.restore(index, PosixPath.of(target())))) {
      assertEquals(Outcome.PARTIAL, report.outcome());
      assertEquals(1, report.tree().failed());
      assertEquals(0, report.tree().furtherNames());
    }
    assertEquals(List.of("log/other"), files());
  }

  @Test
  void aPreviewCountsThem() throws IOException {
    RestoreOptions options = RestoreOptions.of(TestArchive.options());
    RestoreReport report =
        new Restorer(CALLS, archive.destination, options, RestoreProgress.none())
            .preview(archive.index(options.reading()), PosixPath.of(target()));
    assertEquals(2, report.tree().furtherNames());
    assertEquals(Outcome.DONE, report.outcome());
  }

  /** Whoever writes to one agent's part of an archive gets nothing of another's. */
  @Test
  void theFileOfAnotherAgentIsNeverTaken() throws IOException {
    TestStream other = archive.stream("web-2", PosixPath.of("/log/secret"), 3, 0);
    cameAt(other, 1_000, "secret");
    TestTrees hostile = new TestTrees(archive, AGENT, 6);
    hostile
        .say(
            new Directory("/log")
                .furtherName("b", other)
                .furtherName("c", "/web-2/log/secret")
                .furtherName("d", "/../web-2/log/secret"))
        .deliver(true, TOLD_AT_MILLIS);
    RestoreReport report = restored(Outcome.PARTIAL, 0);
    assertEquals(3, report.tree().failed());
    assertEquals(List.of("web-1/log/a", "web-2/log/secret"), files());
  }

  @Test
  void noneHasTheNameOfAnUnfinishedFile() throws IOException {
    String unfinished = PartialName.nameOf("web-1/x").toString();
    TestTrees hostile = new TestTrees(archive, AGENT, 6);
    hostile.say(new Directory("/log").furtherName(unfinished, file)).deliver(true, TOLD_AT_MILLIS);
    assertEquals(1, restored(Outcome.PARTIAL, 0).tree().failed());
    assertEquals(List.of("log/a"), files());
  }

  @Test
  void overwritingGivesThemTheFileThatReplacesTheirs() throws IOException {
    restored(Outcome.DONE, 2);
    Files.writeString(target().resolve("log/a"), "changed");
    Files.delete(target().resolve("log/c"));
    Files.createSymbolicLink(target().resolve("log/c"), target().resolve("log/b"));

    RestoreReport report = overwriting();

    assertEquals(Outcome.DONE, report.outcome(), report.toString());
    assertEquals(2, report.tree().furtherNames());
    assertText("log/b", "old");
    assertFalse(Files.isSymbolicLink(target().resolve("log/c")));
    assertSameFile("log/a", "log/b");
    assertSameFile("log/a", "log/c");
    assertEquals(List.of("log/a", "log/b", "log/c"), files());
  }

  @Test
  void overwritingGivesThemNoPlaceOfAnotherFileOfTheArchive() throws IOException {
    archive.stream("/log/c", 2).segmentAt(0, Bytes.text("other"));

    for (int run = 0; run < 2; run++) {
      RestoreReport report = overwriting();
      assertEquals(Outcome.PARTIAL, report.outcome());
      assertEquals(1, report.tree().failed());
      assertEquals(
          Optional.of("/log/c: another file of the archive has its name here"),
          report.tree().firstFailure());
      assertText("log/c", "other");
      assertEquals(List.of("log/a", "log/b", "log/c"), files());
    }
  }

  @Test
  void overwritingLeavesWhatTheyCannotReplace() throws IOException {
    restored(Outcome.DONE, 2);
    Files.writeString(target().resolve("log/a"), "changed");
    FaultyFileCalls full =
        FaultyFileCalls.wrap(
            CALLS,
            FaultPlan.when(
                call ->
                    call.is("link") && call.arguments().getLast().toString().endsWith(".partial"),
                new Fault.Fail(Errno.EMLINK)));
    Files.delete(target().resolve("log/c"));
    Files.createDirectory(target().resolve("log/c"));

    RestoreOptions options = RestoreOptions.of(TestArchive.options()).withOverwrite(true);
    assertEquals(2, restore(full.calls(), archive, options).tree().failed());

    assertText("log/a", "old");
    assertText("log/b", "changed");
    assertEquals(1, overwriting().tree().failed());
    assertEquals(List.of("log/a", "log/b"), files());
  }

  @Test
  void aKillAtAnyCallOfOverwritingLeavesNothingThatTheNextRunDoesNotRepair() throws IOException {
    RestoreOptions overwrite = RestoreOptions.of(TestArchive.options()).withOverwrite(true);
    long calls = Long.MAX_VALUE;
    for (long at = 1; at <= calls; at++) {
      restored(Outcome.DONE, 2);
      Files.delete(target().resolve("log/a"));
      Files.writeString(target().resolve("log/a"), "changed");
      FaultyFileCalls killed = FaultyFileCalls.wrap(CALLS, FaultPlan.crashAt(at));
      try {
        restore(killed.calls(), archive, overwrite);
        calls = killed.callCount();
      } catch (CrashError expected) {
        killed.kill();
      }

      RestoreReport report = overwriting();

      assertEquals(Outcome.DONE, report.outcome(), "after call " + at + ": " + report);
      assertEquals(List.of("log/a", "log/b", "log/c"), files(), "after call " + at);
      assertText("log/a", "old");
      assertSameFile("log/a", "log/b");
      assertSameFile("log/a", "log/c");
      deleteTarget();
    }
  }

  private RestoreReport overwriting() throws IOException {
    return restore(archive, RestoreOptions.of(TestArchive.options()).withOverwrite(true));
  }

  /** Earlier writers told a path only: the file that is restored there is taken for theirs. */
  @Test
  void withoutAnIdTheyLeadToTheFileAtThePath() throws IOException {
    TestTrees earlier = new TestTrees(archive, AGENT, 6);
    earlier
        .say(new Directory("/log").furtherName("b", "/log/a").furtherName("c", "/log/gone"))
        .deliver(true, TOLD_AT_MILLIS);
    assertEquals(1, restored(Outcome.PARTIAL, 1).tree().failed());
    assertSameFile("log/a", "log/b");
    assertFalse(exists("log/c"));
  }

  private String whyNoLinks(FileCalls calls) throws IOException {
    FaultyFileCalls refusing = FaultyFileCalls.wrap(calls, FaultPlan.failAll("link", Errno.EPERM));
    RestoreReport report =
        restore(refusing.calls(), archive, RestoreOptions.of(TestArchive.options()));
    assertEquals(2, report.tree().failed());
    return report.tree().firstFailure().orElseThrow();
  }

  @Test
  void aFileSystemWithoutLinksIsNamedAsTheCauseForOwnFiles() throws IOException {
    String why = whyNoLinks(CALLS);
    assertTrue(why.contains("Hint: the file system may have no links"), why);
  }

  /** The kernel refuses them with fs.protected_hardlinks. */
  @Test
  void theOwnerIsNamedAsTheCauseForFilesOfAnotherUser() throws IOException {
    String why = whyNoLinks(squashed());
    assertTrue(why.contains("Hint: the file belongs to another user"), why);
    assertTrue(why.contains("fs.protected_hardlinks"), why);
  }

  /** One of another user than root, for whom the kernel does not ask. */
  @Test
  void aFileSystemWithoutLinksIsNamedForFilesOfAnOrdinaryUserToo() throws IOException {
    assumeTrue(TestFileSystems.isRoot(), "only root can give a file to another user");
    restored(Outcome.DONE, 2);
    Files.delete(target().resolve("log/b"));
    Files.delete(target().resolve("log/c"));
    Path owned = target().resolve("log/a");
    Files.setAttribute(owned, "unix:uid", Math.toIntExact(squashed().effectiveUserId()));
    String why = whyNoLinks(squashed());
    assertTrue(why.contains("Hint: the file system may have no links"), why);
  }
}
