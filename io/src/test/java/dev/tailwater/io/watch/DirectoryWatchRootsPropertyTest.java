package dev.tailwater.io.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Roots come and go, are files and directories by turns, lie in one another, and take each other's
 * place: in the end the names that follow from the changes are those that are there, and what
 * happens to them is seen. {@code -Dtailwater.seed=N} repeats a failure.
 */
final class DirectoryWatchRootsPropertyTest extends RootsProperty {
  private static final int ROUNDS = 10;
  private static final int STEPS = 100;
  private static final int NAMES = 3;
  private static final int MOST_ROOTS = 5;

  /** Of files that are not wanted unless they are roots. */
  private static final PosixPath UNWANTED = PosixPath.of("n0");

  /** Of directories that are not looked into unless they are roots. */
  private static final PosixPath CLOSED = PosixPath.of("n1");

  DirectoryWatchRootsPropertyTest() {
    super(ROUNDS);
  }

  @Override
  void round(int number, WatchOptions options, SplittableRandom random) throws Exception {
    int depth = 1 + number % 3;
    Path base = Files.createTempDirectory(directory, "base");
    Path outside = Files.createTempDirectory(directory, "outside");
    List<Path> roots = roots(base, depth, random);
    boolean isSelective = random.nextInt(3) == 0;
    RandomTree tree = new RandomTree(base, outside, random.split(), NAMES);
    RandomRenames renames = new RandomRenames(calls, base, outside, roots, random.split());
    try (WatchHarness watch =
        new WatchHarness(calls, varied(options, isSelective, random), roots.toArray(new Path[0]))) {
      for (int i = 0; i < STEPS; i++) {
        if (random.nextInt(4) == 0) {
          renames.step();
        } else {
          tree.step();
        }
        for (int looks = random.nextInt(3); looks > 0; looks--) {
          watch.next(0);
        }
      }
      if (depth > 1) {
        watch.watch().requestScan(); // No event tells that a directory above a root has moved.
      }
      watch.until(() -> watch.known.equals(filesOf(roots, isSelective)));
      watch.untilQuiet();
      assertEquals(filesOf(roots, isSelective), watch.known);
      assertIsFollowed(watch, roots, isSelective);
      levels(
          new RandomLevels(base, outside, roots, random.split()),
          roots,
          varied(options, isSelective, random),
          random,
          known -> known.equals(filesOf(roots, isSelective)));
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "repeat with -Dtailwater.seed=%d; below %s there is %s"
              .formatted(seed, roots, filesOf(roots, isSelective)),
          e);
    }
  }

  private static WatchOptions varied(
      WatchOptions options, boolean isSelective, SplittableRandom random) {
    WatchOptions some =
        isSelective
            ? options
                .withWanted(path -> !path.fileName().equals(UNWANTED))
                .withDescend(path -> !path.fileName().equals(CLOSED))
            : options;
    return random.nextInt(3) == 0 ? some.withPortionNames(1) : some;
  }

  /** Without a scan, all is seen that happens now in the directories that count. */
  private static void assertIsFollowed(WatchHarness watch, List<Path> roots, boolean isSelective)
      throws IOException {
    for (Path counting : directoriesOf(roots, isSelective)) {
      Files.writeString(counting.resolve("new"), "x");
    }
    watch.until(() -> watch.known.equals(filesOf(roots, isSelective)));
    watch.forgetChanges();
    for (PosixPath file : watch.known) {
      Files.writeString(Path.of(file.toString()), "more", StandardOpenOption.APPEND);
    }
    watch.until(() -> written(watch).containsAll(watch.known));
  }

  /** Names that were exchanged unseen are found with what is written now. */
  private static Set<PosixPath> written(WatchHarness watch) {
    Set<PosixPath> written = new TreeSet<>();
    for (WatchChange change : watch.changes) {
      switch (change) {
        case WatchChange.Modified modified -> written.add(modified.path());
        case WatchChange.Appeared appeared -> written.add(appeared.path());
        case WatchChange.Renamed renamed -> written.add(renamed.path());
        default -> {}
      }
    }
    return written;
  }

  private static List<Path> roots(Path base, int mostDepth, SplittableRandom random) {
    List<Path> roots = new ArrayList<>();
    for (int count = 1 + random.nextInt(MOST_ROOTS); count > 0; count--) {
      Path root = base;
      for (int depth = 1 + random.nextInt(mostDepth); depth > 0; depth--) {
        root = root.resolve("n" + random.nextInt(NAMES));
      }
      roots.add(root);
    }
    return roots.stream().distinct().toList();
  }

  private static Set<PosixPath> filesOf(List<Path> roots, boolean isSelective) {
    Set<PosixPath> files = new TreeSet<>();
    Set<Path> directories = directoriesOf(roots, isSelective);
    try {
      for (Path root : roots) {
        if (Files.isRegularFile(root)) {
          files.add(PosixPath.of(root));
        }
      }
      for (Path counting : directories) {
        namesIn(counting).stream()
            .filter(Files::isRegularFile)
            .map(PosixPath::of)
            .filter(file -> !isSelective || !file.fileName().equals(UNWANTED))
            .forEach(files::add);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }

  private static Set<Path> directoriesOf(List<Path> roots, boolean isSelective) {
    Set<Path> directories = new TreeSet<>();
    Deque<Path> left = new ArrayDeque<>(roots.stream().filter(Files::isDirectory).toList());
    try {
      for (Path next = left.poll(); next != null; next = left.poll()) {
        if (directories.add(next)) {
          namesIn(next).stream()
              .filter(Files::isDirectory)
              .filter(name -> !isSelective || !name.endsWith(CLOSED.toString()))
              .forEach(left::add);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return directories;
  }

  private static List<Path> namesIn(Path directory) throws IOException {
    try (Stream<Path> names = Files.list(directory)) {
      return names.toList();
    }
  }
}
