package dev.tailwater.io.watch;

import static dev.tailwater.io.watch.WatchHarness.NOTIFIED_ONLY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Call;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is mounted and unmounted below roots is found at once, though no directory tells of it. */
class MountedDirectoriesTest {
  final FileCalls calls = LinuxFileCalls.create();
  private MountedFileSystem outer;
  private Path root;

  WatchOptions options() {
    return NOTIFIED_ONLY;
  }

  @BeforeEach
  void mountOuter() throws IOException {
    outer = TestFileSystems.tmpfs(16 << 20);
    root = Files.createDirectories(outer.root().resolve("root"));
    Files.createDirectories(root.resolve("a/b"));
    Files.writeString(root.resolve("a/b/under"), "x");
  }

  @AfterEach
  void unmountOuter() throws IOException {
    if (outer != null) {
      outer.close();
    }
  }

  static boolean opensMountTable(Call call) {
    return call.is("open") && call.arguments().get(1).toString().endsWith("/mountinfo");
  }

  private PosixPath path(String name) {
    return PosixPath.of(root.resolve(name));
  }

  private static void mountTmpfs(Path at) throws Exception {
    Remounting.run("mount", "-t", "tmpfs", "none", at.toString());
  }

  private static void bind(Path what, Path at) throws Exception {
    Remounting.run("mount", "--bind", what.toString(), at.toString());
  }

  private static void unmount(Path at) throws Exception {
    Remounting.run("umount", "-l", at.toString());
  }

  @Test
  void findsWhatIsInAFileSystemAndWhatItHid() throws Exception {
    try (WatchHarness watch = new WatchHarness(calls, options(), root)) {
      mountTmpfs(root.resolve("a/b"));
      Files.writeString(root.resolve("a/b/over"), "x");
      watch.until(() -> watch.known.equals(Set.of(path("a/b/over"))));
      Files.writeString(root.resolve("a/b/later"), "x");
      watch.until(() -> watch.known.equals(Set.of(path("a/b/over"), path("a/b/later"))));
      unmount(root.resolve("a/b"));
      watch.until(() -> watch.known.equals(Set.of(path("a/b/under"))));
      Files.writeString(root.resolve("a/b/below"), "x");
      watch.until(() -> watch.known.equals(Set.of(path("a/b/under"), path("a/b/below"))));
      assertEquals(1, watch.watch().statistics().scans());
    }
  }

  @Test
  void findsWhatIsMountedInADirectoryThatWasJustMade() throws Exception {
    try (WatchHarness watch = new WatchHarness(calls, options(), root)) {
      Path made = Files.createDirectories(root.resolve("c d\\/\t\n/e"));
      mountTmpfs(made);
      Files.writeString(made.resolve("x"), "x");
      watch.until(() -> watch.known.contains(PosixPath.of(made.resolve("x"))));
      mountTmpfs(made);
      Files.writeString(made.resolve("y"), "x");
      watch.until(() -> watch.known.contains(PosixPath.of(made.resolve("y"))));
      assertEquals(Set.of(path("a/b/under"), PosixPath.of(made.resolve("y"))), watch.known);
      unmount(made);
      watch.until(() -> watch.known.contains(PosixPath.of(made.resolve("x"))));
      unmount(made);
      watch.until(() -> watch.known.equals(Set.of(path("a/b/under"))));
    }
  }

  private static boolean isSaidOf(PosixPath path, WatchHarness watch) {
    return watch.changes.stream()
        .anyMatch(
            change ->
                change instanceof WatchChange.Unobservable left
                    && left.path().equals(path)
                    && left.why().errno() == Errno.EOPNOTSUPP);
  }

  /** As root, reading some of its files changes the machine. */
  @Test
  void leavesOutAFileSystemWhoseFilesTheKernelMakesUp() throws Exception {
    bind(Path.of("/proc/sys"), Files.createDirectory(root.resolve("early")));
    try (WatchHarness watch = new WatchHarness(calls, options(), root)) {
      watch.until(() -> isSaidOf(path("early"), watch));
      bind(Path.of("/sys/kernel"), root.resolve("a/b"));
      watch.until(() -> isSaidOf(path("a/b"), watch));
      watch.until(watch.known::isEmpty);
      unmount(root.resolve("a/b"));
      watch.until(() -> watch.known.equals(Set.of(path("a/b/under"))));
      watch.untilReported(new WatchChange.Observable(path("a/b")));
      unmount(root.resolve("early"));
      watch.untilReported(new WatchChange.Observable(path("early")));
    }
  }

  @Test
  void findsADirectoryAndAFileThatAreBound() throws Exception {
    Path elsewhere = Files.createDirectories(outer.root().resolve("elsewhere"));
    Files.writeString(elsewhere.resolve("z"), "x");
    Files.writeString(root.resolve("file"), "x");
    try (WatchHarness watch = new WatchHarness(calls, options(), root)) {
      bind(elsewhere, root.resolve("a"));
      watch.until(() -> watch.known.equals(Set.of(path("a/z"), path("file"))));
      watch.forgetChanges();
      bind(elsewhere.resolve("z"), root.resolve("file"));
      watch.untilReported(new WatchChange.Appeared(path("file")));
      watch.forgetChanges();
      unmount(root.resolve("file"));
      watch.untilReported(new WatchChange.Appeared(path("file")));
      unmount(root.resolve("a"));
      watch.until(() -> watch.known.equals(Set.of(path("a/b/under"), path("file"))));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void findsWhatIsMountedOnARootBehindALinkAndAboveIt(boolean followSymlinks) throws Exception {
    Path link = Files.createSymbolicLink(root.resolve("link"), Path.of("a"));
    Path base = link.resolve("b");
    Path file = link.resolve("b/under");
    WatchOptions options = options().withFollowSymlinks(followSymlinks);
    PosixPath under = PosixPath.of(base.resolve("under"));
    try (WatchHarness watch = new WatchHarness(calls, options, base);
        WatchHarness single = new WatchHarness(calls, options, file)) {
      assertEquals(Set.of(under), watch.known);
      assertEquals(Set.of(under), single.known);
      mountTmpfs(root.resolve("a/b"));
      Files.writeString(base.resolve("over"), "x");
      watch.until(() -> watch.known.equals(Set.of(PosixPath.of(base.resolve("over")))));
      single.until(single.known::isEmpty);
      unmount(root.resolve("a/b"));
      watch.until(() -> watch.known.equals(Set.of(under)));
      single.until(() -> single.known.equals(Set.of(under)));
      mountTmpfs(root.resolve("a"));
      watch.until(watch.known::isEmpty);
      single.until(single.known::isEmpty);
      unmount(root.resolve("a"));
      watch.until(() -> watch.known.equals(Set.of(under)));
      single.until(() -> single.known.equals(Set.of(under)));
    }
  }

  @Test
  void mountsElsewhereCostAReadingAFewTimesASecond() throws Exception {
    Path elsewhere = Files.createDirectories(outer.root().resolve("elsewhere"));
    AtomicInteger readings = new AtomicInteger();
    AtomicInteger looks = new AtomicInteger();
    FaultPlan counting =
        call -> {
          if (call.is("pread") && call.arguments().get(2).equals(0L)) {
            readings.incrementAndGet();
          } else if (call.is("statx") || call.is("openBeneath") || call.is("fstat")) {
            looks.incrementAndGet();
          }
          return Fault.PROCEED;
        };
    FileCalls counted = FaultyFileCalls.wrap(calls, counting).calls();
    try (WatchHarness watch = new WatchHarness(counted, options(), root)) {
      watch.next(0);
      int looksBefore = looks.get();
      long startNanos = System.nanoTime();
      for (int i = 0; i < 20; i++) {
        mountTmpfs(elsewhere);
        watch.next(10);
        unmount(elsewhere);
        watch.next(10);
      }
      watch.next(300);
      long quarters = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos) / 250;
      assertEquals(looksBefore, looks.get());
      assertTrue(readings.get() > 1 && readings.get() <= quarters + 3, readings + ", " + quarters);
      mountTmpfs(root.resolve("a"));
      watch.until(watch.known::isEmpty);
      unmount(root.resolve("a"));
    }
  }

  @Test
  void withoutTheMountTableOnlyScansFindMounts() throws Exception {
    FaultPlan without =
        FaultPlan.when(MountedDirectoriesTest::opensMountTable, new Fault.Fail(Errno.ENOENT));
    FileCalls blind = FaultyFileCalls.wrap(calls, without).calls();
    try (WatchHarness watch = new WatchHarness(blind, options(), root)) {
      mountTmpfs(root.resolve("a"));
      watch.untilQuiet();
      assertEquals(Set.of(path("a/b/under")), watch.known);
      watch.watch().requestScan();
      watch.until(watch.known::isEmpty);
      unmount(root.resolve("a"));
    }
  }
}
