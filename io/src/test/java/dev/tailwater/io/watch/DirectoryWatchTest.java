package dev.tailwater.io.watch;

import static dev.tailwater.io.watch.WatchHarness.NOTIFIED_ONLY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Notification on the real kernel: no scan can come to its help. */
class DirectoryWatchTest {
  private final FileCalls calls = LinuxFileCalls.create();

  @TempDir Path root;

  /** How the watch is notified; a subclass says another way. */
  WatchOptions options() throws IOException {
    return NOTIFIED_ONLY.withNotification(NotificationMethod.INOTIFY);
  }

  private WatchHarness watch() throws IOException {
    return new WatchHarness(calls, options(), root);
  }

  private PosixPath path(String name) {
    return PosixPath.of(root.resolve(name));
  }

  private void write(String name) throws IOException {
    Files.writeString(
        root.resolve(name), name, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private void rename(String from, String to) throws IOException {
    Files.move(root.resolve(from), root.resolve(to), StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  void firstPollReportsEverythingThatIsThere() throws IOException {
    Files.createDirectories(root.resolve("a/b"));
    write("x");
    write("a/b/y");
    Files.createSymbolicLink(root.resolve("link"), root.resolve("x"));
    try (WatchHarness watch = watch()) {
      assertEquals(
          Set.of(new WatchChange.Appeared(path("x")), new WatchChange.Appeared(path("a/b/y"))),
          Set.copyOf(watch.changes));
      assertEquals(2, watch.watch().statistics().files());
      assertEquals(3, watch.watch().statistics().directories());
    }
  }

  @Test
  void reportsCreationWritingAndDeletion() throws IOException {
    try (WatchHarness watch = watch()) {
      write("x");
      watch.untilReported(new WatchChange.Appeared(path("x")));
      watch.untilQuiet();
      watch.forgetChanges();
      write("x");
      watch.untilReported(new WatchChange.Modified(path("x")));
      Files.delete(root.resolve("x"));
      watch.untilReported(new WatchChange.Disappeared(path("x")));
      assertEquals(0, watch.watch().statistics().files());
    }
  }

  @Test
  void reportsAWriteToAFileThatWasOpenedUnderAnotherName() throws IOException {
    write("first");
    try (WatchHarness watch = watch();
        FileChannel writer = FileChannel.open(root.resolve("first"), StandardOpenOption.APPEND)) {
      Files.createLink(root.resolve("second"), root.resolve("first"));
      Files.delete(root.resolve("first"));
      watch.until(() -> watch.known.equals(Set.of(path("second"))));
      watch.untilQuiet();
      assertEquals(List.of(), writtenElsewhere(watch));
      writer.write(ByteBuffer.wrap(new byte[1]));
      watch.untilReported(new WatchChange.WrittenElsewhere(path("first")));
      watch.untilQuiet();
      assertEquals(List.of(path("first")), writtenElsewhere(watch));
      assertEquals(List.of(), missed(watch));
    }
  }

  private static List<PosixPath> writtenElsewhere(WatchHarness watch) {
    return watch.changes.stream()
        .filter(WatchChange.WrittenElsewhere.class::isInstance)
        .map(WatchChange::path)
        .toList();
  }

  @Test
  void reportsEachFileThatCameAndWentUnseen() throws IOException {
    write("kept");
    try (WatchHarness watch = watch()) {
      for (int i = 0; i < 3; i++) {
        write("short-" + i);
        Files.delete(root.resolve("short-" + i));
      }
      watch.until(() -> missed(watch).size() == 3);
      watch.untilQuiet();
      assertEquals(List.of(path("short-0"), path("short-1"), path("short-2")), missed(watch));
      assertEquals(Set.of(path("kept")), watch.known);
    }
  }

  @Test
  void callsNoFileMissedThatWasRenamedOrSeenOrIsADirectory() throws IOException {
    write("seen");
    try (WatchHarness watch = watch()) {
      write("new.tmp");
      rename("new.tmp", "new");
      rename("seen", "seen.1");
      Files.delete(root.resolve("seen.1"));
      Files.createDirectory(root.resolve("directory"));
      Files.delete(root.resolve("directory"));
      write("last");
      watch.until(() -> watch.known.equals(Set.of(path("new"), path("last"))));
      watch.untilQuiet();
      assertEquals(List.of(), missed(watch));
    }
  }

  @Test
  void callsNoFileMissedThatWasRenamedAndThenDeletedDuringALook() throws IOException {
    write("seen");
    PosixPath renamed = PosixPath.of("seen.1");
    FileCalls deleting = AfterLook.wrap(calls, renamed, () -> Files.delete(root.resolve("seen.1")));
    try (WatchHarness watch = new WatchHarness(deleting, options(), root)) {
      rename("seen", "seen.1");
      watch.until(watch.known::isEmpty);
      watch.untilQuiet();
      assertEquals(List.of(), missed(watch));
    }
  }

  private static List<PosixPath> missed(WatchHarness watch) {
    return watch.changes.stream()
        .filter(WatchChange.Missed.class::isInstance)
        .map(WatchChange::path)
        .toList();
  }

  @Test
  void tenWritesInATickAreOneChange() throws IOException {
    write("x");
    try (WatchHarness watch = new WatchHarness(calls, options().withTickMillis(200), root)) {
      for (int i = 0; i < 10; i++) {
        write("x");
      }
      assertEquals(List.of(new WatchChange.Modified(path("x"))), watch.next(10_000));
    }
  }

  @Test
  void followsARotationChain() throws IOException {
    write("log");
    write("log.1");
    try (WatchHarness watch = watch()) {
      watch.forgetChanges();
      rename("log.1", "log.2");
      rename("log", "log.1");
      write("log");
      watch.until(() -> watch.known.size() == 3);
      watch.untilQuiet();
      assertEquals(
          List.of(
              new WatchChange.Renamed(path("log.1"), path("log.2")),
              new WatchChange.Renamed(path("log"), path("log.1")),
              new WatchChange.Appeared(path("log"))),
          watch.changes.stream().filter(c -> !(c instanceof WatchChange.Modified)).toList());
    }
  }

  @Test
  void renameOverAKnownFileEndsThatOne() throws IOException {
    write("new");
    write("old");
    try (WatchHarness watch = watch()) {
      watch.forgetChanges();
      rename("new", "old");
      watch.untilReported(new WatchChange.Renamed(path("new"), path("old")));
      assertEquals(new WatchChange.Disappeared(path("old")), watch.changes.getFirst());
    }
  }

  @Test
  void replacedFileAppearsAgain() throws IOException {
    write("x");
    Files.createDirectories(root.resolve("unseen"));
    try (WatchHarness watch =
        new WatchHarness(calls, options().withWanted(p -> !p.toString().endsWith(".tmp")), root)) {
      watch.forgetChanges();
      write("y.tmp");
      rename("y.tmp", "x");
      watch.untilReported(new WatchChange.Appeared(path("x")));
      assertFalse(watch.changes.contains(new WatchChange.Disappeared(path("x"))));
    }
  }

  @Test
  void renameToAnUnwantedNameIsADisappearance() throws IOException {
    write("x.log");
    try (WatchHarness watch =
        new WatchHarness(calls, options().withWanted(p -> p.toString().endsWith(".log")), root)) {
      rename("x.log", "x.old");
      watch.untilReported(new WatchChange.Disappeared(path("x.log")));
      rename("x.old", "z.log");
      watch.untilReported(new WatchChange.Appeared(path("z.log")));
    }
  }

  @Test
  void followsRenamesBetweenDirectories() throws IOException {
    Files.createDirectories(root.resolve("a"));
    Files.createDirectories(root.resolve("b/c"));
    write("a/x");
    try (WatchHarness watch = watch()) {
      rename("a/x", "b/c/y");
      watch.untilReported(new WatchChange.Renamed(path("a/x"), path("b/c/y")));
      write("b/c/y");
      watch.untilReported(new WatchChange.Modified(path("b/c/y")));
    }
  }

  @Test
  void movingOutOfTheRootsIsADisappearance(@TempDir Path outside) throws IOException {
    write("x");
    Files.createDirectories(root.resolve("d"));
    write("d/y");
    try (WatchHarness watch = watch()) {
      Files.move(root.resolve("x"), outside.resolve("x"), StandardCopyOption.ATOMIC_MOVE);
      Files.move(root.resolve("d"), outside.resolve("d"), StandardCopyOption.ATOMIC_MOVE);
      watch.until(watch.known::isEmpty);
      assertEquals(1, watch.watch().statistics().directories());
      Files.writeString(outside.resolve("d/y"), "more");
      watch.untilQuiet();
      assertTrue(watch.known.isEmpty());
    }
  }

  @Test
  void deepTreeMovedInIsFoundAndWatched(@TempDir Path outside) throws IOException {
    Files.createDirectories(outside.resolve("d/e/f/g"));
    Files.writeString(outside.resolve("d/e/f/g/x"), "x");
    Files.writeString(outside.resolve("d/y"), "y");
    try (WatchHarness watch = watch()) {
      Files.move(outside.resolve("d"), root.resolve("d"), StandardCopyOption.ATOMIC_MOVE);
      watch.until(() -> watch.known.equals(Set.of(path("d/e/f/g/x"), path("d/y"))));
      watch.untilQuiet();
      write("d/e/f/g/x");
      watch.untilReported(new WatchChange.Modified(path("d/e/f/g/x")));
    }
  }

  @Test
  void renamedDirectoryKeepsItsWatchesAndReportsItsFilesRenamed() throws IOException {
    Files.createDirectories(root.resolve("d/e"));
    write("d/x");
    write("d/e/y");
    try (WatchHarness watch = watch()) {
      rename("d", "n");
      watch.untilReported(new WatchChange.Renamed(path("d/x"), path("n/x")));
      watch.untilReported(new WatchChange.Renamed(path("d/e/y"), path("n/e/y")));
      write("n/e/y");
      watch.untilReported(new WatchChange.Modified(path("n/e/y")));
      write("n/e/z");
      watch.untilReported(new WatchChange.Appeared(path("n/e/z")));
      assertFalse(watch.changes.stream().anyMatch(WatchChange.Disappeared.class::isInstance));
    }
  }

  @Test
  void findsWhatWasWrittenBeforeANewDirectoryWasWatched() throws IOException {
    try (WatchHarness watch = watch()) {
      for (int i = 0; i < 20; i++) {
        Files.createDirectories(root.resolve("d" + i + "/e/f"));
        write("d" + i + "/e/f/x");
      }
      watch.until(() -> watch.known.size() == 20);
      write("d7/e/f/late");
      watch.untilReported(new WatchChange.Appeared(path("d7/e/f/late")));
    }
  }

  @Test
  void fileMovedOutOfADirectoryThatIsThenRemovedIsRenamed() throws IOException {
    Files.createDirectories(root.resolve("d"));
    write("d/x");
    try (WatchHarness watch = watch()) {
      rename("d/x", "x");
      Files.delete(root.resolve("d"));
      watch.untilReported(new WatchChange.Renamed(path("d/x"), path("x")));
      watch.untilQuiet();
      assertEquals(1, watch.watch().statistics().directories());
    }
  }

  @Test
  void recreatedDirectoryIsWatchedAgain() throws IOException {
    Files.createDirectories(root.resolve("d"));
    write("d/x");
    try (WatchHarness watch = watch()) {
      for (int i = 0; i < 10; i++) {
        Files.delete(root.resolve("d/x"));
        Files.delete(root.resolve("d"));
        Files.createDirectories(root.resolve("d"));
        write("d/x");
      }
      watch.untilQuiet();
      watch.forgetChanges();
      write("d/x");
      watch.untilReported(new WatchChange.Modified(path("d/x")));
      write("d/y");
      watch.untilReported(new WatchChange.Appeared(path("d/y")));
    }
  }

  @Test
  void keepsNamesThatAreNotText() throws IOException {
    PosixPath directory = PosixPath.of(root);
    byte[] every = new byte[254];
    int length = 0;
    for (int b = 1; b < 256; b++) {
      if (b != '/') {
        every[length++] = (byte) b;
      }
    }
    PosixPath file = directory.resolve(PosixPath.of(every));
    try (WatchHarness watch = watch()) {
      Descriptor.open(
              calls,
              FileCalls.AT_FDCWD,
              file,
              Set.of(
                  dev.tailwater.posix.value.OpenFlag.CREATE,
                  dev.tailwater.posix.value.OpenFlag.WRITE_ONLY),
              0600)
          .close();
      watch.untilReported(new WatchChange.Appeared(file));
      calls.unlink(FileCalls.AT_FDCWD, file);
      watch.untilReported(new WatchChange.Disappeared(file));
    }
  }

  @Test
  void exchangedNamesEndAsTheyAre() throws IOException {
    write("a");
    write("b");
    try (WatchHarness watch = watch()) {
      calls.rename(
          FileCalls.AT_FDCWD,
          path("a"),
          FileCalls.AT_FDCWD,
          path("b"),
          Set.of(dev.tailwater.posix.value.RenameFlag.EXCHANGE));
      watch.until(() -> watch.changes.stream().anyMatch(WatchChange.Renamed.class::isInstance));
      assertEquals(Set.of(path("a"), path("b")), watch.known);
    }
  }

  @Test
  void wakeEndsAPollWithoutLimit() throws Exception {
    try (WatchHarness watch = watch()) {
      Thread waker =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      watch.watch().wake();
                    } catch (IOException e) {
                      throw new IllegalStateException(e);
                    }
                  });
      assertEquals(List.of(), watch.next(-1));
      waker.join();
    }
  }
}
