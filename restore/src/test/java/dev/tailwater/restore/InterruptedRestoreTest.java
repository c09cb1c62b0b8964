package dev.tailwater.restore;

import static dev.tailwater.posix.value.OpenFlag.NON_BLOCK;
import static dev.tailwater.posix.value.OpenFlag.NO_FOLLOW;
import static dev.tailwater.posix.value.OpenFlag.READ_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.CrashError;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.restore.place.RestoreOptions;
import dev.tailwater.restore.place.RestoreReport;
import dev.tailwater.restore.place.RestoreResult;
import dev.tailwater.restore.place.RestoredStream;
import dev.tailwater.restore.place.Restorer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** What a run that was killed or that failed leaves, and what the next one makes of it. */
class InterruptedRestoreTest extends RestoreFixture {
  private static final int LENGTH = 300_000;
  private final byte[] contents = Bytes.random(LENGTH, 7);

  @Test
  void aKillAtAnyCallLeavesNothingThatTheNextRunDoesNotRepair() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    TestArchive.TestStream stream = archive.stream("/d/a", 1);
    stream.segment(contents, 0, 100_000);
    stream.segment(contents, 100_000, LENGTH);
    archive.stream("/d/b", 2).segmentAt(0, Bytes.text("b"));
    RestoreOptions options = RestoreOptions.of(TestArchive.options().withJobs(1));
    FaultyFileCalls counting = FaultyFileCalls.wrap(CALLS, FaultPlan.none());
    restore(counting.calls(), archive, options);
    assertEquals(List.of(), counting.openDescriptors());
    long calls = counting.callCount();
    deleteTarget();

    for (long at = 1; at <= calls; at++) {
      FaultyFileCalls crashing = FaultyFileCalls.wrap(CALLS, FaultPlan.crashAt(at));
      assertThrows(
          CrashError.class, () -> restore(crashing.calls(), archive, options), "call " + at);
      crashing.kill();
      for (String path : files(scratch)) {
        if (path.equals("target/d/a")) {
          assertFile("d/a", contents);
        } else if (path.equals("target/d/b")) {
          assertFile("d/b", Bytes.text("b"));
        } else {
          assertTrue(path.endsWith(".partial"), path);
        }
      }
      assertEquals(Outcome.DONE, restore(archive, options).outcome(), "after call " + at);
      assertFile("d/a", contents);
      assertFile("d/b", Bytes.text("b"));
      assertEquals(List.of("d/a", "d/b"), files());
      deleteTarget();
    }
  }

  /** The kernel calls pages clean that it could not write, and the next fsync succeeds. */
  @Test
  void writesAnewWhatCouldNotBeMadeDurable() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    TestArchive.TestStream stream = archive.stream("/a", 1);
    stream.segment(contents, 0, 200_000);
    stream.segment(contents, 200_000, LENGTH);
    Files.createDirectories(target());
    FaultyFileCalls failing = FaultyFileCalls.wrap(CALLS, FaultPlan.failOnce("fsync", Errno.EIO));

    RestoreReport report =
        restore(failing.calls(), archive, RestoreOptions.of(TestArchive.options()));

    assertEquals(RestoreResult.FAILED, only(report).result());
    assertEquals(List.of(), files());
    assertEquals(Outcome.DONE, restore(archive).outcome());
    assertFile("a", contents);
  }

  /** Kills a restore of one file before that gets its name; returns what it leaves. */
  private Path partialOfAKilledRun(TestArchive archive, RestoreOptions options) throws IOException {
    Files.createDirectories(target());
    FaultyFileCalls killed =
        FaultyFileCalls.wrap(
            CALLS, FaultPlan.once(call -> call.is("rename"), new Fault.CrashBefore()));
    assertThrows(CrashError.class, () -> restore(killed.calls(), archive, options));
    killed.kill();
    return target().resolve(files(target()).getFirst());
  }

  @Test
  void continuesAFileThatTheKilledRunHadMadeReadOnly() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    TestArchive.TestStream stream = archive.stream("/a", 1);
    stream.permissions = 0400;
    stream.segment(contents, 0, LENGTH);
    RestoreOptions options = RestoreOptions.of(TestArchive.options());
    Path partial = partialOfAKilledRun(archive, options);
    // What the kernel says to any user but root.
    FaultyFileCalls notRoot =
        FaultyFileCalls.wrap(
            CALLS,
            FaultPlan.when(
                call ->
                    call.arguments().contains(EnumSet.of(READ_WRITE, NO_FOLLOW, NON_BLOCK))
                        && isReadOnly(partial),
                new Fault.Fail(Errno.EACCES)));

    RestoreReport report = restore(notRoot.calls(), archive, options);

    assertEquals(Outcome.DONE, report.outcome(), report.toString());
    assertFile("a", contents);
    assertEquals(List.of("a"), files());
    assertTrue(isReadOnly(target().resolve("a")));
  }

  /** As above, where even its owner may not read it. */
  @Test
  void continuesAFileThatTheKilledRunHadClosedToItsOwner() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    TestArchive.TestStream stream = archive.stream("/a", 1);
    stream.permissions = 0;
    stream.segment(contents, 0, LENGTH);
    RestoreOptions options = RestoreOptions.of(TestArchive.options());
    Path partial = partialOfAKilledRun(archive, options);
    FaultyFileCalls notRoot = FaultyFileCalls.wrap(CALLS, keptOutOf(partial));

    try (Descriptor ofAnotherRun =
        Descriptor.open(CALLS, FileCalls.AT_FDCWD, PosixPath.of(partial), Set.of(), 0)) {
      assertTrue(CALLS.tryLock(ofAnotherRun.fd()));
      assertEquals(Outcome.FAILED, restore(notRoot.calls(), archive, options).outcome());
      assertEquals("---------", permissions(partial));
    }
    assertEquals(Outcome.DONE, restore(notRoot.calls(), archive, options).outcome());
    assertFile("a", contents);
    assertEquals(List.of("a"), files());
    assertEquals("---------", permissions(target().resolve("a")));
  }

  @Test
  void saysWhatToDoWhereAFinishedFileCannotBeCompared() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    TestArchive.TestStream stream = archive.stream("/a", 1);
    stream.permissions = 0;
    stream.segment(contents, 0, LENGTH);
    RestoreOptions options = RestoreOptions.of(TestArchive.options());
    assertEquals(Outcome.DONE, restore(CALLS, archive, options).outcome());
    FaultyFileCalls notRoot = FaultyFileCalls.wrap(CALLS, keptOutOf(target().resolve("a")));
    RestoredStream again = only(restore(notRoot.calls(), archive, options));
    assertEquals(RestoreResult.FAILED, again.result());
    String why = String.valueOf(again.problem());
    assertTrue(why.contains("let this user read what has its name"), why);
    assertEquals("---------", permissions(target().resolve("a")));
  }

  /** What the kernel says to any user but root. */
  private static FaultPlan keptOutOf(Path file) {
    return FaultPlan.when(
        call -> {
          List<Object> arguments = call.arguments();
          boolean writes = arguments.contains(EnumSet.of(READ_WRITE, NO_FOLLOW, NON_BLOCK));
          boolean reads = arguments.contains(EnumSet.of(NO_FOLLOW, NON_BLOCK));
          return arguments.contains(PosixPath.of(file.getFileName()))
              && (writes || reads)
              && !permissions(file).startsWith(writes ? "rw" : "r");
        },
        new Fault.Fail(Errno.EACCES));
  }

  @Test
  void makesTheNamesOfDirectoriesDurableThatItMakesAboveTheTarget() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    archive.stream("/a", 1).segmentAt(0, Bytes.text("a"));
    Path above = Files.createDirectory(scratch.resolve("above"));
    Path made = above.resolve("made");
    Set<Path> durable = ConcurrentHashMap.newKeySet();
    FaultyFileCalls watched =
        FaultyFileCalls.wrap(
            CALLS,
            call -> {
              if (call.is("fsync")) {
                durable.add(opened((int) call.arguments().getFirst()));
              }
              return Fault.PROCEED;
            });

    RestoreOptions options = RestoreOptions.of(TestArchive.options());
    new Restorer(watched.calls(), archive.destination, options, RestoreProgress.none())
        .restore(archive.index(options.reading()), PosixPath.of(made.resolve("target")));

    assertTrue(durable.contains(made.toRealPath()), durable.toString());
    assertTrue(durable.contains(above.toRealPath()), durable.toString());
    assertEquals(List.of(), watched.openDescriptors());
  }

  private static Path opened(int fd) {
    try {
      return Files.readSymbolicLink(Path.of("/proc/self/fd/" + fd));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Object inode(Path file) throws IOException {
    return Files.getAttribute(file, "unix:ino");
  }

  /** Returns whether the file that a killed run has left is the one that is restored. */
  private boolean isContinuedWhereFilesBelongToAnother(String directoryMode) throws IOException {
    TestArchive archive = TestArchive.inMemory();
    TestArchive.TestStream stream = archive.stream("/a", 1);
    stream.segment(contents, 0, LENGTH);
    RestoreOptions options = RestoreOptions.of(TestArchive.options());
    Files.createDirectories(target());
    Files.setPosixFilePermissions(target(), PosixFilePermissions.fromString(directoryMode));
    FaultyFileCalls killed =
        FaultyFileCalls.wrap(
            squashed(), FaultPlan.once(call -> call.is("rename"), new Fault.CrashBefore()));
    assertThrows(CrashError.class, () -> restore(killed.calls(), archive, options));
    killed.kill();
    Path partial = target().resolve(files(target()).getFirst());
    Object left = inode(partial);
    // Open, so that no other file gets its number.
    try (var _ = Files.newByteChannel(partial)) {
      RestoreReport report = restore(squashed(), archive, options);
      assertEquals(Outcome.DONE, report.outcome(), report.toString());
      assertFile("a", contents);
      assertEquals(List.of("a"), files());
      return left.equals(inode(target().resolve("a")));
    }
  }

  @Test
  void continuesAFileWhereNewOnesBelongToTheSameOtherUser() throws IOException {
    assertTrue(isContinuedWhereFilesBelongToAnother("rwxr-xr-x"));
  }

  @Test
  void writesSuchAFileAnewWhereOthersMayHaveMadeIt() throws IOException {
    assertFalse(isContinuedWhereFilesBelongToAnother("rwxrwxrwx"));
  }

  @Test
  void closesAnUnfinishedFileWhereNobodyCanSayWhoseNewFilesWouldBe() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    archive.stream("/a", 1).segment(contents, 0, LENGTH);
    RestoreOptions options = RestoreOptions.of(TestArchive.options());
    Files.createDirectories(target());
    FaultyFileCalls killed =
        FaultyFileCalls.wrap(
            squashed(), FaultPlan.once(call -> call.is("rename"), new Fault.CrashBefore()));
    assertThrows(CrashError.class, () -> restore(killed.calls(), archive, options));
    killed.kill();
    List<String> left = files();
    FaultyFileCalls failing =
        FaultyFileCalls.wrap(squashed(), FaultPlan.failOnce("unlink", Errno.EIO));

    RestoreReport report = restore(failing.calls(), archive, options);

    assertEquals(RestoreResult.FAILED, only(report).result());
    assertEquals(left, files());
    assertEquals(List.of(), failing.openDescriptors());
  }

  private static boolean isReadOnly(Path file) {
    return permissions(file).equals("r--------");
  }

  private static String permissions(Path file) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
