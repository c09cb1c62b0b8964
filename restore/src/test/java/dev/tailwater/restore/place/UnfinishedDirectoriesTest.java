package dev.tailwater.restore.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.CrashError;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.restore.Bytes;
import dev.tailwater.restore.Outcome;
import dev.tailwater.restore.RestoreFixture;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.TestArchive;
import dev.tailwater.restore.TestTrees;
import dev.tailwater.restore.TestTrees.Directory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of the directories of a restore that was interrupted, or failed. */
class UnfinishedDirectoriesTest extends RestoreFixture {
  private final TestArchive archive = TestArchive.inMemory();
  private final RestoreOptions options = RestoreOptions.of(TestArchive.options());

  @BeforeEach
  void tellTree() throws IOException {
    archive.stream("/log/a/file", 1).segmentAt(0, Bytes.text("x"));
    archive.stream("/untold/other", 2).segmentAt(0, Bytes.text("y"));
    new TestTrees(archive, "web-1", 5)
        .say(new Directory("/log", "a", "empty").mode(0751))
        .say(new Directory("/log/a").mode(0750).link("latest", "file"))
        .say(new Directory("/log/empty").mode(0777))
        .deliver(true, 1_000);
  }

  private FaultyFileCalls crashAt(long number) {
    return FaultyFileCalls.wrap(CALLS, FaultPlan.crashAt(number));
  }

  private long modified(String path) throws IOException {
    return Files.getLastModifiedTime(target().resolve(path), LinkOption.NOFOLLOW_LINKS)
        .to(TimeUnit.NANOSECONDS);
  }

  private int mode(String path) throws IOException {
    return (int) Files.getAttribute(target().resolve(path), "unix:mode") & 07777;
  }

  private void assertAsTold(String what) throws IOException {
    assertEquals(0751, mode("log"), what);
    assertEquals(0750, mode("log/a"), what);
    assertEquals(0777, mode("log/empty"), what);
    for (String path : List.of("log", "log/a", "log/empty", "log/a/latest")) {
      assertEquals(TestTrees.MODIFIED_NANOS, modified(path), what + " " + path);
    }
    assertEquals(List.of("log/a/file", "log/a/latest", "untold/other"), files(), what);
  }

  private List<String> calls() throws IOException {
    FaultyFileCalls counting = FaultyFileCalls.wrap(CALLS, FaultPlan.none());
    restore(counting.calls(), archive, options);
    assertEquals(List.of(), counting.openDescriptors());
    assertAsTold("without a crash");
    deleteTarget();
    return counting.log();
  }

  @Test
  void aRunThatContinuesAfterAKillAtAnyCallGivesThemModesAndTimes() throws IOException {
    int count = calls().size();
    for (int at = 1; at <= count; at++) {
      FaultyFileCalls crashing = crashAt(at);
      assertThrows(
          CrashError.class, () -> restore(crashing.calls(), archive, options), "call " + at);
      crashing.kill();
      RestoreReport report = restore(archive);
      assertEquals(Outcome.DONE, report.outcome(), "after call " + at);
      assertAsTold("after call " + at);
      deleteTarget();
    }
  }

  @Test
  void aRunThatContinuesGivesThemModesAndTimesWhereNewOnesBelongToAnotherUser() throws IOException {
    int count = calls().size();
    for (int at = 1; at <= count; at += 3) {
      FaultyFileCalls crashing = FaultyFileCalls.wrap(squashed(), FaultPlan.crashAt(at));
      assertThrows(CrashError.class, () -> restore(crashing.calls(), archive, options));
      crashing.kill();
      assertEquals(Outcome.DONE, restore(squashed(), archive, options).outcome());
      assertAsTold("after call " + at);
      deleteTarget();
    }
  }

  /** Somebody else may have made it in the place of the one that was listed. */
  @Test
  void aListedDirectoryOfAnotherUserIsKeptWhereOthersMayHaveMadeIt() throws IOException {
    FaultyFileCalls crashing =
        FaultyFileCalls.wrap(
            squashed(),
            FaultPlan.once(
                call -> call.is("changeMode") && Files.exists(target().resolve("log/empty")),
                new Fault.CrashBefore()));
    assertThrows(CrashError.class, () -> restore(crashing.calls(), archive, options));
    crashing.kill();
    Files.setPosixFilePermissions(
        target().resolve("log"), PosixFilePermissions.fromString("rwxrwxrwx"));
    Path closed = target().resolve("log/empty");
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
    restore(squashed(), archive, options);
    assertEquals(0, mode("log/empty"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
    assertEquals(0751, mode("log"));
  }

  @Test
  void twoKillsAreNoDifferent() throws IOException {
    int count = calls().size();
    for (int at = 1; at <= count; at += 11) {
      for (int second = at; second > 0; second -= 13) {
        FaultyFileCalls crashing = crashAt(at);
        FaultyFileCalls again = crashAt(second);
        assertThrows(CrashError.class, () -> restore(crashing.calls(), archive, options));
        crashing.kill();
        try {
          restore(again.calls(), archive, options);
        } catch (CrashError expected) {
          // There may be fewer calls now.
        }
        again.kill();
        restore(archive);
        assertAsTold("after calls " + at + " and " + second);
        deleteTarget();
      }
    }
  }

  @Test
  void aRunThatFailedForWantOfSpaceIsContinuedToo() throws IOException {
    List<String> log = calls();
    for (int at = 1; at <= log.size(); at++) {
      if (!Set.of("pwrite", "makeDirectory", "openBeneath", "close").contains(log.get(at - 1))) {
        continue;
      }
      FaultyFileCalls failing = FaultyFileCalls.wrap(CALLS, FaultPlan.failAt(at, Errno.ENOSPC));
      try {
        restore(failing.calls(), archive, options);
      } catch (IOException e) {
        assertTrue(String.valueOf(e.getMessage()).contains("ENOSPC"), e.toString());
      }
      String what = "after call " + at + ", " + failing.log().get(at - 1);
      assertEquals(List.of(), failing.openDescriptors(), what);
      assertEquals(Outcome.DONE, restore(archive).outcome(), what);
      assertAsTold(what);
      deleteTarget();
    }
  }

  @Test
  void aRunThatCouldNotFinishADirectoryOrALinkIsContinuedToo() throws IOException {
    List<String> log = calls();
    for (String method : List.of("changeMode", "changeModificationTime")) {
      long count = log.stream().filter(method::equals).count();
      for (int at = 1; at <= count; at++) {
        // By its number among its like: the order of all calls depends on the threads.
        AtomicInteger left = new AtomicInteger(at);
        FaultyFileCalls failing =
            FaultyFileCalls.wrap(
                CALLS,
                FaultPlan.when(
                    call -> call.is(method) && left.decrementAndGet() == 0,
                    new Fault.Fail(Errno.EIO)));
        String what = "after call " + at + " of " + method;
        assertEquals(Outcome.PARTIAL, restore(failing.calls(), archive, options).outcome(), what);
        assertEquals(Outcome.DONE, restore(archive).outcome(), what);
        assertAsTold(what);
        deleteTarget();
      }
    }
  }

  /** Root would not notice, whom no mode keeps out. */
  @Test
  void aRunThatContinuesOpensToTheirOwnerDirectoriesThatHaveTheirModes() throws IOException {
    TestArchive closing = TestArchive.inMemory();
    closing.stream("/log/a/b/file", 1).segmentAt(0, Bytes.text("x"));
    new TestTrees(closing, "web-1", 5)
        .say(new Directory("/log", "a").mode(0500))
        .say(new Directory("/log/a", "b").mode(0))
        .say(new Directory("/log/a/b").mode(0011))
        .deliver(true, 1_000);
    FaultPlan nameless =
        FaultPlan.failAll("rename", Errno.EIO).or(FaultPlan.failAll("linkOpenFile", Errno.EIO));
    restore(FaultyFileCalls.wrap(CALLS, nameless).calls(), closing, options);
    List<String> directories = List.of("log", "log/a", "log/a/b");
    assertEquals(List.of(0500, 0, 0011), modes(directories));
    Set<List<Integer>> whenItGetsItsName = new HashSet<>();
    FaultyFileCalls watched =
        FaultyFileCalls.wrap(
            CALLS,
            call -> {
              if (call.is("rename")) {
                whenItGetsItsName.add(modes(directories));
              }
              return Fault.PROCEED;
            });
    assertEquals(Outcome.DONE, restore(watched.calls(), closing, options).outcome());
    assertEquals(Set.of(List.of(0700, 0700, 0711)), whenItGetsItsName);
    assertEquals(List.of(0500, 0, 0011), modes(directories));
    assertEquals(List.of("log/a/b/file"), files());
  }

  /** Leaves a directory that has its mode already, and the list. */
  private String interrupt(TestArchive closing) throws IOException {
    closing.stream("/log/file", 1).segmentAt(0, Bytes.text("x"));
    String tree =
        new TestTrees(closing, "web-1", 5)
            .say(new Directory("/log", "a").mode(0755))
            .say(new Directory("/log/a").mode(0500))
            .deliver(true, 1_000);
    FaultPlan nameless =
        FaultPlan.failAll("rename", Errno.EIO).or(FaultPlan.failAll("linkOpenFile", Errno.EIO));
    restore(FaultyFileCalls.wrap(CALLS, nameless).calls(), closing, options);
    assertEquals(0500, mode("log/a"));
    assertEquals(1, lists());
    return tree;
  }

  private long lists() throws IOException {
    return files().stream().filter(path -> path.startsWith(".tailwater-")).count();
  }

  /** Nothing would close it again. */
  @Test
  void aListedDirectoryThatTheArchiveTellsNothingOfNowIsNotOpened() throws IOException {
    TestArchive closing = TestArchive.inMemory();
    interrupt(closing);
    new TestTrees(closing, "web-1", 6).say(new Directory("/log").mode(0755)).deliver(true, 2_000);
    assertEquals(Outcome.DONE, restore(closing).outcome());
    assertEquals(0500, mode("log/a"));
    assertEquals(List.of("log/file"), files());
  }

  @Test
  void theListStaysWhileTheTreeCannotBeRead() throws IOException {
    TestArchive closing = TestArchive.inMemory();
    closing.damage(interrupt(closing), 10);
    assertEquals(1, restore(closing).tree().damages().size());
    assertEquals(0500, mode("log/a"));
    assertEquals(1, lists());
    new TestTrees(closing, "web-1", 6)
        .say(new Directory("/log", "a").mode(0755))
        .say(new Directory("/log/a").mode(0711))
        .deliver(true, 2_000);
    assertEquals(Outcome.DONE, restore(closing).outcome());
    assertEquals(0711, mode("log/a"));
    assertEquals(List.of("log/file"), files());
  }

  /** Such a failure often passes, and then the directories get what the tree tells. */
  @Test
  void theListStaysIfTheDestinationFailsToGiveTheTree() throws IOException {
    TestArchive closing = TestArchive.inMemory();
    closing.stream("/log/file", 1).segmentAt(0, Bytes.text("x"));
    String tree =
        new TestTrees(closing, "web-1", 5)
            .say(new Directory("/log").mode(0711))
            .deliver(true, 1_000);
    Destination refusing =
        new ForwardingDestination(closing.destination) {
          @Override
          public InputStream read(String key, long offsetBytes, long lengthBytes)
              throws DestinationException {
            if (key.equals(tree)) {
              throw new PermanentDestinationException(
                  uri(), "read", key, "not allowed", "allow it");
            }
            return real().read(key, offsetBytes, lengthBytes);
          }
        };
    RestoreReport report =
        new Restorer(CALLS, refusing, options, RestoreProgress.none())
            .restore(closing.index(options.reading()), PosixPath.of(target()));
    assertEquals(Outcome.PARTIAL, report.outcome());
    assertEquals(1, lists());
    assertEquals(Outcome.DONE, restore(closing).outcome());
    assertEquals(0711, mode("log"));
    assertEquals(List.of("log/file"), files());
  }

  @Test
  void theListGoesWhereNothingElseWillEverBeToldOfTheTree() throws IOException {
    TestArchive closing = TestArchive.inMemory();
    closing.stream("/log/file", 1).segmentAt(0, Bytes.text("x"));
    closing.damage(
        new TestTrees(closing, "web-1", 5).say(new Directory("/log")).deliver(true, 1_000), 10);
    assertEquals(Outcome.PARTIAL, restore(closing).outcome());
    assertEquals(List.of("log/file"), files());
  }

  /** It would be left over for ever. */
  @Test
  void theListGoesWhereFilesOrLinksNeverCanBeMade() throws IOException {
    FaultPlan tooLong =
        FaultPlan.failAll("rename", Errno.ENAMETOOLONG)
            .or(FaultPlan.failAll("linkOpenFile", Errno.ENAMETOOLONG));
    RestoreReport names = restore(FaultyFileCalls.wrap(CALLS, tooLong).calls(), archive, options);
    assertEquals(2, names.count(RestoreResult.FAILED));
    assertEquals(0, lists());
    deleteTarget();
    FaultPlan linkless = FaultPlan.failAll("symbolicLink", Errno.EPERM); // As FAT says.
    RestoreReport links = restore(FaultyFileCalls.wrap(CALLS, linkless).calls(), archive, options);
    assertEquals(1, links.tree().failed());
    String first = links.tree().firstFailure().orElseThrow();
    assertTrue(first.contains("Hint: the file system may have no links"), first);
    assertEquals(0, lists());
  }

  @Test
  void theListStaysWhileSomethingHasANameThatTheUserCanMoveAway() throws IOException {
    FaultyFileCalls linkless =
        FaultyFileCalls.wrap(CALLS, FaultPlan.failAll("symbolicLink", Errno.EIO));
    restore(linkless.calls(), archive, options);
    Path inTheWay = Files.createFile(target().resolve("log/a/latest"));
    RestoreReport refused = restore(archive);
    String first = refused.tree().firstFailure().orElseThrow();
    assertTrue(first.contains("move that away and restore again"), first);
    assertEquals(1, lists());
    Files.delete(inTheWay);
    assertEquals(Outcome.DONE, restore(archive).outcome());
    assertAsTold("after it was moved away");
  }

  @Test
  void aLinkInThePlaceOfAListedDirectoryOpensNothing() throws IOException {
    TestArchive closing = TestArchive.inMemory();
    interrupt(closing);
    Path elsewhere = Files.createDirectory(scratch.resolve("elsewhere"));
    Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("r-x------"));
    Files.delete(target().resolve("log/a"));
    Files.createSymbolicLink(target().resolve("log/a"), elsewhere);
    assertEquals(Outcome.PARTIAL, restore(closing).outcome());
    assertEquals(
        Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_EXECUTE),
        Files.getPosixFilePermissions(elsewhere));
  }

  private List<Integer> modes(List<String> paths) {
    return paths.stream()
        .map(
            path -> {
              try {
                return mode(path);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            })
        .toList();
  }

  @Test
  void aListThatSomebodyHasRemovedMeanwhileIsNoFailure() throws IOException {
    Path list = listOfARunThatWasKilledAtALink();
    FaultyFileCalls watched =
        FaultyFileCalls.wrap(
            CALLS,
            call -> {
              if (call.is("symbolicLink")) {
                assertTrue(list.toFile().delete());
              }
              return Fault.PROCEED;
            });
    assertEquals(Outcome.DONE, restore(watched.calls(), archive, options).outcome());
    assertAsTold("without the list");
  }

  @Test
  void whatHasComeInThePlaceOfTheListIsNotRemoved() throws IOException {
    Path list = listOfARunThatWasKilledAtALink();
    FaultyFileCalls watched =
        FaultyFileCalls.wrap(
            CALLS,
            call -> {
              if (call.is("symbolicLink")) {
                replace(list);
              }
              return Fault.PROCEED;
            });
    assertEquals(Outcome.DONE, restore(watched.calls(), archive, options).outcome());
    assertEquals("mine", Files.readString(list));
  }

  private static void replace(Path file) {
    try {
      Files.delete(file);
      Files.writeString(file, "mine");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aListThatCannotBeRemovedIsSaidBesideWhatElseIsWrong() throws IOException {
    FaultyFileCalls keeping =
        FaultyFileCalls.wrap(
            CALLS,
            FaultPlan.failAll("unlink", Errno.EACCES)
                .or(
                    FaultPlan.when(
                        call -> call.is("fsync") && areFilesThere(), new Fault.Fail(Errno.EIO))));
    String problem = restore(keeping.calls(), archive, options).problem().orElseThrow();
    assertTrue(problem.contains("may not survive a power cut: fsync"), problem);
    assertTrue(problem.contains("; a file in the target directory could not be removed"), problem);
  }

  private boolean areFilesThere() {
    return Files.exists(target().resolve("log/a/file"))
        && Files.exists(target().resolve("untold/other"));
  }

  @Test
  void aListThatCannotBeRemovedIsSaidAndNothingElseIsLost() throws IOException {
    FaultyFileCalls keeping =
        FaultyFileCalls.wrap(CALLS, FaultPlan.failAll("unlink", Errno.EACCES));
    RestoreReport report = restore(keeping.calls(), archive, options);
    assertEquals(Outcome.PARTIAL, report.outcome());
    assertTrue(report.problem().orElseThrow().contains("remove it by hand: unlink .tailwater-"));
    assertEquals(2, report.count(RestoreResult.RESTORED));
    assertEquals(List.of(), keeping.openDescriptors());
  }

  @Test
  void directoriesThatWereThereBeforeAnUnfinishedRunKeepWhatTheyHave() throws IOException {
    int count = calls().size();
    for (int at = 1; at <= count; at += 2) {
      Files.createDirectories(target().resolve("log/empty"));
      Files.setPosixFilePermissions(
          target().resolve("log/empty"), PosixFilePermissions.fromString("rwx------"));
      Files.setLastModifiedTime(target().resolve("log/empty"), FileTime.fromMillis(5_000));
      FaultyFileCalls crashing = crashAt(at);
      try {
        restore(crashing.calls(), archive, options);
      } catch (CrashError expected) {
        crashing.kill();
      }
      RestoreReport report = restore(archive);
      assertEquals(Outcome.DONE, report.outcome());
      assertEquals(0700, mode("log/empty"), "after call " + at);
      assertEquals(5_000_000_000L, modified("log/empty"), "after call " + at);
      assertEquals(0750, mode("log/a"), "after call " + at);
      deleteTarget();
    }
  }

  /** Whoever can write to the target could make one; it says nothing that counts. */
  @Test
  void aListThatIsALinkOrIsOfAnotherFormatIsNotBelieved() throws IOException {
    for (boolean isLink : List.of(true, false)) {
      Path list = listOfARunThatWasKilledAtALink();
      deleteTarget();
      Files.createDirectories(target().resolve("log"));
      int before = mode("log");
      Path elsewhere = scratch.resolve("elsewhere");
      Files.writeString(elsewhere, "tailwater unfinished directories 1\0log\0");
      if (isLink) {
        Files.createSymbolicLink(list, elsewhere);
      } else {
        Files.writeString(list, "log\0log\0log\0");
      }
      RestoreReport report = restore(archive);
      assertEquals(1, report.tree().kept());
      assertEquals(before, mode("log"));
      assertEquals(List.of("log/a/file", "log/a/latest", "untold/other"), files());
      assertEquals("tailwater unfinished directories 1\0log\0", Files.readString(elsewhere));
      deleteTarget();
    }
  }

  private Path listOfARunThatWasKilledAtALink() throws IOException {
    FaultyFileCalls crashing =
        FaultyFileCalls.wrap(
            CALLS, FaultPlan.once(call -> call.is("symbolicLink"), new Fault.CrashBefore()));
    assertThrows(CrashError.class, () -> restore(crashing.calls(), archive, options));
    crashing.kill();
    return target()
        .resolve(
            files().stream().filter(path -> path.endsWith(".partial")).findFirst().orElseThrow());
  }
}
