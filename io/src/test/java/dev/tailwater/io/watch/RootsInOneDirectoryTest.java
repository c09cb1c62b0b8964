package dev.tailwater.io.watch;

import static dev.tailwater.io.watch.WatchHarness.NOTIFIED_ONLY;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Roots that are a directory, that are files in it, and that are awaited in it, by turns. */
final class RootsInOneDirectoryTest {
  private static final WatchOptions POLLING = NOTIFIED_ONLY.withPollMillis(20);
  private static final PosixPath UNWANTED = PosixPath.of("x");

  private final FileCalls calls = LinuxFileCalls.create();
  private Path directory;

  @BeforeEach
  void choosePlace(@TempDir Path base) throws IOException {
    directory = base.toRealPath();
  }

  private Path[] paths(String... names) {
    return Stream.of(names).map(directory::resolve).toArray(Path[]::new);
  }

  private PosixPath path(String name) {
    return PosixPath.of(directory.resolve(name));
  }

  private Set<PosixPath> set(String... names) {
    return Stream.of(paths(names)).map(PosixPath::of).collect(Collectors.toSet());
  }

  private void make(String name) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "x");
  }

  private void move(String from, String to) throws IOException {
    Files.move(directory.resolve(from), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
  }

  private void link(String name, String target) throws IOException {
    Path unnamed = Files.createSymbolicLink(directory.resolve("unnamed"), Path.of(target));
    Files.move(unnamed, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  private static boolean isWanted(PosixPath path) {
    return !path.fileName().equals(UNWANTED);
  }

  @Test
  void aFileThatNoRootLeadsToAnyMoreIsGoneWhereItIsNotWanted() throws IOException {
    make("a/x");
    make("a/y");
    make("b/y");
    link("l", "a");
    WatchOptions options = POLLING.withWanted(RootsInOneDirectoryTest::isWanted);
    try (WatchHarness watch = new WatchHarness(calls, options, paths("a", "l/x"))) {
      assertEquals(set("a/x", "a/y"), watch.known);
      link("l", "b");
      watch.until(() -> watch.known.equals(set("a/y")));
    }
  }

  @Test
  void aRootHasItsOwnPathThoughItWasFoundAsThePlaceOfAnotherOnesName() throws IOException {
    make("d/y");
    Files.createDirectory(directory.resolve("e"));
    link("l", "d");
    link("m", "d");
    try (WatchHarness watch = new WatchHarness(calls, POLLING, paths("l", "d/x", "m"))) {
      assertEquals(set("l/y"), watch.known);
      link("l", "e");
      watch.until(() -> watch.known.equals(set("m/y")));
    }
  }

  @Test
  void aFileIsFoundWhoseRootLeadsToADirectoryThatWasListedWithoutIt() throws IOException {
    make("a/x");
    make("a/y");
    Files.createDirectory(directory.resolve("b"));
    link("l", "b");
    FileCalls switching =
        AfterLook.wrap(
            calls,
            PosixPath.of("y"),
            () -> {
              link("l", "a");
              Files.delete(directory.resolve("b"));
            });
    WatchOptions options = NOTIFIED_ONLY.withWanted(RootsInOneDirectoryTest::isWanted);
    try (WatchHarness watch = new WatchHarness(switching, options, paths("a", "l/x"))) {
      watch.until(() -> watch.known.equals(set("a/x", "a/y")));
    }
  }

  @Test
  void aFileInWhosePlaceARootIsADirectoryBeforeItIsReportedIsNotReported() throws IOException {
    make("other");
    make("root");
    FileCalls replacing =
        AfterLook.wrap(
            calls,
            PosixPath.of("root"),
            () -> {
              Files.delete(directory.resolve("root"));
              make("root/y");
            });
    WatchOptions options = NOTIFIED_ONLY.withFollowSymlinks(true);
    try (WatchHarness watch = new WatchHarness(replacing, options, paths("other", "root"))) {
      watch.until(() -> watch.known.contains(path("root/y")));
      watch.untilQuiet();
      assertEquals(set("other", "root/y"), watch.known);
    }
  }

  @Test
  void aFileKeepsThePathOfItsRootWhenAnotherLinkToItsDirectoryIsSwitched() throws IOException {
    make("d/x");
    make("d/y");
    make("e/x");
    make("e/y");
    link("l", "d");
    link("m", "d");
    try (WatchHarness watch = new WatchHarness(calls, POLLING, paths("l/x", "m/y"))) {
      assertEquals(set("l/x", "l/y"), watch.known);
      link("l", "e");
      watch.until(() -> watch.known.equals(set("l/x", "m/y")));
      watch.forgetChanges();
      Files.writeString(directory.resolve("d/y"), "more");
      watch.untilReported(new WatchChange.Modified(path("m/y")));
    }
  }

  @Test
  void aFileStaysKnownWhenTheDirectoryThatWasAtItsPlaceBeforeIsFoundGone() throws IOException {
    make("a/b/y");
    make("first/x");
    make("second/c/x");
    try (WatchHarness watch = new WatchHarness(calls, NOTIFIED_ONLY, paths("a", "a/b/c"))) {
      move("first", "a/b/c");
      watch.until(() -> watch.known.equals(set("a/b/y", "a/b/c/x")));
      move("a/b", "elsewhere");
      move("second", "a/b");
      watch.until(() -> watch.known.equals(set("a/b/c/x")));
      watch.untilQuiet();
      watch.watch().requestScan();
      watch.until(() -> !watch.watch().isScanning());
      assertEquals(set("a/b/c/x"), watch.known);
    }
  }

  @Test
  void aFileIsRenamedToAPathThatIsFreeByThen() throws IOException {
    for (int i = 0; i < 10; i++) {
      make("r/a/" + i);
    }
    make("r/e/5");
    WatchOptions options =
        NOTIFIED_ONLY.withPortionNames(1); // More are gone than may be undecided.
    try (WatchHarness watch = new WatchHarness(calls, options, paths("r"))) {
      move("r/a", "elsewhere");
      move("r/e", "r/a");
      watch.until(() -> watch.known.equals(set("r/a/5")));
      watch.untilQuiet();
      assertEquals(set("r/a/5"), watch.known);
    }
  }

  @Test
  void aFileStaysKnownWhenADirectoryAboveARootIsReplacedDuringAScan() throws IOException {
    replaceDuringAScan("elsewhere", set("a/b/c/x", "a/y"));
  }

  @Test
  void aFileStaysKnownWhenTheOneThatWasAtItsPlaceBeforeIsFoundElsewhere() throws IOException {
    replaceDuringAScan("w/b", set("a/b/c/x", "a/y", "w/b/c/x"));
  }

  private void replaceDuringAScan(String elsewhere, Set<PosixPath> known) throws IOException {
    make("a/b/c/x");
    make("second/c/x");
    Files.createDirectory(directory.resolve("w"));
    FileCalls replacing =
        AfterLook.wrap(
            calls,
            PosixPath.of("y"),
            () -> {
              move("a/b", elsewhere);
              move("second", "a/b");
            });
    WatchOptions options =
        NOTIFIED_ONLY.withNotification(NotificationMethod.POLLING).withPortionNames(1);
    try (WatchHarness watch = new WatchHarness(replacing, options, paths("a/b/c", "w", "a"))) {
      make("a/y");
      watch.watch().requestScan();
      watch.until(() -> watch.known.contains(path("a/y")) && !watch.watch().isScanning());
      watch.watch().requestScan();
      watch.until(() -> !watch.watch().isScanning());
      assertEquals(known, watch.known);
    }
  }

  @Test
  void aRootIsGoneWithTheDirectoryAboveItThatIsWatchedToo() throws IOException {
    make("a/b/c/x");
    try (WatchHarness watch = new WatchHarness(calls, NOTIFIED_ONLY, paths("a", "a/b/c"))) {
      assertEquals(set("a/b/c/x"), watch.known);
      move("a/b", "elsewhere");
      watch.until(watch.known::isEmpty);
      move("elsewhere", "a/b");
      watch.until(() -> watch.known.equals(set("a/b/c/x")));
    }
  }

  @Test
  void aFileIsRenamedToThePathOfOneThatIsGoneWithTheDirectoryAboveItsRoot() throws IOException {
    make("a/b/c/x");
    make("other/b/c/x");
    try (WatchHarness watch =
        new WatchHarness(calls, NOTIFIED_ONLY, paths("a", "a/b/c", "other"))) {
      assertEquals(set("a/b/c/x", "other/b/c/x"), watch.known);
      move("a/b", "elsewhere");
      move("other/b", "a/b");
      watch.until(() -> watch.known.equals(set("a/b/c/x")));
      watch.untilQuiet();
      assertEquals(set("a/b/c/x"), watch.known);
    }
  }
}
