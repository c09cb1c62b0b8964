package dev.tailwater.io.watch;

import static dev.tailwater.io.watch.WatchHarness.NOTIFIED_ONLY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Roots that come and go, that are files, links, or inside each other; and what a scan costs. */
final class DirectoryWatchRootsTest {
  private static final WatchOptions POLLING = NOTIFIED_ONLY.withPollMillis(20);

  private final FileCalls calls = LinuxFileCalls.create();

  @TempDir Path directory;

  private PosixPath path(String name) {
    return PosixPath.of(directory.resolve(name));
  }

  private void move(String from, String to) throws IOException {
    Files.move(directory.resolve(from), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  void rootMayComeGoAndComeBack() throws IOException {
    Path root = directory.resolve("a/b");
    try (WatchHarness watch = new WatchHarness(calls, POLLING, root)) {
      assertEquals(List.of(), watch.changes);
      for (int i = 0; i < 3; i++) {
        Files.createDirectories(root);
        Files.writeString(root.resolve("x"), "x");
        watch.until(() -> watch.known.equals(Set.of(path("a/b/x"))));
        RandomTree.delete(directory.resolve("a"));
        watch.until(watch.known::isEmpty);
      }
      Files.createDirectories(root);
      Files.writeString(root.resolve("x"), "x");
      watch.until(() -> watch.known.equals(Set.of(path("a/b/x"))));
      move("a/b", "elsewhere");
      watch.until(watch.known::isEmpty);
      move("elsewhere", "a/b");
      watch.until(() -> watch.known.equals(Set.of(path("a/b/x"))));
    }
  }

  @Test
  void filesOfADirectoryThatRootsReachByALinkHaveThePathWithoutItInAnyOrder() throws IOException {
    Path real = Files.createDirectory(directory.resolve("real"));
    Files.createSymbolicLink(directory.resolve("link"), real);
    Files.writeString(real.resolve("a"), "x");
    Files.writeString(real.resolve("b"), "x");
    List<Path> roots =
        Stream.of("link/a", "real/b", "link/c", "real/d").map(directory::resolve).toList();
    for (List<Path> ordered : List.of(roots, roots.reversed())) {
      try (WatchHarness watch = new WatchHarness(calls, POLLING, ordered.toArray(Path[]::new))) {
        assertEquals(Set.of(path("real/a"), path("real/b")), watch.known);
        Files.writeString(real.resolve("c"), "x");
        Files.writeString(real.resolve("d"), "x");
        watch.until(() -> watch.known.size() == roots.size());
        assertTrue(watch.known.contains(path("real/c")), () -> "there are " + watch.known);
        Files.delete(real.resolve("c"));
        Files.delete(real.resolve("d"));
        watch.until(() -> watch.known.size() == 2);
      }
    }
  }

  @Test
  void rootThatIsAFileIsFollowedByItsNameAlone() throws IOException {
    Files.writeString(directory.resolve("log"), "x");
    Files.writeString(directory.resolve("other"), "x");
    WatchOptions nothingElse = POLLING.withWanted(p -> false);
    try (WatchHarness watch = new WatchHarness(calls, nothingElse, directory.resolve("log"))) {
      assertEquals(Set.of(path("log")), watch.known);
      move("log", "log.1");
      watch.until(watch.known::isEmpty);
      Files.writeString(directory.resolve("log"), "new");
      watch.until(() -> watch.known.equals(Set.of(path("log"))));
      watch.forgetChanges();
      Files.writeString(directory.resolve("log"), "longer");
      watch.untilReported(new WatchChange.Modified(path("log")));
      assertEquals(1, watch.watch().statistics().directories());
    }
  }

  @Test
  void aFileThatComesToAMissingRootIsFoundByItsEventAlone() throws IOException {
    WatchOptions nothingElse = NOTIFIED_ONLY.withWanted(p -> false);
    try (WatchHarness watch = new WatchHarness(calls, nothingElse, directory.resolve("log"))) {
      Files.writeString(directory.resolve("other"), "x");
      Files.writeString(directory.resolve("log"), "x");
      watch.until(() -> watch.known.equals(Set.of(path("log"))));
      assertTrue(watch.watch().knows(path("log")));
      move("log", "log.1");
      watch.until(watch.known::isEmpty);
      Files.writeString(directory.resolve("log"), "new");
      watch.until(() -> watch.known.equals(Set.of(path("log"))));
    }
  }

  @Test
  void aDirectoryThatComesToAMissingRootIsFoundByItsEventAlone() throws IOException {
    Path root = directory.resolve("a");
    try (WatchHarness watch = new WatchHarness(calls, NOTIFIED_ONLY, root)) {
      for (int i = 0; i < 3; i++) {
        Files.createDirectory(root);
        Files.writeString(root.resolve("x"), "x");
        watch.until(() -> watch.known.equals(Set.of(path("a/x"))));
        RandomTree.delete(root);
        watch.until(watch.known::isEmpty);
      }
    }
  }

  @Test
  void aFileThatTakesThePlaceOfASocketIsFoundByItsEventAlone() throws IOException {
    Path root = directory.resolve("a");
    SpecialFiles.makeSocket(root);
    try (WatchHarness watch = new WatchHarness(calls, NOTIFIED_ONLY, root)) {
      for (int i = 0; i < 3; i++) {
        Files.writeString(directory.resolve("new"), "x");
        move("new", "a");
        watch.until(() -> watch.known.equals(Set.of(path("a"))));
        Files.delete(root);
        SpecialFiles.makeSocket(root);
        watch.until(watch.known::isEmpty);
      }
    }
  }

  @Test
  void aFileThatTakesThePlaceOfALinkThatIsNotFollowedIsFoundByItsEventAlone() throws IOException {
    Path root = directory.resolve("a");
    Files.createSymbolicLink(root, root);
    try (WatchHarness watch = new WatchHarness(calls, NOTIFIED_ONLY, root)) {
      watch.until(() -> isUnobservable(watch));
      Files.writeString(directory.resolve("new"), "x");
      move("new", "a");
      watch.until(() -> watch.known.equals(Set.of(path("a"))));
      watch.untilReported(new WatchChange.Observable(path("a")));
    }
  }

  private boolean isUnobservable(WatchHarness watch) {
    return watch.changes.stream()
        .anyMatch(c -> c instanceof WatchChange.Unobservable u && u.path().equals(path("a")));
  }

  @Test
  void aLinkThatIsSwitchedIsFoundWithoutAScan() throws IOException {
    for (String release : List.of("1", "2", "3")) {
      Path logs = Files.createDirectories(directory.resolve("releases/" + release + "/logs"));
      Files.writeString(logs.resolve("x" + release), "x");
      Files.writeString(logs.resolveSibling("out"), "x");
    }
    switchTo("1");
    Path current = directory.resolve("current");
    for (String root : List.of("", "logs", "out")) {
      try (WatchHarness watch = new WatchHarness(calls, POLLING, current.resolve(root))) {
        for (String release : List.of("2", "3", "1")) {
          watch.forgetChanges();
          switchTo(release);
          PosixPath file =
              PosixPath.of(
                  root.equals("out")
                      ? current.resolve("out")
                      : current.resolve("logs/x" + release));
          watch.untilReported(new WatchChange.Appeared(file));
          assertTrue(watch.known.contains(file));
        }
      }
    }
  }

  private void switchTo(String release) throws IOException {
    Files.createSymbolicLink(directory.resolve("link"), Path.of("releases/" + release));
    move("link", "current");
  }

  @Test
  void aRootThatBecomesASocketIsNotWatchedElsewhere() throws IOException {
    Path root = Files.createDirectory(directory.resolve("a"));
    Files.writeString(root.resolve("x"), "x");
    try (WatchHarness watch = new WatchHarness(calls, NOTIFIED_ONLY, root)) {
      move("a", "elsewhere");
      SpecialFiles.makeSocket(root);
      watch.until(watch.known::isEmpty);
      Files.delete(root);
      Files.writeString(root, "x");
      watch.until(() -> watch.known.equals(Set.of(path("a"))));
      assertEquals(1, watch.watch().statistics().directories());
    }
  }

  @Test
  void aDirectoryThatTakesThePlaceOfAFileIsFoundByItsEventAlone() throws IOException {
    Path root = Files.writeString(directory.resolve("a"), "x");
    try (WatchHarness watch = new WatchHarness(calls, NOTIFIED_ONLY, root)) {
      for (int i = 0; i < 3; i++) {
        watch.until(() -> watch.known.equals(Set.of(path("a"))));
        Files.delete(root);
        watch.until(watch.known::isEmpty);
        Files.createDirectory(root);
        Files.writeString(root.resolve("x"), "x");
        watch.until(() -> watch.known.equals(Set.of(path("a/x"))));
        RandomTree.delete(root);
        Files.writeString(root, "x");
      }
    }
  }

  @Test
  void theDirectoryOfAMissingRootIsWatchedOnlyUntilTheRootIsADirectory() throws IOException {
    Path root = directory.resolve("a");
    try (WatchHarness watch = new WatchHarness(calls, POLLING, root)) {
      assertEquals(1, watch.watch().statistics().directories());
      Files.createDirectory(root);
      Files.writeString(root.resolve("x"), "x");
      watch.until(() -> watch.known.equals(Set.of(path("a/x"))));
      watch.until(() -> watch.watch().statistics().directories() == 1);
      RandomTree.delete(root);
      watch.until(watch.known::isEmpty);
      Files.writeString(root, "a file now");
      watch.until(() -> watch.known.equals(Set.of(path("a"))));
    }
  }

  @Test
  void theDirectoryOfAMissingRootThatIsARootItselfStaysWhole() throws IOException {
    Path log = directory.resolve("log");
    try (WatchHarness watch = new WatchHarness(calls, POLLING, directory, log)) {
      Files.createDirectory(log);
      Files.writeString(log.resolve("x"), "x");
      Files.writeString(directory.resolve("other"), "x");
      watch.until(() -> watch.known.equals(Set.of(path("log/x"), path("other"))));
    }
  }

  /** The other root has the directory below it, or is the directory, by a path without links. */
  @Test
  void whatAMissingFileIsAwaitedInIsWholeBelowAnotherRoot() throws IOException {
    Files.createDirectories(directory.resolve("data/app"));
    Files.createSymbolicLink(directory.resolve("logs"), directory.resolve("data/app"));
    for (String whole : List.of("data", "data/app")) {
      for (boolean missingFirst : List.of(true, false)) {
        Path missing = directory.resolve("logs/log");
        Path other = directory.resolve(whole);
        WatchOptions options = POLLING.withWanted(file -> file.startsWith(path(whole)));
        Path[] roots = missingFirst ? new Path[] {missing, other} : new Path[] {other, missing};
        try (WatchHarness watch = new WatchHarness(calls, options, roots)) {
          Files.writeString(directory.resolve("data/app/other"), "x");
          watch.until(() -> watch.known.equals(Set.of(path("data/app/other"))));
          Files.writeString(directory.resolve("data/app/log"), "x");
          watch.until(() -> watch.known.size() == 2);
          Files.delete(directory.resolve("data/app/other"));
          Files.delete(directory.resolve("data/app/log"));
          watch.until(watch.known::isEmpty);
        }
      }
    }
  }

  @Test
  void whatAFileIsWatchedInIsWholeWhenItMovesBelowAnotherRoot() throws IOException {
    Files.createDirectories(directory.resolve("a"));
    Files.createDirectories(directory.resolve("elsewhere/b"));
    Files.writeString(directory.resolve("elsewhere/b/other"), "x");
    Path log = directory.resolve("elsewhere/b/log");
    WatchOptions options = POLLING.withWanted(file -> file.startsWith(path("a")));
    for (boolean isThere : List.of(false, true)) {
      if (isThere) {
        move("a/b", "elsewhere/b");
        Files.writeString(log, "x");
      }
      try (WatchHarness watch = new WatchHarness(calls, options, directory.resolve("a"), log)) {
        assertEquals(isThere ? Set.of(path("elsewhere/b/log")) : Set.of(), watch.known);
        move("elsewhere/b", "a/b");
        watch.until(() -> watch.known.contains(path("a/b/other")));
        Files.createDirectories(directory.resolve("elsewhere/b"));
        Files.writeString(log, "y");
        watch.until(() -> watch.known.contains(path("elsewhere/b/log")));
        Files.writeString(directory.resolve("elsewhere/b/unwanted"), "y");
        Files.delete(log);
        watch.until(() -> !watch.known.contains(path("elsewhere/b/log")));
        assertFalse(watch.known.contains(path("elsewhere/b/unwanted")));
        RandomTree.delete(directory.resolve("elsewhere/b"));
      }
    }
  }

  @Test
  void aFileWhoseDirectoryWasReplacedIsFoundByItsEventAlone() throws IOException {
    Path log = directory.resolve("logs/log");
    WatchOptions nothingElse = POLLING.withWanted(file -> false);
    Files.createDirectories(log.getParent());
    Files.writeString(log, "x");
    try (WatchHarness watch = new WatchHarness(calls, nothingElse, log)) {
      for (int i = 0; i < 3; i++) {
        assertTrue(watch.watch().knows(path("logs/log")));
        if (i == 1) {
          move("logs", "logs.old");
        } else {
          RandomTree.delete(Objects.requireNonNull(log.getParent()));
        }
        watch.until(watch.known::isEmpty);
        Files.createDirectory(log.getParent());
        watch.until(() -> watch.watch().statistics().directories() == 1);
        Files.writeString(log, "y");
        watch.until(() -> watch.known.equals(Set.of(path("logs/log"))));
      }
    }
  }

  @Test
  void aLinkToADirectoryThatComesToAMissingRootIsFoundByItsEventAlone() throws IOException {
    Files.createDirectory(directory.resolve("5"));
    Files.writeString(directory.resolve("5/x"), "x");
    Path current = directory.resolve("current");
    try (WatchHarness watch = new WatchHarness(calls, NOTIFIED_ONLY, current)) {
      Files.createSymbolicLink(current, directory.resolve("5"));
      watch.until(() -> watch.known.equals(Set.of(path("current/x"))));
    }
  }

  /** Whoever replaces the directory by a link while the watch runs may lead it anywhere. */
  @Test
  void aLinkInThePlaceOfADirectoryInWhichARootIsAwaitedIsReported() throws IOException {
    Path log = directory.resolve("app/log");
    Files.createDirectory(log.getParent());
    try (WatchHarness watch = new WatchHarness(calls, POLLING, log)) {
      Files.createDirectory(directory.resolve("data"));
      move("app", "app.old");
      Files.createSymbolicLink(directory.resolve("app"), directory.resolve("data"));
      Files.writeString(directory.resolve("data/log"), "x");
      watch.until(() -> refusals(watch, log) > 0);
      assertEquals(Set.of(), watch.known);
      assertTrue(watch.changes.stream().noneMatch(WatchChange.Observable.class::isInstance));
    }
  }

  @Test
  void rootThatIsALinkIsFollowed() throws IOException {
    Files.createDirectories(directory.resolve("v1"));
    Files.createDirectories(directory.resolve("v2"));
    Files.writeString(directory.resolve("v1/x"), "x");
    Files.writeString(directory.resolve("v2/y"), "y");
    Path link = Files.createSymbolicLink(directory.resolve("current"), Path.of("v1"));
    try (WatchHarness watch = new WatchHarness(calls, POLLING.withReconcileMillis(20), link)) {
      assertEquals(Set.of(path("current/x")), watch.known);
      Files.createSymbolicLink(directory.resolve("next"), Path.of("v2"));
      move("next", "current");
      watch.until(() -> watch.known.equals(Set.of(path("current/y"))));
    }
  }

  @Test
  void aDirectoryThatALinkReplacesIsNotFollowedAndItsSuccessorIs() throws IOException {
    Path logs = Files.createDirectories(directory.resolve("logs"));
    Path secret = Files.createDirectories(directory.resolve("secret"));
    Files.writeString(logs.resolve("x"), "x");
    Files.writeString(secret.resolve("key"), "key");
    try (WatchHarness watch = new WatchHarness(calls, POLLING.withReconcileMillis(20), logs)) {
      move("logs", "logs.old");
      Files.createSymbolicLink(logs, secret);
      watch.until(() -> refusals(watch, logs) == 1);
      watch.until(watch.known::isEmpty);
      long scans = watch.watch().statistics().scans();
      watch.until(() -> watch.watch().statistics().scans() > scans + 2);
      assertEquals(Set.of(), watch.known);
      assertEquals(1, refusals(watch, logs));
      Files.delete(logs);
      Files.createDirectory(logs);
      Files.writeString(logs.resolve("y"), "y");
      watch.until(() -> watch.known.equals(Set.of(path("logs/y"))));
      watch.untilReported(new WatchChange.Observable(PosixPath.of(logs)));
    }
  }

  @Test
  void aFileThatALinkReplacesIsNotFollowed() throws IOException {
    Path log = Files.writeString(directory.resolve("log"), "x");
    Path secret = Files.writeString(directory.resolve("secret"), "key");
    try (WatchHarness watch = new WatchHarness(calls, POLLING.withReconcileMillis(20), log)) {
      assertEquals(Set.of(path("log")), watch.known);
      Files.delete(log);
      Files.createSymbolicLink(log, secret);
      watch.until(() -> refusals(watch, log) == 1);
      watch.until(watch.known::isEmpty);
      Files.delete(log);
      Files.writeString(log, "y");
      watch.until(() -> watch.known.equals(Set.of(path("log"))));
    }
  }

  /** Two roots may lead to one file, by a link or by another mount. */
  @Test
  void aFileStaysWatchedWhenAnotherRootDoesNotLeadToItsDirectoryAnyMore() throws IOException {
    for (boolean isThere : List.of(true, false)) {
      Path base = Files.createDirectory(directory.resolve("there-" + isThere));
      Path data = Files.createDirectory(base.resolve("data"));
      Path empty = Files.createDirectory(base.resolve("empty"));
      Path link = Files.createSymbolicLink(base.resolve("link"), data);
      Path log = data.resolve("log");
      Path other = Files.writeString(data.resolve("other"), "x");
      if (isThere) {
        Files.writeString(log, "x");
      }
      WatchOptions options = POLLING.withReconcileMillis(20).withWanted(file -> false);
      try (WatchHarness watch = new WatchHarness(calls, options, log, other, link.resolve("log"))) {
        assertEquals(isThere ? 2 : 1, watch.known.size());
        Path next = Files.createSymbolicLink(base.resolve("next"), empty);
        Files.move(next, link, StandardCopyOption.ATOMIC_MOVE);
        watch.until(() -> watch.watch().statistics().directories() == 2);
        Files.writeString(log, "longer");
        watch.until(() -> watch.known.contains(PosixPath.of(log)));
        watch.forgetChanges();
        Files.writeString(log, "longer still");
        watch.untilReported(new WatchChange.Modified(PosixPath.of(log)));
      }
    }
  }

  private static long refusals(WatchHarness watch, Path root) {
    return watch.changes.stream()
        .filter(
            change ->
                change instanceof WatchChange.Unobservable trouble
                    && trouble.path().equals(PosixPath.of(root))
                    && trouble.why().errno() == Errno.ELOOP)
        .count();
  }

  @Test
  void rootsInsideEachOtherReportEachFileOnce() throws IOException {
    Files.createDirectories(directory.resolve("a/b"));
    Files.writeString(directory.resolve("a/b/x"), "x");
    Files.writeString(directory.resolve("a/y"), "y");
    Path a = directory.resolve("a");
    Path b = directory.resolve("a/b");
    for (Path[] roots :
        List.of(
            new Path[] {a, b},
            new Path[] {b, a},
            new Path[] {a, a.resolve("y"), b.resolve("x")},
            new Path[] {b.resolve("x"), a.resolve("y"), a})) {
      try (WatchHarness watch = new WatchHarness(calls, POLLING, roots)) {
        assertEquals(Set.of(path("a/b/x"), path("a/y")), watch.known);
        assertEquals(2, watch.changes.size());
        Files.writeString(b.resolve("x"), "more");
        watch.untilReported(new WatchChange.Modified(path("a/b/x")));
      }
    }
  }

  @Test
  void relativeRootIsRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            DirectoryWatch.open(
                calls, List.of(PosixPath.of("var/log")), POLLING, System::nanoTime));
  }

  @Test
  void followsRenamesOnExt4XfsAndTmpfs() throws IOException {
    try (MountedFileSystem ext4 = TestFileSystems.ext4(32L << 20, 4096);
        MountedFileSystem xfs = TestFileSystems.xfs(TestFileSystems.MIN_XFS_BYTES, 4096);
        MountedFileSystem tmpfs = TestFileSystems.tmpfs(4 << 20)) {
      for (MountedFileSystem fileSystem : List.of(ext4, xfs, tmpfs)) {
        Path root = fileSystem.root();
        Files.createDirectories(root.resolve("d/e"));
        Files.writeString(root.resolve("d/log"), "x");
        try (WatchHarness watch = new WatchHarness(calls, NOTIFIED_ONLY, root)) {
          Files.move(
              root.resolve("d/log"), root.resolve("d/e/log.1"), StandardCopyOption.ATOMIC_MOVE);
          Files.writeString(root.resolve("d/log"), "y");
          watch.untilReported(
              new WatchChange.Renamed(
                  PosixPath.of(root.resolve("d/log")), PosixPath.of(root.resolve("d/e/log.1"))));
          watch.until(() -> watch.known.size() == 2);
          Files.move(root.resolve("d"), root.resolve("n"), StandardCopyOption.ATOMIC_MOVE);
          watch.untilReported(
              new WatchChange.Renamed(
                  PosixPath.of(root.resolve("d/e/log.1")),
                  PosixPath.of(root.resolve("n/e/log.1"))));
        }
      }
    }
  }

  @Test
  void unmountingIsADisappearanceAndMountingAgainAnAppearance() throws IOException {
    try (WatchHarness watch = watchOfAnUnmountedTmpfs()) {
      watch.until(watch.known::isEmpty);
      assertTrue(watch.changes.stream().anyMatch(WatchChange.Disappeared.class::isInstance));
    }
  }

  private WatchHarness watchOfAnUnmountedTmpfs() throws IOException {
    try (MountedFileSystem tmpfs = TestFileSystems.tmpfs(1 << 20)) {
      Files.writeString(tmpfs.root().resolve("x"), "x");
      WatchHarness watch = new WatchHarness(calls, POLLING.withReconcileMillis(20), tmpfs.root());
      assertEquals(1, watch.known.size());
      return watch;
    }
  }

  @Test
  void scanOfAQuietFileCostsOneCall() throws IOException {
    int directories = 10;
    int files = 100;
    for (int d = 0; d < directories; d++) {
      Path at = Files.createDirectories(directory.resolve("d" + d));
      for (int f = 0; f < files; f++) {
        Files.writeString(at.resolve("f" + f), "x");
      }
    }
    FaultyFileCalls counting = FaultyFileCalls.wrap(calls, FaultPlan.none());
    try (WatchHarness watch =
        new WatchHarness(counting.calls(), NOTIFIED_ONLY.withReconcileMillis(100), directory)) {
      assertEquals(directories * files, watch.known.size());
      int before = counting.log().size();
      watch.until(() -> watch.watch().statistics().scans() == 2);
      List<String> made = counting.log().subList(before, counting.log().size());
      // One for each file, and one for the root itself.
      assertEquals(directories * files + 1, Collections.frequency(made, "statx"));
      assertEquals(directories + 2, Collections.frequency(made, "openBeneath"));
      // The last one of each directory tells that this was all.
      assertEquals(2 * (directories + 1), Collections.frequency(made, "nextEntries"));
      assertEquals(0, Collections.frequency(made, "inotifyAddWatch"));
    }
  }

  @Test
  void quietWatchMakesNoCallsButOneWait() throws IOException {
    Files.writeString(directory.resolve("x"), "x");
    FaultPlan deafToMounts = // Of other tests.
        FaultPlan.when(MountedDirectoriesTest::opensMountTable, new Fault.Fail(Errno.ENOENT));
    FaultyFileCalls counting = FaultyFileCalls.wrap(calls, deafToMounts);
    try (WatchHarness watch = new WatchHarness(counting.calls(), NOTIFIED_ONLY, directory)) {
      int before = counting.log().size();
      watch.next(300);
      assertEquals(
          Set.of("pollReadable"),
          Set.copyOf(counting.log().subList(before, counting.log().size())));
      assertTrue(counting.log().size() - before <= 3);
    }
  }
}
