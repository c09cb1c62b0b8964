package dev.tailwater.io.watch;

import static dev.tailwater.io.watch.WatchHarness.NOTIFIED_ONLY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.io.WrappedCalls;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Roots of which several directories above do not exist either. */
final class AwaitedRootsTest {
  private static final WatchOptions POLLING = NOTIFIED_ONLY.withPollMillis(20);
  private static final int MANY = 200;
  private static final int ROUNDS = 30;

  private final FileCalls calls = LinuxFileCalls.create();
  private Path directory;
  private Path root;

  @BeforeEach
  void choosePlace(@TempDir Path base) throws IOException {
    directory = base.toRealPath();
    root = directory.resolve("a/b/c");
  }

  private PosixPath path(String name) {
    return PosixPath.of(directory.resolve(name));
  }

  private Path makeRoot(boolean isFile) throws IOException {
    if (isFile) {
      Files.createDirectories(root.getParent());
      return Files.writeString(root, "x");
    }
    Files.createDirectories(root);
    return Files.writeString(root.resolve("x"), "x");
  }

  private static Set<PosixPath> only(Path file) {
    return Set.of(PosixPath.of(file));
  }

  @Test
  void aRootOfWhichAllLevelsComeAtOnceIsFoundByEventsAlone() throws IOException {
    try (WatchHarness watch = new WatchHarness(calls, NOTIFIED_ONLY, root)) {
      for (boolean isFile : List.of(true, false, true, false)) {
        Path file = makeRoot(isFile);
        watch.until(() -> watch.known.equals(only(file)));
        assertEquals(1, watch.watch().statistics().directories());
        RandomTree.delete(directory.resolve("a"));
        watch.until(watch.known::isEmpty);
      }
    }
  }

  @Test
  void aRootOfWhichOneLevelComesAfterTheOtherIsFoundByEventsAlone() throws IOException {
    try (WatchHarness watch = new WatchHarness(calls, NOTIFIED_ONLY, root)) {
      for (String level : List.of("a", "a/b")) {
        long before = watch.watch().statistics().events();
        Files.createDirectory(directory.resolve(level));
        watch.until(() -> watch.watch().statistics().events() > before);
        assertEquals(1, watch.watch().statistics().directories());
      }
      Path file = makeRoot(true);
      watch.until(() -> watch.known.equals(only(file)));
    }
  }

  @Test
  void aRootThatIsRenamedIntoPlaceWithTheDirectoriesAboveItIsFoundByEventsAlone()
      throws IOException {
    Files.createDirectories(directory.resolve("staged/b"));
    Files.writeString(directory.resolve("staged/b/c"), "x");
    try (WatchHarness watch = new WatchHarness(calls, NOTIFIED_ONLY, root)) {
      move("staged", "a");
      watch.until(() -> watch.known.equals(only(root)));
    }
  }

  @Test
  void aRootThatTakesThePlaceOfAnotherIsWatchedWhollyThoughMoreIsAwaitedInIt() throws IOException {
    Path other = Files.createDirectory(directory.resolve("o"));
    Path above = directory.resolve("a");
    Files.writeString(other.resolve("x"), "x");
    try (WatchHarness watch = new WatchHarness(calls, POLLING, above, above.resolve("b"), other)) {
      for (int round = 0; round < ROUNDS; round++) {
        watch.until(() -> watch.known.equals(only(other.resolve("x"))));
        move("o", "a");
        watch.until(() -> watch.known.equals(only(above.resolve("x"))));
        move("a", "o");
      }
    }
  }

  @Test
  void aDirectoryThatReportsNothingIsNotListedForTheNextNameOfAPath() throws IOException {
    WatchOptions blind = POLLING.withNotification(NotificationMethod.POLLING);
    try (WatchHarness watch = new WatchHarness(calls, blind, root)) {
      watch.untilQuiet();
      assertEquals(0, watch.watch().statistics().polledDirectories());
      Path file = makeRoot(true);
      watch.until(() -> watch.known.equals(only(file)));
      assertEquals(1, watch.watch().statistics().polledDirectories());
      RandomTree.delete(directory.resolve("a"));
      watch.until(watch.known::isEmpty);
      watch.untilQuiet();
      assertEquals(0, watch.watch().statistics().polledDirectories());
    }
  }

  private void move(String from, String to) throws IOException {
    Files.move(directory.resolve(from), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  void aDirectoryThatTakesThePlaceOfOneInWhichARootIsAwaitedIsFoundByEventsAlone()
      throws IOException {
    Path above = Files.createDirectory(directory.resolve("a"));
    try (WatchHarness watch = new WatchHarness(calls, NOTIFIED_ONLY, root)) {
      for (boolean isMoved : List.of(true, false)) {
        if (isMoved) {
          move("a", "old");
        } else {
          RandomTree.delete(above);
        }
        Path file = makeRoot(isMoved);
        watch.until(() -> watch.known.equals(only(file)));
        RandomTree.delete(directory.resolve("a/b"));
        watch.until(watch.known::isEmpty);
      }
    }
  }

  @Test
  void aLinkThatTakesThePlaceOfADirectoryInWhichARootIsAwaitedIsFoundByEventsAlone()
      throws IOException {
    Files.createDirectory(directory.resolve("a"));
    Files.createDirectories(directory.resolve("data/b"));
    Files.writeString(directory.resolve("data/b/c"), "x");
    try (WatchHarness watch = new WatchHarness(calls, NOTIFIED_ONLY, root)) {
      move("a", "old");
      Files.createSymbolicLink(directory.resolve("a"), Path.of("data"));
      watch.until(() -> watch.known.equals(only(root)));
    }
  }

  /** The watch of a directory does not tell what came before it was there. */
  @Test
  void whatComesBetweenTheLookAtADirectoryAndItsWatchIsFoundByEventsAlone() throws IOException {
    for (boolean isFile : List.of(true, false)) {
      AtomicBoolean made = new AtomicBoolean();
      FileCalls racing =
          WrappedCalls.of(
              calls,
              (method, _, call) -> {
                if (method.getName().equals("inotifyAddWatch") && !made.getAndSet(true)) {
                  makeRoot(isFile);
                }
                return call.make();
              });
      try (WatchHarness watch = new WatchHarness(racing, NOTIFIED_ONLY, root)) {
        watch.until(() -> watch.known.size() == 1);
      }
      RandomTree.delete(directory.resolve("a"));
    }
  }

  @Test
  void aRootThatComesAndGoesWhileTheWatchLooksIsFoundByEventsAlone() throws Exception {
    try (WatchHarness watch = new WatchHarness(calls, NOTIFIED_ONLY.withTickMillis(1), root)) {
      for (int i = 0; i < ROUNDS; i++) {
        boolean isFile = i % 2 == 0;
        Path file = isFile ? root : root.resolve("x");
        CompletableFuture<Void> made = CompletableFuture.runAsync(() -> comeAndGo(isFile));
        watch.until(() -> made.isDone() && watch.known.equals(only(file)));
        made.get();
        CompletableFuture<Void> gone = CompletableFuture.runAsync(() -> comeAndGo(isFile));
        watch.until(gone::isDone);
        gone.get();
        RandomTree.delete(directory.resolve("a"));
        watch.until(watch.known::isEmpty);
      }
    }
  }

  /** Ends with what is there. */
  private void comeAndGo(boolean isFile) {
    try {
      for (int i = 0; i < 3; i++) {
        RandomTree.delete(directory.resolve("a"));
        makeRoot(isFile);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aLinkThatLeadsToTheRestOfThePathIsFollowedByItsEventAlone() throws IOException {
    Files.createDirectories(directory.resolve("data/b"));
    Files.writeString(directory.resolve("data/b/c"), "x");
    for (boolean followsAll : List.of(true, false)) {
      WatchOptions options = NOTIFIED_ONLY.withFollowSymlinks(followsAll);
      try (WatchHarness watch = new WatchHarness(calls, options, root)) {
        Files.createSymbolicLink(directory.resolve("a"), Path.of("data"));
        watch.until(() -> watch.known.equals(only(root)));
      }
      Files.delete(directory.resolve("a"));
    }
  }

  @Test
  void awaitsWhatReplacesALinkThatIsNotFollowed() throws IOException {
    Files.createSymbolicLink(directory.resolve("a"), Path.of("a"));
    try (WatchHarness watch = new WatchHarness(calls, NOTIFIED_ONLY, root)) {
      Files.createDirectories(directory.resolve("staged/b"));
      Files.writeString(directory.resolve("staged/b/c"), "x");
      Files.delete(directory.resolve("a"));
      move("staged", "a");
      watch.until(() -> watch.known.equals(only(root)));
    }
  }

  @Test
  void whatIsAwaitedBelowAnotherRootIsFoundAlthoughThatLeavesItOut() throws IOException {
    WatchOptions options =
        NOTIFIED_ONLY
            .withDescend(path -> !path.startsWith(path("a")))
            .withWanted(path -> !path.startsWith(path("a")));
    for (boolean wholeFirst : List.of(true, false)) {
      Path[] roots = wholeFirst ? new Path[] {directory, root} : new Path[] {root, directory};
      try (WatchHarness watch = new WatchHarness(calls, options, roots)) {
        makeRoot(true);
        Files.writeString(directory.resolve("a/unwanted"), "x");
        Files.writeString(directory.resolve("y"), "y");
        watch.until(() -> watch.known.equals(Set.of(path("a/b/c"), path("y"))));
        RandomTree.delete(directory.resolve("a"));
        watch.until(() -> watch.known.equals(Set.of(path("y"))));
      }
    }
  }

  @Test
  void nothingButTheNameIsReportedOfADirectoryInWhichItIsAwaited() throws IOException {
    try (WatchHarness watch = new WatchHarness(calls, NOTIFIED_ONLY, root)) {
      Files.writeString(directory.resolve("other"), "x");
      Files.writeString(directory.resolve("a"), "no directory");
      Files.delete(directory.resolve("a"));
      Files.createDirectory(directory.resolve("elsewhere"));
      Files.writeString(makeRoot(false).resolveSibling("y"), "y");
      watch.until(() -> watch.known.equals(Set.of(path("a/b/c/x"), path("a/b/c/y"))));
      assertTrue(
          watch.changes.stream().allMatch(WatchChange.Appeared.class::isInstance),
          () -> watch.changes.toString());
    }
  }

  @Test
  void writesInADirectoryInWhichAnotherOneIsAwaitedAreNoEvents() throws IOException {
    Path log = Files.writeString(directory.resolve("log"), "x");
    try (WatchHarness watch = new WatchHarness(calls, NOTIFIED_ONLY, root)) {
      for (int i = 0; i < MANY; i++) {
        Files.writeString(log, "longer" + i);
      }
      Path file = makeRoot(true);
      watch.until(() -> watch.known.equals(only(file)));
      assertTrue(watch.watch().statistics().events() < MANY);
    }
  }

  @Test
  void manyRootsBelowOneMissingDirectoryCostOneWatch() throws IOException {
    List<Path> roots = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      roots.add(directory.resolve("a/pod" + i + "/log"));
    }
    try (WatchHarness watch = new WatchHarness(calls, NOTIFIED_ONLY, roots.toArray(new Path[0]))) {
      assertEquals(1, watch.watch().statistics().directories());
      for (Path missing : roots) {
        Files.createDirectories(missing.getParent());
        Files.writeString(missing, "x");
      }
      watch.until(() -> watch.known.size() == MANY);
      assertEquals(MANY, watch.watch().statistics().directories());
      RandomTree.delete(directory.resolve("a"));
      watch.until(() -> watch.known.isEmpty());
      watch.until(() -> watch.watch().statistics().directories() == 1);
    }
  }

  @Test
  void anEventHasOnlyTheRootsLookedAtThatItConcerns() throws IOException {
    Files.createDirectory(directory.resolve("a"));
    List<Path> roots = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      roots.add(directory.resolve("a/pod" + i + "/0/log"));
    }
    FaultyFileCalls counting = FaultyFileCalls.wrap(calls, FaultPlan.none());
    try (WatchHarness watch =
        new WatchHarness(counting.calls(), NOTIFIED_ONLY, roots.toArray(new Path[0]))) {
      long before = counting.callCount();
      for (int i = 0; i < MANY; i++) {
        Files.createDirectory(directory.resolve("a/pod0"));
        Files.delete(directory.resolve("a/pod0"));
        watch.next(0);
      }
      Files.createDirectories(roots.getFirst().getParent());
      Files.writeString(roots.getFirst(), "x");
      watch.until(() -> watch.known.equals(only(roots.getFirst())));
      long made = counting.callCount() - before;
      assertTrue(made < (long) MANY * MANY, () -> made + " calls");
    }
  }

  @Test
  void aRootBelowADirectoryThatCannotBeReadIsLookedForAtIntervals() throws IOException {
    FaultPlan unreadable =
        FaultPlan.when(
            call ->
                call.is("openBeneath")
                    && call.arguments().contains(PosixPath.of(directory))
                    && call.arguments().contains(Set.of(OpenFlag.DIRECTORY)),
            new Fault.Fail(Errno.EACCES));
    FileCalls refusing = FaultyFileCalls.wrap(calls, unreadable).calls();
    try (WatchHarness watch = new WatchHarness(refusing, POLLING, root)) {
      assertEquals(0, watch.watch().statistics().directories());
      Path file = makeRoot(true);
      watch.until(() -> watch.known.equals(only(file)));
      assertEquals(
          List.of(new WatchChange.Appeared(PosixPath.of(file))),
          watch.changes.stream().filter(WatchChange.Appeared.class::isInstance).toList());
    }
  }
}
