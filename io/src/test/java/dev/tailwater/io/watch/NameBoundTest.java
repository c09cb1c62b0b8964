package dev.tailwater.io.watch;

import static dev.tailwater.io.watch.WatchHarness.NOTIFIED_ONLY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More names than there is memory for. */
final class NameBoundTest {
  private static final int EACH_FILE = 1_000;
  private static final int FILES = 100;

  private final FileCalls calls = LinuxFileCalls.create();

  @TempDir Path base;
  private Path many;
  private Path few;

  @BeforeEach
  void makeRoots() throws IOException {
    many = Files.createDirectory(base.resolve("many"));
    few = Files.createDirectory(base.resolve("few"));
  }

  private WatchHarness watch(WatchOptions options) throws IOException {
    return new WatchHarness(
        calls, options.withNames(new NameBound(FILES * EACH_FILE, EACH_FILE, 0, 0, 0)), many, few);
  }

  private void make(Path directory, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      Files.createFile(directory.resolve("f" + i));
    }
  }

  private long knownIn(WatchHarness watch, Path directory) {
    return watch.known.stream().filter(path -> path.startsWith(PosixPath.of(directory))).count();
  }

  private static WatchChange overfull(Path root) {
    return new WatchChange.Overfull(PosixPath.of(root));
  }

  @Test
  void whatIsTooMuchIsCountedAndTheOtherRootHasItsPart() throws IOException {
    make(many, 0, 3 * FILES);
    try (WatchHarness watch = watch(NOTIFIED_ONLY.withReconcileMillis(20))) {
      long known = knownIn(watch, many);
      assertTrue(known > FILES / 2 && known < 7 * FILES / 8, known + " of " + FILES);
      assertEquals(3L * FILES - known, watch.watch().statistics().leftOut());
      make(few, 0, FILES / 10);
      watch.until(() -> knownIn(watch, few) == FILES / 10);
      long scans = watch.watch().statistics().scans();
      watch.until(() -> watch.watch().statistics().scans() > scans + 2);
      assertEquals(3L * FILES - known, watch.watch().statistics().leftOut());
      assertEquals(1, watch.changes.stream().filter(overfull(many)::equals).count());
      assertTrue(!watch.changes.contains(overfull(few)));
    }
  }

  @Test
  void whatWasLeftOutIsTakenUpWhenOthersAreGone() throws IOException {
    make(many, 0, 2 * FILES);
    try (WatchHarness watch = watch(NOTIFIED_ONLY.withPollMillis(20))) {
      long before = knownIn(watch, many);
      Set<PosixPath> first = Set.copyOf(watch.known);
      for (PosixPath path : first) {
        Files.delete(path.toPath());
      }
      long left = 2 * FILES - before;
      watch.until(
          () ->
              watch.known.stream().noneMatch(first::contains)
                  && knownIn(watch, many) == Math.min(left, before));
      for (PosixPath path : List.copyOf(watch.known)) {
        Files.delete(path.toPath());
      }
      watch.untilReported(new WatchChange.NotOverfull(PosixPath.of(many)));
      watch.until(() -> watch.watch().statistics().leftOut() == 0);
    }
  }

  @Test
  void whatComesLaterIsLeftOutToo() throws IOException {
    try (WatchHarness watch = watch(NOTIFIED_ONLY)) {
      make(many, 0, 2 * FILES);
      watch.untilReported(overfull(many));
      watch.untilQuiet();
      assertTrue(knownIn(watch, many) < FILES);
      assertTrue(watch.watch().statistics().leftOut() > 0);
      for (PosixPath path : List.copyOf(watch.known)) {
        Files.move(path.toPath(), Path.of(path + ".1"));
      }
      long known = knownIn(watch, many);
      watch.untilQuiet();
      assertEquals(known, knownIn(watch, many), "a file keeps its place when it is renamed");
    }
  }

  @Test
  void directoriesCountAndMovingThemMovesTheirCost() throws IOException {
    Path tree = Files.createDirectories(many.resolve("tree"));
    make(tree, 0, FILES / 5);
    try (WatchHarness watch = watch(NOTIFIED_ONLY)) {
      Files.move(tree, few.resolve("tree"));
      watch.until(() -> knownIn(watch, few) == FILES / 5);
      make(many, 0, 2 * FILES);
      watch.untilReported(overfull(many));
      for (int i = 0; i < 2 * FILES; i++) {
        Files.createDirectories(few.resolve("d" + i));
      }
      watch.untilReported(overfull(few));
      assertTrue(watch.watch().statistics().directories() < FILES);
    }
  }

  @Test
  void ownerOfOneDirectoryLeavesRoomForTheOthersInASource() throws IOException {
    Path hostile = Files.createDirectory(many.resolve("hostile"));
    Path victim = Files.createDirectory(many.resolve("victim"));
    assumeTrue(calls.effectiveUserId() == 0, "only root can give directories away");
    Files.setAttribute(hostile, "unix:uid", 4_001);
    Files.setAttribute(victim, "unix:uid", 4_002);
    make(hostile, 0, 3 * FILES);
    try (WatchHarness watch = watch(NOTIFIED_ONLY)) {
      long known = knownIn(watch, hostile);
      assertTrue(known > FILES / 2 && known <= 3 * FILES / 4, known + " of " + FILES);
      int others = FILES / 20;
      make(victim, 0, others);
      make(many, 0, others);
      watch.until(
          () -> knownIn(watch, victim) == others && knownIn(watch, many) == known + 2L * others);
      RandomTree.delete(hostile);
      watch.untilReported(new WatchChange.NotOverfull(PosixPath.of(many)));
    }
  }
}
