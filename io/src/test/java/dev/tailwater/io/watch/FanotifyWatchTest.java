package dev.tailwater.io.watch;

import static dev.tailwater.io.watch.WatchHarness.NOTIFIED_ONLY;
import static org.junit.jupiter.api.Assertions.assertEquals;
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
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The same as {@link DirectoryWatchTest} from fanotify alone, and what only it can do. */
final class FanotifyWatchTest extends DirectoryWatchTest {
  private final FileCalls calls = LinuxFileCalls.create();

  @BeforeEach
  void assumePermitted() throws IOException {
    Fanotify.assumePermitted(calls, root);
  }

  @Override
  WatchOptions options() {
    return NOTIFIED_ONLY.withNotification(NotificationMethod.FANOTIFY);
  }

  private PosixPath path(String name) {
    return PosixPath.of(root.resolve(name));
  }

  /** As when the user has that many watches left. */
  private FileCalls withWatches(int limit) {
    AtomicInteger used = new AtomicInteger();
    FaultPlan plan =
        FaultPlan.when(
            call -> call.is("inotifyAddWatch") && used.incrementAndGet() > limit,
            new Fault.Fail(Errno.ENOSPC));
    return FaultyFileCalls.wrap(calls, plan).calls();
  }

  @Test
  void takesOverWhereInotifyEndsAndFreesItsWatches() throws IOException {
    for (int i = 0; i < 20; i++) {
      Files.createDirectories(root.resolve("d" + i));
      Files.writeString(root.resolve("d" + i + "/x"), "x");
    }
    try (WatchHarness watch = new WatchHarness(withWatches(5), NOTIFIED_ONLY, root)) {
      assertEquals(5, watch.watch().statistics().inotifyDirectories());
      assertEquals(16, watch.watch().statistics().fanotifyDirectories());
      assertEquals(0, watch.watch().statistics().polledDirectories());
      assertTrue(watch.changes.stream().noneMatch(WatchChange.Degraded.class::isInstance));
      for (int i = 0; i < 20; i++) {
        append(root.resolve("d" + i + "/x"));
        watch.untilReported(new WatchChange.Modified(path("d" + i + "/x")));
      }
      Files.move(root.resolve("d0/x"), root.resolve("d19/y"), StandardCopyOption.ATOMIC_MOVE);
      watch.untilReported(new WatchChange.Renamed(path("d0/x"), path("d19/y")));
      watch.watch().requestScan();
      watch.until(() -> watch.watch().statistics().inotifyDirectories() == 0);
      assertEquals(21, watch.watch().statistics().fanotifyDirectories());
      watch.forgetChanges();
      append(root.resolve("d3/x"));
      watch.untilReported(new WatchChange.Modified(path("d3/x")));
      Files.createDirectories(root.resolve("new/deep"));
      Files.writeString(root.resolve("new/deep/z"), "z");
      watch.untilReported(new WatchChange.Appeared(path("new/deep/z")));
      assertEquals(23, watch.watch().statistics().fanotifyDirectories());
    }
  }

  @Test
  void eventsOutsideTheRootsArePassedOver() throws IOException {
    Path inside = Files.createDirectories(root.resolve("in"));
    Path outside = Files.createDirectories(root.resolve("out"));
    try (WatchHarness watch = new WatchHarness(calls, options(), inside)) {
      Files.writeString(outside.resolve("x"), "x");
      Files.writeString(inside.resolve("y"), "y");
      watch.untilReported(new WatchChange.Appeared(path("in/y")));
      assertTrue(watch.watch().statistics().skippedEvents() > 0);
      assertEquals(1, watch.known.size());
    }
  }

  @Test
  void refusalMeansPollingOfTheRestWithAWarning() throws IOException {
    Files.createDirectories(root.resolve("d"));
    for (Errno errno :
        List.of(Errno.EPERM, Errno.EXDEV, Errno.ENODEV, Errno.EOPNOTSUPP, Errno.ENOSPC)) {
      FileCalls refused =
          FaultyFileCalls.wrap(withWatches(1), FaultPlan.failAll("fanotifyMarkFileSystem", errno))
              .calls();
      try (WatchHarness watch = new WatchHarness(refused, NOTIFIED_ONLY.withPollMillis(20), root)) {
        assertEquals(1, watch.watch().statistics().inotifyDirectories());
        assertEquals(1, watch.watch().statistics().polledDirectories());
        assertTrue(
            watch.changes.stream()
                .anyMatch(
                    change ->
                        change instanceof WatchChange.Degraded warning
                            && warning.path().equals(path("d"))
                            && warning.hint().contains("fs.inotify.max_user_watches")));
        Path file = root.resolve("d/" + errno);
        Files.writeString(file, "x");
        watch.untilReported(new WatchChange.Appeared(PosixPath.of(file)));
      }
    }
  }

  @Test
  void fileSystemWithoutHandlesIsLeftToInotify() throws IOException {
    Files.createDirectories(root.resolve("d"));
    AtomicBoolean noWatchLeft = new AtomicBoolean(true);
    AtomicInteger used = new AtomicInteger();
    FaultPlan plan =
        call -> {
          if (call.is("fileHandle")) {
            return new Fault.Fail(Errno.EOPNOTSUPP);
          }
          boolean refused =
              call.is("inotifyAddWatch") && used.incrementAndGet() > 1 && noWatchLeft.get();
          return refused ? new Fault.Fail(Errno.ENOSPC) : Fault.PROCEED;
        };
    FileCalls faulty = FaultyFileCalls.wrap(calls, plan).calls();
    try (WatchHarness watch = new WatchHarness(faulty, NOTIFIED_ONLY.withPollMillis(20), root)) {
      assertEquals(1, watch.watch().statistics().inotifyDirectories());
      assertEquals(1, watch.watch().statistics().polledDirectories());
      noWatchLeft.set(false); // the user has raised the limit
      watch.until(() -> watch.watch().statistics().inotifyDirectories() == 2);
      assertEquals(0, watch.watch().statistics().polledDirectories());
      Files.createDirectories(root.resolve("e"));
      watch.until(() -> watch.watch().statistics().inotifyDirectories() == 3);
    }
  }

  @Test
  void markThatCannotBeMadeAgainIsNotTrustedForAnyDirectory() throws IOException {
    for (int i = 0; i < 3; i++) {
      Files.createDirectories(root.resolve("d" + i));
    }
    for (NotificationMethod method :
        List.of(NotificationMethod.FANOTIFY, NotificationMethod.AUTOMATIC)) {
      AtomicBoolean permitted = new AtomicBoolean(true);
      FaultPlan plan =
          call -> {
            if (call.is("inotifyAddWatch") && permitted.get()) {
              return new Fault.Fail(Errno.ENOSPC);
            }
            return call.is("fanotifyMarkFileSystem") && !permitted.get()
                ? new Fault.Fail(Errno.EPERM)
                : Fault.PROCEED;
          };
      FileCalls faulty = FaultyFileCalls.wrap(calls, plan).calls();
      WatchOptions options = NOTIFIED_ONLY.withPollMillis(20).withNotification(method);
      try (WatchHarness watch = new WatchHarness(faulty, options, root)) {
        assertEquals(4, watch.watch().statistics().fanotifyDirectories());
        permitted.set(false);
        watch.watch().requestScan();
        watch.until(() -> watch.watch().statistics().fanotifyDirectories() == 0);
        int polled = method == NotificationMethod.FANOTIFY ? 4 : 0;
        watch.until(() -> watch.watch().statistics().polledDirectories() == polled);
        assertEquals(4 - polled, watch.watch().statistics().inotifyDirectories());
        Path file = root.resolve("d1/" + method);
        Files.writeString(file, "x");
        watch.untilReported(new WatchChange.Appeared(PosixPath.of(file)));
      }
    }
  }

  @Test
  void oldKernelsTellOfBothEndsOfARename() throws IOException {
    Files.createDirectories(root.resolve("a"));
    Files.writeString(root.resolve("a/x"), "x");
    try (WatchHarness watch =
        new WatchHarness(Fanotify.withoutRenameEvents(calls), options(), root)) {
      Files.move(root.resolve("a/x"), root.resolve("y"), StandardCopyOption.ATOMIC_MOVE);
      watch.untilReported(new WatchChange.Renamed(path("a/x"), path("y")));
    }
  }

  @Test
  void lostEventsAreFollowedByALookAtEverything() throws IOException {
    AtomicBoolean full = new AtomicBoolean();
    try (WatchHarness watch = new WatchHarness(FullQueue.wrap(calls, full), options(), root)) {
      full.set(true);
      Files.createDirectories(root.resolve("late/later"));
      Files.writeString(root.resolve("late/later/z"), "z");
      watch.untilReported(new WatchChange.Appeared(path("late/later/z")));
      assertTrue(watch.watch().statistics().overflows() > 0);
    }
  }

  @Test
  void fileSystemThatIsMountedAgainIsMarkedAgain() throws Exception {
    try (MountedFileSystem tmpfs = TestFileSystems.tmpfs(1 << 20)) {
      Path image = Files.createTempFile(root, "ext4", ".img");
      Remounting device = Remounting.ext4(image, tmpfs.root().resolve("mount"));
      try {
        Files.writeString(device.root().resolve("x"), "x");
        WatchOptions options = options().withReconcileMillis(20);
        try (WatchHarness watch = new WatchHarness(calls, options, device.root())) {
          PosixPath x = PosixPath.of(device.root().resolve("x"));
          append(device.root().resolve("x"));
          watch.untilReported(new WatchChange.Modified(x));
          device.unmount();
          device.mount();
          long scans = watch.watch().statistics().scans();
          watch.until(() -> watch.watch().statistics().scans() > scans + 2);
          long events = watch.watch().statistics().events();
          append(device.root().resolve("x"));
          watch.until(() -> watch.watch().statistics().events() > events);
        }
      } finally {
        device.unmount();
      }
    }
  }

  @Test
  void endsWithWhatIsThereOnExt4XfsAndTmpfs() throws IOException {
    long seed = Long.getLong("tailwater.seed", System.nanoTime());
    try (MountedFileSystem ext4 = TestFileSystems.ext4(32L << 20, 4096);
        MountedFileSystem xfs = TestFileSystems.xfs(TestFileSystems.MIN_XFS_BYTES, 4096);
        MountedFileSystem tmpfs = TestFileSystems.tmpfs(4 << 20)) {
      for (MountedFileSystem fileSystem : List.of(ext4, xfs, tmpfs)) {
        Path roots = Files.createDirectories(fileSystem.root().resolve("in"));
        Path outside = Files.createDirectories(fileSystem.root().resolve("out"));
        RandomTree tree =
            new RandomTree(roots, outside, new SplittableRandom(seed), RandomTree.FEW_NAMES);
        try (WatchHarness watch = new WatchHarness(calls, options(), roots)) {
          for (int i = 0; i < 300; i++) {
            tree.step();
            watch.next(0);
          }
          watch.until(() -> watch.known.equals(DirectoryWatchPropertyTest.filesOf(roots)));
        } catch (AssertionError e) {
          throw new AssertionError("repeat with -Dtailwater.seed=" + seed, e);
        }
      }
    }
  }

  private static void append(Path file) throws IOException {
    Files.writeString(file, "more", StandardOpenOption.APPEND);
  }
}
