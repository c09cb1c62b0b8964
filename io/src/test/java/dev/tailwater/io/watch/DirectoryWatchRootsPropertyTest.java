package dev.tailwater.io.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * Roots come and go, are files and directories by turns, and lie in one another: in the end the
 * names that follow from the changes are those that are there. {@code -Dtailwater.seed=N} repeats a
 * failure.
 */
final class DirectoryWatchRootsPropertyTest extends RootsProperty {
  private static final int ROUNDS = 20;
  private static final int STEPS = 100;
  private static final int NAMES = 3;

  DirectoryWatchRootsPropertyTest() {
    super(ROUNDS);
  }

  @Override
  void round(int number, WatchOptions options, SplittableRandom random) throws Exception {
    int depth = 1 + number % 3;
    Path base = Files.createTempDirectory(directory, "base");
    Path outside = Files.createTempDirectory(directory, "outside");
    List<Path> roots = roots(base, depth, random);
    RandomTree tree = new RandomTree(base, outside, random.split(), NAMES);
    try (WatchHarness watch = new WatchHarness(calls, options, roots.toArray(new Path[0]))) {
      for (int i = 0; i < STEPS; i++) {
        tree.step();
        for (int looks = random.nextInt(3); looks > 0; looks--) {
          watch.next(0);
        }
      }
      if (depth > 1) {
        watch.watch().requestScan(); // No event tells that a directory above a root has moved.
      }
      watch.until(() -> watch.known.equals(filesOf(base, roots)));
      watch.untilQuiet();
      assertEquals(filesOf(base, roots), watch.known);
      levels(
          new RandomLevels(base, outside, roots, random.split()),
          roots,
          options,
          random,
          known -> known.equals(filesOf(base, roots)));
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "repeat with -Dtailwater.seed=%d; below %s there is %s"
              .formatted(seed, roots, filesOf(base, roots)),
          e);
    }
  }

  private static List<Path> roots(Path base, int mostDepth, SplittableRandom random) {
    List<Path> roots = new ArrayList<>();
    for (int count = 1 + random.nextInt(3); count > 0; count--) {
      Path root = base;
      for (int depth = 1 + random.nextInt(mostDepth); depth > 0; depth--) {
        root = root.resolve("n" + random.nextInt(NAMES));
      }
      roots.add(root);
    }
    return roots.stream().distinct().toList();
  }

  private static Set<PosixPath> filesOf(Path base, List<Path> roots) {
    try {
      return RandomTree.files(base).stream()
          .filter(
              file -> roots.stream().anyMatch(root -> Path.of(file.toString()).startsWith(root)))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
