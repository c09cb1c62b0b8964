package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.Selection;
import dev.tailwater.restore.name.PartialName;
import dev.tailwater.restore.place.RestoreOptions;
import dev.tailwater.restore.place.RestoreReport;
import dev.tailwater.restore.place.RestoreResult;
import dev.tailwater.restore.place.RestoredStream;
import dev.tailwater.restore.place.Restorer;
import dev.tailwater.restore.place.TreeReport;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class RestoreFailureTest extends RestoreFixture {
  private static final int LENGTH = 300_000;
  private final byte[] contents = Bytes.random(LENGTH, 7);

  private RestoreReport restore(FaultyDestination destination, TestArchive archive)
      throws IOException {
    ArchiveIndex index = archive.index(TestArchive.options());
    return new Restorer(
            CALLS, destination, RestoreOptions.of(TestArchive.options()), RestoreProgress.none())
        .restore(index, PosixPath.of(target()));
  }

  @Test
  void aDamagedSegmentIsReplacedByOthersThatHaveItsBytes() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    TestArchive.TestStream stream = archive.stream("/a", 1);
    for (int at = 0; at < LENGTH; at += 100_000) {
      stream.segment(contents, at, at + 100_000);
    }
    String merged = stream.segment(contents, 0, LENGTH);
    archive.damage(merged, 1000);

    RestoreReport report = restore(archive);

    assertEquals(Outcome.DONE, report.outcome());
    assertFile("a", contents);
    Damage damage = only(report).damages().getFirst();
    assertEquals(merged, damage.key());
    assertTrue(damage.offsetBytes().isPresent());
  }

  @Test
  void aDamagedSegmentThatNothingReplacesIsAHoleAndListed() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    TestArchive.TestStream stream = archive.stream("/a", 1);
    stream.segment(contents, 0, 100_000);
    String bad = stream.segment(contents, 100_000, 200_000);
    stream.segment(contents, 200_000, LENGTH);
    archive.stream("/b", 2).segmentAt(0, Bytes.text("b"));
    archive.damage(bad, 1000);

    RestoreReport report = restore(archive);

    assertEquals(Outcome.PARTIAL, report.outcome());
    RestoredStream one = report.streams().getFirst();
    assertEquals(RestoreResult.INCOMPLETE, one.result());
    assertEquals("[[100000, 200000)]", one.missing().toString());
    assertEquals(bad, one.damages().getFirst().key());
    byte[] expected = contents.clone();
    Arrays.fill(expected, 100_000, 200_000, (byte) 0);
    assertFile("a", expected);
    assertFile("b", Bytes.text("b"));
    // The second run finds the incomplete file and says the same again.
    assertEquals(Outcome.PARTIAL, restore(archive).outcome());
    assertFile("a", expected);
  }

  @Test
  void namesBytesAsMissingThatAGapAndADamagedSegmentHave() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    TestArchive.TestStream stream = archive.stream("/a", 1);
    stream.segment(contents, 0, 100_000);
    String bad = stream.segment(contents, 100_000, 200_000);
    stream.segment(contents, 200_000, LENGTH);
    stream.gap(100_000, 200_000, "truncated before it was read");
    archive.damage(bad, 1000);

    RestoreReport report = restore(archive);

    assertEquals("[[100000, 200000)]", only(report).missing().toString());
    assertEquals(RestoreResult.INCOMPLETE, only(report).result());
    assertEquals(Outcome.PARTIAL, report.outcome());
    assertEquals("[[100000, 200000)]", verify(archive).streams().getFirst().missing().toString());
  }

  @Test
  void isNotSureOfAllWhereWhatAnAgentLeftBehindCannotBeRead() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    archive.stream("/a", 1).segment(contents, 0, LENGTH);
    archive.destination.putObject(ArchiveNames.lastDrain("web-1"), Bytes.text("{"));

    assertEquals(Outcome.PARTIAL, restore(archive).outcome());
    assertEquals(Outcome.PARTIAL, verify(archive).outcome());
  }

  @Test
  void whatWasWrittenOfADamagedSegmentDoesNotStay() throws IOException {
    int length = 3_000_000;
    byte[] large = Bytes.random(length, 8);
    TestArchive archive = TestArchive.inMemory();
    TestArchive.TestStream stream = archive.stream("/a", 1);
    // The damage shows at the end, when most of it is in the file already.
    archive.damage(stream.segment(large, 0, length), 1);
    // The next best segment has zeros, which are not written, where the damaged one has not.
    byte[] zeros = new byte[length];
    stream.segment(zeros, 0, 1_000_000);
    stream.segment(large, length - 1, length);

    RestoreReport report = restore(archive);

    assertEquals("[[1000000, 2999999)]", only(report).missing().toString());
    zeros[length - 1] = large[length - 1];
    assertFile("a", zeros);
  }

  @Test
  void whatAnInterruptedRunWroteDoesNotStayWhereBytesAreMissingNow() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    TestArchive.TestStream stream = archive.stream("/a", 1);
    stream.segment(contents, 0, 100_000);
    stream.segment(contents, 200_000, LENGTH);
    Files.createDirectories(target());
    byte[] earlier = Bytes.random(LENGTH, 9);
    Files.write(target().resolve(PartialName.nameOf(stream.prefix).toString()), earlier);

    RestoreReport report = restore(archive);

    assertEquals("[[100000, 200000)]", only(report).missing().toString());
    byte[] expected = contents.clone();
    Arrays.fill(expected, 100_000, 200_000, (byte) 0);
    assertFile("a", expected);
  }

  @Test
  void whatWasWrittenOfASegmentThatVanishesMeanwhileDoesNotStay() throws IOException {
    int length = 3_000_000;
    TestArchive archive = TestArchive.inMemory();
    TestArchive.TestStream stream = archive.stream("/a", 1);
    String gone = stream.segment(Bytes.random(length, 8), 0, length);
    stream.segmentAt(length, Bytes.text("end"));
    Destination vanishing =
        new ForwardingDestination(archive.destination) {
          @Override
          public InputStream read(String key, long offsetBytes, long lengthBytes)
              throws DestinationException {
            return key.equals(gone)
                ? new SequenceInputStream(
                    real().read(key, offsetBytes, length - 1), vanished(uri(), key))
                : real().read(key, offsetBytes, lengthBytes);
          }
        };

    RestoreReport report =
        new Restorer(
                CALLS, vanishing, RestoreOptions.of(TestArchive.options()), RestoreProgress.none())
            .restore(archive.index(TestArchive.options()), PosixPath.of(target()));

    assertEquals("[[0, 3000000)]", only(report).missing().toString());
    byte[] expected = new byte[length + 3];
    System.arraycopy(Bytes.text("end"), 0, expected, length, 3);
    assertFile("a", expected);
  }

  private static InputStream vanished(URI destination, String key) {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        return read(new byte[1], 0, 1);
      }

      @Override
      public int read(byte[] target, int from, int length) throws IOException {
        throw new NoSuchObjectException(destination, key);
      }
    };
  }

  @Test
  void nothingIsLostWhenSegmentsAreMergedWhileTheyAreRead() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    TestArchive.TestStream stream = archive.stream("/a", 1);
    String first = stream.segment(contents, 0, 100_000);
    String second = stream.segment(contents, 100_000, 200_000);
    stream.segment(contents, 200_000, LENGTH);
    AtomicBoolean merged = new AtomicBoolean();
    DestinationFaultPlan mergeAtFirstRead =
        call -> {
          if (call.is("read") && merged.compareAndSet(false, true)) {
            try {
              stream.segment(contents, 0, 200_000);
              archive.destination.delete(first);
              archive.destination.delete(second);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          }
          return DestinationFault.PROCEED;
        };

    RestoreReport report =
        restore(FaultyDestination.wrap(archive.destination, mergeAtFirstRead), archive);

    assertTrue(merged.get());
    assertEquals(Outcome.DONE, report.outcome(), report.toString());
    assertFile("a", contents);
    assertEquals(List.of(), only(report).damages());
  }

  @Test
  void allSegmentsMayBecomeOneBetweenTheListAndTheFirstRead() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    TestArchive.TestStream stream = archive.stream("/a", 1);
    String first = stream.segment(contents, 0, 100_000);
    String second = stream.segment(contents, 100_000, LENGTH);
    ArchiveIndex index = archive.index(TestArchive.options());
    stream.segment(contents, 0, LENGTH);
    archive.destination.delete(first);
    archive.destination.delete(second);

    RestoreReport report =
        new Restorer(
                CALLS,
                archive.destination,
                RestoreOptions.of(TestArchive.options()),
                RestoreProgress.none())
            .restore(index, PosixPath.of(target()));

    assertEquals(Outcome.DONE, report.outcome(), report.toString());
    assertFile("a", contents);
  }

  @Test
  void anObjectThatVanishedForGoodIsMissing() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    TestArchive.TestStream stream = archive.stream("/a", 1);
    stream.segment(contents, 0, 100_000);
    String gone = stream.segment(contents, 100_000, 200_000);
    stream.segment(contents, 200_000, LENGTH);
    ArchiveIndex index = archive.index(TestArchive.options());
    archive.destination.delete(gone);

    RestoreReport report =
        new Restorer(
                CALLS,
                archive.destination,
                RestoreOptions.of(TestArchive.options()),
                RestoreProgress.none())
            .restore(index, PosixPath.of(target()));

    assertEquals(Outcome.PARTIAL, report.outcome());
    assertEquals("[[100000, 200000)]", only(report).missing().toString());
  }

  @Test
  void transientFailuresAreTriedAgain() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    archive.stream("/a", 1).segment(contents, 0, LENGTH);
    FaultyDestination twice =
        FaultyDestination.wrap(
            archive.destination,
            DestinationFaultPlan.when(
                call -> call.is("read") && call.number() <= 2, DestinationFault.FAIL_TRANSIENT));

    assertEquals(Outcome.DONE, restore(twice, archive).outcome());
    assertEquals(3, twice.callCount());
    assertFile("a", contents);
  }

  @Test
  void aDestinationThatFailsForGoodLeavesNoHalfFileAndTheNextRunGoesOn() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    TestArchive.TestStream stream = archive.stream("/a", 1);
    stream.segment(contents, 0, 100_000);
    String middle = stream.segment(contents, 100_000, 200_000);
    String last = stream.segment(contents, 200_000, LENGTH);
    FaultyDestination broken =
        FaultyDestination.wrap(
            archive.destination,
            DestinationFaultPlan.when(
                call -> call.is("read") && call.key().equals(middle),
                DestinationFault.FAIL_PERMANENT));

    RestoreReport report = restore(broken, archive);

    assertEquals(Outcome.FAILED, report.outcome());
    assertTrue(only(report).problem().orElseThrow().contains("run the restore again"));
    assertEquals(List.of(), only(report).missing(), "the archive has them");
    assertFalse(Files.exists(target().resolve("a")));
    assertEquals(1, files().size());

    FaultyDestination working =
        FaultyDestination.wrap(archive.destination, DestinationFaultPlan.none());
    assertEquals(Outcome.DONE, restore(working, archive).outcome());
    assertFile("a", contents);
    assertEquals(List.of("a"), files());
    long wholeSegments = working.log().stream().filter(call -> call.is("read")).count();
    // Three looks at the beginning of what may be there, or of all; the first is not fetched again.
    assertTrue(wholeSegments <= 4, working.log().toString());
    assertTrue(working.log().stream().anyMatch(call -> call.key().equals(last)));
  }

  @Test
  void whatIsInTheWayIsNamedByItsPathAndNothingIsCalledMissing() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    archive.stream("/d/e/a", 1).segment(contents, 0, LENGTH);
    Files.createDirectories(target());
    Files.write(target().resolve("d"), Bytes.text("mine"));

    RestoreReport report = restore(archive);

    String problem = only(report).problem().orElseThrow();
    assertTrue(problem.contains("d/e: ENOTDIR (Not a directory)"), problem);
    assertTrue(problem.contains("Hint: something else has the name of a directory"), problem);
    assertFalse(problem.contains("fd "), problem);
    assertEquals(List.of(), only(report).missing());
  }

  @Test
  void aDirectoryThatThisUserMayNotWriteToSaysWhatToDo() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    archive.stream("/d/a", 1).segment(contents, 0, LENGTH);
    FaultyFileCalls notRoot =
        FaultyFileCalls.wrap(
            CALLS, FaultPlan.when(call -> call.is("makeDirectory"), new Fault.Fail(Errno.EACCES)));
    Files.createDirectories(target());

    RestoreReport report =
        restore(notRoot.calls(), archive, RestoreOptions.of(TestArchive.options()));

    assertEquals(RestoreResult.FAILED, only(report).result());
    assertEquals(
        "mkdir d: EACCES (Permission denied)."
            + " Hint: let this user write there, and run the same command again",
        only(report).problem().orElseThrow());
  }

  @Test
  void aFileWithOtherContentsIsNotTouchedUnlessOverwritingIsAllowed() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    archive.stream("/a", 1).segment(contents, 0, LENGTH);
    archive.stream("/b", 2).segmentAt(0, Bytes.text("b"));
    Files.createDirectories(target());
    Files.write(target().resolve("a"), Bytes.text("mine"));

    RestoreReport report = restore(archive);
    assertEquals(Outcome.PARTIAL, report.outcome());
    assertEquals(RestoreResult.REFUSED, report.streams().getFirst().result());
    assertEquals(List.of(), report.streams().getFirst().missing(), "the archive has them");
    assertFile("a", Bytes.text("mine"));
    assertFile("b", Bytes.text("b"));

    report = restore(archive, RestoreOptions.of(TestArchive.options()).withOverwrite(true));
    assertEquals(Outcome.DONE, report.outcome());
    assertEquals(RestoreResult.RESTORED, report.streams().getFirst().result());
    assertEquals(RestoreResult.ALREADY_THERE, report.streams().getLast().result());
    assertFile("a", contents);
  }

  @Test
  void aSocketIsReplacedOnlyIfOverwritingIsAllowed() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    archive.stream("/a", 1).segment(contents, 0, LENGTH);
    Files.createDirectories(target());
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(target().resolve("a")));

      RestoredStream refused = only(restore(archive));
      assertEquals(RestoreResult.REFUSED, refused.result());
      assertTrue(refused.problem().orElseThrow().contains("that is not a plain file"));
      assertTrue(refused.wouldOverwrite());

      RestoreOptions overwriting = RestoreOptions.of(TestArchive.options()).withOverwrite(true);
      assertEquals(RestoreResult.RESTORED, only(restore(archive, overwriting)).result());
      assertFile("a", contents);
    }
  }

  /** What {@code --overwrite} does not replace. */
  @Test
  void aDirectoryInThePlaceOfAFileGetsAnotherHint() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    archive.stream("/a", 1).segment(contents, 0, LENGTH);
    Files.createDirectories(target().resolve("a"));
    RestoredStream refused = only(restore(archive));
    assertEquals(RestoreResult.REFUSED, refused.result());
    assertFalse(refused.wouldOverwrite());
  }

  @Test
  void keepsWhatSomebodyWroteMeanwhileToAFileThatMayBeReplaced() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    archive.stream("/a", 1).segment(contents, 0, LENGTH);
    Files.createDirectories(target());
    Path mine = Files.createFile(target().resolve("a"));
    FaultyFileCalls busy =
        FaultyFileCalls.wrap(
            CALLS,
            call -> {
              if (call.is("pwrite")) {
                write(mine);
              }
              return Fault.PROCEED;
            });

    RestoreReport report = restore(busy.calls(), archive, RestoreOptions.of(TestArchive.options()));

    assertFile("a", Bytes.text("mine"));
    assertEquals(RestoreResult.REFUSED, only(report).result());
    assertEquals(List.of("a"), files());
  }

  private static void write(Path file) {
    try {
      Files.write(file, Bytes.text("mine"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aSecondRunFetchesNothingAgain() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    TestArchive.TestStream stream = archive.stream("/a", 1);
    stream.segment(contents, 0, 100_000);
    stream.segment(contents, 100_000, LENGTH);
    restore(archive);

    RestoreReport report = restore(archive);

    assertEquals(Outcome.DONE, report.outcome());
    assertEquals(RestoreResult.ALREADY_THERE, only(report).result());
    assertEquals(LENGTH, only(report).bytes());
  }

  @Test
  void everyCallThatFailsIsReportedAndLeaksNoDescriptor() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    archive.stream("/d/a", 1).segment(contents, 0, LENGTH);
    RestoreOptions options = RestoreOptions.of(TestArchive.options().withJobs(1));
    FaultyFileCalls counting = FaultyFileCalls.wrap(CALLS, FaultPlan.none());
    restore(counting.calls(), archive, options);
    List<String> log = counting.log();
    deleteTarget();

    for (int at = 1; at <= log.size(); at++) {
      if (log.get(at - 1).equals("close")) {
        continue;
      }
      FaultyFileCalls failing = FaultyFileCalls.wrap(CALLS, FaultPlan.failAt(at, Errno.EIO));
      String what = "call " + at + ", " + log.get(at - 1);
      try {
        RestoreReport report = restore(failing.calls(), archive, options);
        if (report.outcome() != Outcome.DONE) {
          String problem = only(report).problem().or(report::problem).orElseThrow();
          assertTrue(problem.contains("EIO"), what + ": " + problem);
        }
      } catch (IOException e) {
        assertTrue(String.valueOf(e.getMessage()).contains("EIO"), what + ": " + e);
      }
      assertEquals(List.of(), failing.openDescriptors(), what);
      assertEquals(Outcome.DONE, restore(archive, options).outcome(), what);
      assertFile("d/a", contents);
      deleteTarget();
    }
  }

  /** FAT refuses modes, and mounts of other machines times. */
  @Test
  void whatTheFileSystemHasNoModesOrTimesForIsRestoredAllTheSame() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    archive.stream("/log/a", 1).segmentAt(0, Bytes.text("x"));
    archive.stream("/log/b", 2).segmentAt(0, Bytes.text("y"));
    new TestTrees(archive, "web-1", 5)
        .say(new TestTrees.Directory("/log").mode(0755).link("latest", "b"))
        .deliver(true, 1_000);
    RestoreOptions options = RestoreOptions.of(TestArchive.options());
    for (String call : List.of("changeMode", "changeModificationTime")) {
      for (Errno errno : List.of(Errno.EPERM, Errno.EOPNOTSUPP)) {
        FaultyFileCalls without = FaultyFileCalls.wrap(CALLS, FaultPlan.failAll(call, errno));
        RestoreReport report = restore(without.calls(), archive, options);
        assertEquals(Outcome.PARTIAL, report.outcome());
        assertEquals(2, report.count(RestoreResult.RESTORED));
        assertEquals(
            call.equals("changeMode") ? 3 : 4, report.unsetModes().orElseThrow().refused());
        String first = report.unsetModes().orElseThrow().firstRefusal();
        assertTrue(first.matches("/log/[ab]: (chmod|utimens): .*"), first);
        assertEquals(new TreeReport(1, 1, 0, 0, 0, 0, Optional.empty(), List.of()), report.tree());
        assertEquals(List.of("log/a", "log/b", "log/latest"), files());
        assertFile("log/a", Bytes.text("x"));
        deleteTarget();
      }
    }
  }

  /** Only its owner may change it, and no other file system would help. */
  @Test
  void aDirectoryOrLinkOfAnotherUserThatIsNotChangedIsNamed() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    archive.stream("/log/a", 1).segmentAt(0, Bytes.text("x"));
    new TestTrees(archive, "web-1", 5)
        .say(new TestTrees.Directory("/log").mode(0755).link("latest", "a"))
        .deliver(true, 1_000);
    RestoreOptions options = RestoreOptions.of(TestArchive.options()).withOverwrite(true);
    for (String call : List.of("changeMode", "changeModificationTime")) {
      Files.createDirectories(target().resolve("log"));
      Files.createSymbolicLink(target().resolve("log/latest"), Path.of("a"));
      FaultyFileCalls refusing =
          FaultyFileCalls.wrap(squashed(), FaultPlan.failAll(call, Errno.EPERM));
      RestoreReport report = restore(refusing.calls(), archive, options);
      assertEquals(Outcome.PARTIAL, report.outcome());
      boolean isMode = call.equals("changeMode");
      assertEquals(isMode ? 1 : 2, report.tree().failed());
      assertEquals(0, report.tree().directories());
      String first = report.tree().firstFailure().orElseThrow();
      assertTrue(first.startsWith(isMode ? "/log: chmod" : "/log/latest: utimens"), first);
      assertTrue(first.contains("Hint: let this user write there"), first);
      // The file is new, and so of whom new files belong to.
      assertEquals(1, report.unsetModes().orElseThrow().refused());
      assertEquals(RestoreResult.RESTORED, only(report).result());
      deleteTarget();
    }
  }

  @Test
  void aFullTargetIsReportedAndNothingMoreIsTried() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    for (int i = 0; i < 20; i++) {
      archive.stream("/f" + i, i).segment(Bytes.random(LENGTH, i), 0, LENGTH);
    }
    try (MountedFileSystem small = TestFileSystems.tmpfs(1024 * 1024)) {
      RestoreReport report =
          new Restorer(
                  CALLS,
                  archive.destination,
                  RestoreOptions.of(TestArchive.options().withJobs(1)),
                  RestoreProgress.none())
              .restore(archive.index(TestArchive.options()), small.path());
      assertEquals(Outcome.PARTIAL, report.outcome());
      assertEquals(3, report.count(RestoreResult.RESTORED));
      assertEquals(17, report.count(RestoreResult.FAILED));
      assertTrue(
          report.streams().stream()
              .flatMap(stream -> stream.problem().stream())
              .allMatch(problem -> problem.contains("ENOSPC")));
      List<String> notTried =
          report.streams().stream().flatMap(stream -> stream.whyNotTried().stream()).toList();
      assertEquals(16, notTried.size(), "all but the one that has found the target full");
      assertTrue(notTried.getFirst().contains("ENOSPC"), notTried.getFirst());
      assertFalse(notTried.getFirst().contains("not tried"), notTried.getFirst());
    }
  }

  @Test
  void aDestinationThatCannotBeListedIsAnException() {
    TestArchive archive = TestArchive.inMemory();
    FaultyDestination broken =
        FaultyDestination.wrap(
            archive.destination, DestinationFaultPlan.all("list", DestinationFault.FAIL_TRANSIENT));
    assertThrows(
        DestinationException.class,
        () ->
            ArchiveIndex.load(
                broken, Selection.everything(), TestArchive.options(), RestoreProgress.none()));
    assertEquals(4, broken.callCount());
  }
}
