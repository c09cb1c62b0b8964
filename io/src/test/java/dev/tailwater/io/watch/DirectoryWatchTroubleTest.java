package dev.tailwater.io.watch;

import static dev.tailwater.io.watch.WatchHarness.NOTIFIED_ONLY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.io.RemoteLooking;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Call;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What cannot be looked at, what cannot be watched, and what the kernel forgets to tell. */
final class DirectoryWatchTroubleTest {
  private static final WatchOptions SCANNING = NOTIFIED_ONLY.withReconcileMillis(20);

  private final FileCalls real = LinuxFileCalls.create();
  private final AtomicBoolean failing = new AtomicBoolean();

  @TempDir Path root;

  private FileCalls failing(Predicate<Call> which, Errno errno) {
    FaultPlan plan =
        FaultPlan.when(call -> failing.get() && which.test(call), new Fault.Fail(errno));
    return FaultyFileCalls.wrap(real, plan).calls();
  }

  private PosixPath path(String name) {
    return PosixPath.of(root.resolve(name));
  }

  private static boolean is(Call call, String method, Object argument) {
    return call.is(method) && call.arguments().contains(argument);
  }

  private static boolean hasUnobservable(WatchHarness watch, PosixPath path, Errno errno) {
    return watch.changes.stream()
        .anyMatch(
            change ->
                change instanceof WatchChange.Unobservable trouble
                    && trouble.path().equals(path)
                    && trouble.why().errno() == errno);
  }

  /** As when it is moved away and back between two calls. */
  private FileCalls awayForAMoment(String name) {
    FaultPlan plan =
        FaultPlan.once(
            call -> failing.get() && is(call, "openBeneath", path(name)),
            new Fault.Fail(Errno.ENOENT));
    return FaultyFileCalls.wrap(real, plan).calls();
  }

  @Test
  void aNewDirectoryThatIsAwayForAMomentIsLookedAtWhenItIsBack() throws IOException {
    try (WatchHarness watch = new WatchHarness(awayForAMoment("d"), NOTIFIED_ONLY, root)) {
      failing.set(true);
      Files.createDirectory(root.resolve("d"));
      Files.writeString(root.resolve("d/x"), "x");
      watch.untilReported(new WatchChange.Appeared(path("d/x")));
      Files.writeString(root.resolve("d/y"), "y");
      watch.untilReported(new WatchChange.Appeared(path("d/y")));
    }
  }

  @Test
  void whatIsToldOfADirectoryThatIsAwayForAMomentIsFoundWhenItIsBack() throws IOException {
    Files.createDirectories(root.resolve("d/e"));
    try (WatchHarness watch = new WatchHarness(awayForAMoment("d"), NOTIFIED_ONLY, root)) {
      failing.set(true);
      Files.writeString(root.resolve("d/x"), "x");
      watch.untilReported(new WatchChange.Appeared(path("d/x")));
    }
  }

  /** A file server that says both shall not keep the watch from the rest. */
  @Test
  void aDirectoryThatIsThereAndCannotBeFoundHoldsNothingUp() throws IOException {
    FileCalls calls = failing(call -> is(call, "openBeneath", path("d")), Errno.ENOENT);
    try (WatchHarness watch = new WatchHarness(calls, NOTIFIED_ONLY.withPollMillis(20), root)) {
      failing.set(true);
      Files.createDirectory(root.resolve("d"));
      Files.writeString(root.resolve("d/x"), "x");
      Files.writeString(root.resolve("y"), "y");
      watch.untilReported(new WatchChange.Appeared(path("y")));
      assertFalse(watch.known.contains(path("d/x")));
      failing.set(false);
      watch.untilReported(new WatchChange.Appeared(path("d/x")));
    }
  }

  @Test
  void aDirectoryThatALinkTakesThePlaceOfIsFollowedToItsOwn() throws IOException {
    Files.createDirectory(root.resolve("d"));
    Files.writeString(root.resolve("d/x"), "x");
    try (WatchHarness watch =
        new WatchHarness(real, NOTIFIED_ONLY.withFollowSymlinks(true), root)) {
      Files.move(root.resolve("d"), root.resolve("e"));
      Files.createSymbolicLink(root.resolve("d"), root.resolve("e"));
      watch.until(() -> watch.known.equals(Set.of(path("e/x"))));
      Files.writeString(root.resolve("e/y"), "y");
      watch.untilReported(new WatchChange.Appeared(path("e/y")));
    }
  }

  @Test
  void aDirectoryIsFoundInTheOneThatTookItsParentsPlace(@TempDir Path outside) throws IOException {
    Files.createDirectories(root.resolve("d/e"));
    Files.writeString(root.resolve("d/e/x"), "x");
    try (WatchHarness watch = new WatchHarness(real, NOTIFIED_ONLY, root)) {
      Files.move(root.resolve("d"), outside.resolve("d"));
      Files.createDirectory(root.resolve("d"));
      Files.move(outside.resolve("d/e"), root.resolve("d/e"));
      watch.untilQuiet();
      assertEquals(Set.of(path("d/e/x")), watch.known);
      Files.writeString(root.resolve("d/e/y"), "y");
      watch.untilReported(new WatchChange.Appeared(path("d/e/y")));
    }
  }

  /** What the first look found is gone when the second one has put a watch. */
  @Test
  void aFileThatIsGoneBetweenTwoLooksOfOnePassDoesNotAppear() throws IOException {
    Files.createDirectory(root.resolve("polled"));
    AtomicBoolean openedPolled = new AtomicBoolean();
    AtomicBoolean openedD = new AtomicBoolean();
    AtomicInteger looksAtD = new AtomicInteger();
    FaultPlan plan =
        call -> {
          if (call.is("openBeneath")) {
            openedPolled.set(is(call, "openBeneath", path("polled")));
            openedD.set(is(call, "openBeneath", path("d")));
            if (openedD.get() && looksAtD.incrementAndGet() == 2) {
              root.resolve("d/x").toFile().delete();
            }
          }
          boolean unwatched = openedPolled.get() || (openedD.get() && looksAtD.get() == 1);
          return call.is("inotifyAddWatch") && unwatched
              ? new Fault.Fail(Errno.ENOSPC)
              : Fault.PROCEED;
        };
    WatchOptions polling =
        NOTIFIED_ONLY.withPollMillis(1).withNotification(NotificationMethod.INOTIFY);
    try (WatchHarness watch =
        new WatchHarness(FaultyFileCalls.wrap(real, plan).calls(), polling, root)) {
      Path made = Files.createDirectory(root.resolve("polled/d"));
      Files.writeString(made.resolve("x"), "x");
      Files.move(made, root.resolve("d"));
      watch.until(() -> looksAtD.get() > 1);
      watch.untilQuiet();
      assertEquals(Set.of(), watch.known);
    }
  }

  @Test
  void unreadableDirectoryIsNotTakenForEmpty() throws IOException {
    Files.createDirectories(root.resolve("d/e"));
    Files.writeString(root.resolve("d/x"), "x");
    Files.writeString(root.resolve("d/e/y"), "y");
    FileCalls calls = failing(call -> is(call, "openBeneath", path("d")), Errno.EACCES);
    try (WatchHarness watch = new WatchHarness(calls, SCANNING, root)) {
      failing.set(true);
      watch.until(() -> hasUnobservable(watch, path("d"), Errno.EACCES));
      Files.delete(root.resolve("d/x"));
      long scans = watch.watch().statistics().scans();
      watch.until(() -> watch.watch().statistics().scans() > scans + 2);
      assertEquals(Set.of(path("d/x"), path("d/e/y")), watch.known);
      assertEquals(
          1, watch.changes.stream().filter(WatchChange.Unobservable.class::isInstance).count());
      failing.set(false);
      watch.untilReported(new WatchChange.Observable(path("d")));
      watch.untilReported(new WatchChange.Disappeared(path("d/x")));
      assertEquals(Set.of(path("d/e/y")), watch.known);
    }
  }

  @Test
  void fullDescriptorTableAndBrokenDiskLoseNothing() throws IOException {
    Files.writeString(root.resolve("x"), "x");
    for (Errno errno : List.of(Errno.EMFILE, Errno.EIO)) {
      failing.set(false);
      FileCalls calls =
          failing(call -> call.is(errno == Errno.EIO ? "nextEntries" : "openBeneath"), errno);
      try (WatchHarness watch = new WatchHarness(calls, SCANNING, root)) {
        failing.set(true);
        watch.until(() -> hasUnobservable(watch, PosixPath.of(root), errno));
        assertEquals(Set.of(path("x")), watch.known);
        failing.set(false);
        watch.untilReported(new WatchChange.Observable(PosixPath.of(root)));
        assertEquals(Set.of(path("x")), watch.known);
      }
    }
  }

  @Test
  void fileWhoseStatusCannotBeReadIsUnobservable() throws IOException {
    Files.writeString(root.resolve("x"), "x");
    PosixPath name = PosixPath.of("x");
    FileCalls calls = failing(call -> is(call, "statx", name), Errno.EIO);
    try (WatchHarness watch = new WatchHarness(calls, SCANNING, root)) {
      failing.set(true);
      watch.until(() -> hasUnobservable(watch, path("x"), Errno.EIO));
      failing.set(false);
      watch.untilReported(new WatchChange.Observable(path("x")));
      assertEquals(Set.of(path("x")), watch.known);
    }
  }

  private static long unobservable(WatchHarness watch) {
    return watch.changes.stream().filter(WatchChange.Unobservable.class::isInstance).count();
  }

  @Test
  void directoryIsUnobservableForTheNamesBeyondTheBound() throws IOException {
    int files = UnobservablePaths.MOST_NAMES + 50;
    Files.createDirectory(root.resolve("d"));
    for (int i = 0; i < files; i++) {
      Files.createFile(root.resolve("d/f" + i));
    }
    FileCalls calls =
        failing(
            call -> call.is("statx") && call.arguments().get(1).toString().startsWith("f"),
            Errno.EACCES);
    failing.set(true);
    try (WatchHarness watch = new WatchHarness(calls, SCANNING, root)) {
      long scans = watch.watch().statistics().scans();
      watch.until(() -> watch.watch().statistics().scans() > scans + 2);
      assertTrue(hasUnobservable(watch, path("d"), Errno.EACCES));
      assertEquals(UnobservablePaths.MOST_NAMES + 1, unobservable(watch));
      assertFalse(watch.changes.contains(new WatchChange.Observable(path("d"))));
      failing.set(false);
      watch.untilReported(new WatchChange.Observable(path("d")));
      watch.until(() -> watch.known.size() == files);
      assertEquals(
          UnobservablePaths.MOST_NAMES + 1,
          watch.changes.stream().filter(WatchChange.Observable.class::isInstance).count());
    }
  }

  @Test
  void nameIsNoLongerUnobservableWhenItsDirectoryIsGoneOrRenamed() throws IOException {
    Files.createDirectories(root.resolve("gone"));
    Files.createDirectories(root.resolve("old"));
    FileCalls calls = failing(call -> is(call, "statx", PosixPath.of("x")), Errno.EACCES);
    failing.set(true);
    try (WatchHarness watch = new WatchHarness(calls, SCANNING, root)) {
      Files.writeString(root.resolve("gone/x"), "x");
      Files.writeString(root.resolve("old/x"), "x");
      watch.until(() -> hasUnobservable(watch, path("gone/x"), Errno.EACCES));
      watch.until(() -> hasUnobservable(watch, path("old/x"), Errno.EACCES));
      Files.delete(root.resolve("gone/x"));
      Files.delete(root.resolve("gone"));
      watch.untilReported(new WatchChange.Observable(path("gone/x")));
      Files.move(root.resolve("old"), root.resolve("new"));
      watch.untilReported(new WatchChange.Observable(path("old/x")));
      watch.until(() -> hasUnobservable(watch, path("new/x"), Errno.EACCES));
    }
  }

  /** As for an agent without privileges, whoever runs this test. */
  private static boolean isFanotify(Call call) {
    return call.is("fanotifyMarkFileSystem");
  }

  private static List<WatchChange.Degraded> warnings(WatchHarness watch) {
    return watch.changes.stream()
        .filter(WatchChange.Degraded.class::isInstance)
        .map(WatchChange.Degraded.class::cast)
        .toList();
  }

  @Test
  void directoryWithoutAWatchIsPolledAndSaysWhatToDo() throws IOException {
    Files.createDirectories(root.resolve("d"));
    failing.set(true);
    FaultPlan plan =
        FaultPlan.when(
                call -> failing.get() && call.is("inotifyAddWatch"), new Fault.Fail(Errno.ENOSPC))
            .or(FaultPlan.when(DirectoryWatchTroubleTest::isFanotify, new Fault.Fail(Errno.EPERM)));
    FileCalls calls = FaultyFileCalls.wrap(real, plan).calls();
    try (WatchHarness watch = new WatchHarness(calls, NOTIFIED_ONLY.withPollMillis(20), root)) {
      WatchChange.Degraded warning = warnings(watch).getFirst();
      assertEquals(1, warnings(watch).size());
      assertEquals(2, warning.directories());
      assertEquals(
          "inotify_add_watch " + root + ": ENOSPC (No space left on device)",
          warning.why().getMessage());
      assertTrue(warning.hint().contains("fs.inotify.max_user_watches"));
      assertTrue(warning.hint().contains("CAP_SYS_ADMIN"));
      assertEquals(2, watch.watch().statistics().polledDirectories());
      Files.writeString(root.resolve("d/x"), "x");
      watch.untilReported(new WatchChange.Appeared(path("d/x")));
      Files.move(root.resolve("d/x"), root.resolve("y"), StandardCopyOption.ATOMIC_MOVE);
      watch.untilReported(new WatchChange.Renamed(path("d/x"), path("y")));
      failing.set(false);
      watch.until(() -> watch.watch().statistics().polledDirectories() == 0);
      assertEquals(2, watch.watch().statistics().inotifyDirectories());
      assertTrue(watch.changes.contains(new WatchChange.Observable(PosixPath.of(root))));
    }
  }

  @Test
  void warnsAgainWhenTwiceAsManyDirectoriesArePolled() throws IOException {
    FileCalls calls =
        FaultyFileCalls.wrap(
                real,
                FaultPlan.failAll("inotifyAddWatch", Errno.ENOSPC)
                    .or(FaultPlan.failAll("fanotifyInit", Errno.ENOSYS)))
            .calls();
    try (WatchHarness watch = new WatchHarness(calls, NOTIFIED_ONLY.withPollMillis(20), root)) {
      Files.createDirectories(root.resolve("a"));
      watch.until(() -> watch.watch().statistics().polledDirectories() == 2);
      Files.createDirectories(root.resolve("b"));
      watch.until(() -> watch.watch().statistics().polledDirectories() == 3);
      Files.createDirectories(root.resolve("c"));
      watch.until(() -> watch.watch().statistics().polledDirectories() == 4);
      assertEquals(
          List.of(1, 2, 4),
          warnings(watch).stream().map(WatchChange.Degraded::directories).toList());
    }
  }

  @Test
  void withoutAnInotifyInstanceEverythingIsPolled() throws IOException {
    FileCalls calls =
        FaultyFileCalls.wrap(
                real,
                FaultPlan.failAll("inotifyInit", Errno.EMFILE)
                    .or(FaultPlan.failAll("fanotifyInit", Errno.EMFILE)))
            .calls();
    try (WatchHarness watch = new WatchHarness(calls, NOTIFIED_ONLY.withPollMillis(20), root)) {
      Files.writeString(root.resolve("x"), "x");
      watch.untilReported(new WatchChange.Appeared(path("x")));
      Files.writeString(root.resolve("x"), "more");
      watch.untilReported(new WatchChange.Modified(path("x")));
      assertTrue(warnings(watch).getFirst().hint().contains("max_user_instances"));
    }
  }

  /** As under the seccomp profile of a container, which no limit of the machine changes. */
  @Test
  void whereInotifyIsNotPermittedTheHintSaysWhatToPermit() throws IOException {
    for (Errno refusal : List.of(Errno.EPERM, Errno.ENOSYS)) {
      FileCalls calls =
          FaultyFileCalls.wrap(
                  real,
                  FaultPlan.failAll("inotifyInit", refusal)
                      .or(FaultPlan.failAll("fanotifyInit", refusal)))
              .calls();
      try (WatchHarness watch = new WatchHarness(calls, NOTIFIED_ONLY.withPollMillis(20), root)) {
        Path file = root.resolve("x" + refusal.number());
        Files.writeString(file, "x");
        watch.untilReported(new WatchChange.Appeared(PosixPath.of(file)));
        String hint = warnings(watch).getFirst().hint();
        assertTrue(hint.contains("permit inotify_init1"), hint);
        assertTrue(!hint.contains("sysctl"), hint);
      }
    }
  }

  @Test
  void whereOnlyFanotifyIsAskedForNothingIsSaidOfInotify() throws IOException {
    FileCalls calls =
        FaultyFileCalls.wrap(real, FaultPlan.failAll("fanotifyInit", Errno.EPERM)).calls();
    WatchOptions options =
        NOTIFIED_ONLY.withPollMillis(20).withNotification(NotificationMethod.FANOTIFY);
    try (WatchHarness watch = new WatchHarness(calls, options, root)) {
      Files.writeString(root.resolve("x"), "x");
      watch.untilReported(new WatchChange.Appeared(path("x")));
      assertEquals("the kernel does not report changes here", warnings(watch).getFirst().hint());
    }
  }

  @Test
  void pollingThatWasAskedForIsNoTrouble() throws IOException {
    WatchOptions options =
        NOTIFIED_ONLY.withPollMillis(20).withNotification(NotificationMethod.POLLING);
    try (WatchHarness watch = new WatchHarness(real, options, root)) {
      Files.writeString(root.resolve("x"), "x");
      watch.untilReported(new WatchChange.Appeared(path("x")));
      assertEquals(List.of(), warnings(watch));
      assertEquals(0, watch.watch().statistics().events());
    }
  }

  @Test
  void remoteFileSystemIsPolledWithoutAWarning() throws IOException {
    FileCalls calls = RemoteLooking.wrap(real);
    Files.createDirectories(root.resolve("d"));
    try (WatchHarness watch = new WatchHarness(calls, NOTIFIED_ONLY.withPollMillis(20), root)) {
      assertEquals(List.of(), watch.changes);
      Files.writeString(root.resolve("d/x"), "x");
      watch.untilReported(new WatchChange.Appeared(path("d/x")));
      assertEquals(0, watch.watch().statistics().events());
    }
  }

  @Test
  void deviceNumberThatAnotherFileSystemGetsIsAskedForItsKindAgain() throws IOException {
    // As when a local mount goes and a remote one gets its number; the kernel tells of neither.
    AtomicBoolean remote = new AtomicBoolean();
    FileCalls calls = RemoteLooking.wrap(real, remote::get);
    try (WatchHarness watch = new WatchHarness(calls, NOTIFIED_ONLY.withPollMillis(20), root)) {
      assertEquals(1, watch.watch().statistics().inotifyDirectories());
      remote.set(true);
      Files.createDirectories(root.resolve("mounted"));
      watch.watch().requestScan();
      watch.until(() -> watch.watch().statistics().directories() == 2);
      assertEquals(1, watch.watch().statistics().polledDirectories());
    }
  }

  @Test
  void overflowOfTheQueueIsFollowedByALookAtEverything() throws IOException {
    Path flood = Files.createDirectories(root.resolve("flood"));
    Files.createDirectories(root.resolve("d"));
    Files.writeString(root.resolve("d/x"), "x");
    int limit = maxQueuedEvents();
    try (WatchHarness watch = new WatchHarness(real, NOTIFIED_ONLY, root)) {
      Path other = Files.createFile(flood.resolve("a"));
      for (int i = 0; i < limit; i++) {
        Path next = flood.resolve(i % 2 == 0 ? "b" : "a");
        Files.move(other, next, StandardCopyOption.ATOMIC_MOVE);
        other = next;
      }
      Files.move(root.resolve("d/x"), root.resolve("y"), StandardCopyOption.ATOMIC_MOVE);
      Files.createDirectories(root.resolve("late/later"));
      Files.writeString(root.resolve("late/later/z"), "z");
      watch.untilReported(new WatchChange.Appeared(path("late/later/z")));
      watch.untilReported(new WatchChange.Renamed(path("d/x"), path("y")));
      assertTrue(watch.watch().statistics().overflows() > 0);
      watch.untilQuiet();
      assertEquals(RandomTree.files(root), watch.known);
    }
  }

  private static int maxQueuedEvents() throws IOException {
    Path limit = Path.of("/proc/sys/fs/inotify/max_queued_events");
    // Buffered: of a sysctl only the first read gives anything, and Files.readString asks for one
    // byte first.
    try (BufferedReader reader = Files.newBufferedReader(limit)) {
      return Integer.parseInt(reader.readLine().strip());
    }
  }

  @Test
  void reconcileScanFindsWhatNobodyTold() throws IOException {
    AtomicInteger reads = new AtomicInteger();
    FileCalls deaf = DeafCalls.wrap(real, reads);
    Files.writeString(root.resolve("x"), "x");
    try (WatchHarness watch = new WatchHarness(deaf, SCANNING, root)) {
      Files.move(root.resolve("x"), root.resolve("y"), StandardCopyOption.ATOMIC_MOVE);
      watch.untilReported(new WatchChange.Renamed(path("x"), path("y")));
      Files.writeString(root.resolve("y"), "longer");
      watch.untilReported(new WatchChange.Modified(path("y")));
      Files.delete(root.resolve("y"));
      watch.untilReported(new WatchChange.Disappeared(path("y")));
      assertTrue(reads.get() > 0);
      assertEquals(0, watch.watch().statistics().events());
    }
  }

  @Test
  void followedLinksCannotMakeALoop() throws IOException {
    Files.createDirectories(root.resolve("a/b"));
    Files.writeString(root.resolve("a/b/x"), "x");
    Files.createSymbolicLink(root.resolve("a/b/up"), root);
    Files.createSymbolicLink(root.resolve("0"), root.resolve("a"));
    Files.createSymbolicLink(root.resolve("self"), root.resolve("self"));
    try (WatchHarness watch =
        new WatchHarness(real, NOTIFIED_ONLY.withFollowSymlinks(true), root)) {
      assertEquals(Set.of(path("a/b/x")), watch.known);
    }
  }

  @Test
  void followedLinksAreWatchedBehind(@TempDir Path outside) throws IOException {
    Path target = Files.createDirectories(outside.resolve("t"));
    Files.writeString(target.resolve("x"), "x");
    Files.writeString(outside.resolve("y"), "y");
    Files.createSymbolicLink(root.resolve("d"), target);
    Files.createSymbolicLink(root.resolve("f"), outside.resolve("y"));
    try (WatchHarness watch =
        new WatchHarness(real, NOTIFIED_ONLY.withFollowSymlinks(true).withPollMillis(20), root)) {
      assertEquals(Set.of(path("d/x"), path("f")), watch.known);
      Files.writeString(target.resolve("z"), "z");
      watch.untilReported(new WatchChange.Appeared(path("d/z")));
      Files.writeString(outside.resolve("y"), "longer");
      watch.untilReported(new WatchChange.Modified(path("f")));
      Files.delete(root.resolve("d"));
      watch.until(() -> watch.known.equals(Set.of(path("f"))));
    }
    try (WatchHarness watch = new WatchHarness(real, NOTIFIED_ONLY, root)) {
      assertTrue(watch.known.isEmpty());
      assertFalse(watch.watch().statistics().directories() > 1);
    }
  }
}
