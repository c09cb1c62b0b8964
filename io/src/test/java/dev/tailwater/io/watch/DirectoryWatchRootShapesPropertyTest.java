package dev.tailwater.io.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Roots are links that are switched, lead to the same directory, are exchanged, or become sockets:
 * in the end everything is known that is there, at one of its paths at least, and nothing else; and
 * the watch keeps no more than a new one has. {@code -Dtailwater.seed=N} repeats a failure.
 */
final class DirectoryWatchRootShapesPropertyTest extends RootsProperty {
  private static final int ROUNDS = 5;
  private static final int STEPS = 60;
  private static final int NAMES = 3;

  DirectoryWatchRootShapesPropertyTest() {
    super(ROUNDS);
  }

  /**
   * What the roots lead to.
   *
   * @param files the inodes by path
   * @param elsewhere the same by the paths that they have where another root is awaited
   * @param sameDirectory whether one directory has several paths
   */
  private record Seen(
      Map<PosixPath, Object> files, Map<PosixPath, Object> elsewhere, boolean sameDirectory) {
    boolean isKnown(Set<PosixPath> known) {
      if (!sameDirectory) {
        return known.equals(files.keySet());
      }
      Map<PosixPath, Object> all = new HashMap<>(elsewhere);
      all.putAll(files);
      Set<Object> inodes = new HashSet<>();
      known.stream().filter(all::containsKey).map(all::get).forEach(inodes::add);
      return all.keySet().containsAll(known) && inodes.containsAll(files.values());
    }
  }

  @Override
  void round(int number, WatchOptions options, SplittableRandom random) throws Exception {
    Path base = Files.createTempDirectory(directory, "b");
    Path outside = Files.createTempDirectory(directory, "o");
    List<Path> roots = roots(base, random);
    RandomTree tree = new RandomTree(base, outside, random.split(), NAMES);
    RandomShapes shapes = new RandomShapes(calls, base, outside, random.split(), NAMES);
    try (WatchHarness watch = new WatchHarness(calls, options, roots.toArray(new Path[0]))) {
      for (int i = 0; i < STEPS; i++) {
        if (random.nextInt(3) == 0) {
          shapes.step();
        } else {
          tree.step();
        }
        for (int looks = random.nextInt(3); looks > 0; looks--) {
          watch.next(0);
        }
      }
      assertEndsWithWhatIsThere(watch, options, roots);
      RandomTree.delete(base);
      assertEndsWithWhatIsThere(watch, options, roots);
      List<Path> places = roots.stream().map(DirectoryWatchRootShapesPropertyTest::place).toList();
      levels(
          new RandomLevels(base, outside, places, random.split()),
          places,
          options,
          random,
          known -> seen(places).isKnown(known));
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "repeat with -Dtailwater.seed=%d; at %s there is %s"
              .formatted(seed, roots, seen(roots).files().keySet()),
          e);
    }
  }

  private static List<Path> roots(Path base, SplittableRandom random) {
    List<Path> roots = new ArrayList<>();
    for (int count = 1 + random.nextInt(4); count > 0; count--) {
      Path root =
          random.nextInt(3) == 0
              ? base.resolve("l" + random.nextInt(2))
              : base.resolve("n" + random.nextInt(NAMES));
      roots.add(random.nextBoolean() ? root : root.resolve("n" + random.nextInt(NAMES)));
    }
    return roots.stream().distinct().toList();
  }

  /** A longer path without links, of which several levels are missing now. */
  private static Path place(Path root) {
    return root.resolveSibling("d" + root.getFileName()).resolve("n0");
  }

  private void assertEndsWithWhatIsThere(WatchHarness watch, WatchOptions options, List<Path> roots)
      throws IOException {
    Seen seen = seen(roots);
    watch.watch().requestScan(); // No event tells of a link that was switched.
    watch.until(() -> !watch.watch().isScanning() && seen.isKnown(watch.known));
    watch.untilQuiet();
    assertEquals(watch.known.size(), watch.watch().statistics().files());
    if (!seen.sameDirectory()) {
      assertEquals(seen.files().keySet(), watch.known);
      assertEquals(directoriesOfNew(options, roots), watch.watch().statistics().directories());
    }
  }

  private int directoriesOfNew(WatchOptions options, List<Path> roots) throws IOException {
    try (WatchHarness fresh = new WatchHarness(calls, options, roots.toArray(new Path[0]))) {
      return fresh.watch().statistics().directories();
    }
  }

  private static Seen seen(List<Path> roots) {
    Map<PosixPath, Object> files = new TreeMap<>();
    Map<Path, Object> directories = new TreeMap<>();
    try {
      for (Path root : roots) {
        Path parent = Objects.requireNonNull(root.getParent());
        if (!Files.isDirectory(root) && Files.isDirectory(parent)) {
          directories.put(parent, attributes(parent).fileKey());
        }
        if (Files.exists(root)) {
          see(root, attributes(root), files, directories);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<PosixPath, Object> elsewhere = new HashMap<>();
    for (Path root : roots) {
      Path parent = Objects.requireNonNull(root.getParent());
      Object file = files.get(PosixPath.of(root));
      directories.forEach(
          (other, key) -> {
            if (file != null && key.equals(directories.get(parent))) {
              elsewhere.put(PosixPath.of(other.resolve(root.getFileName())), file);
            }
          });
    }
    Set<Object> different = new HashSet<>(directories.values());
    return new Seen(files, elsewhere, different.size() < directories.size());
  }

  private static void see(
      Path path,
      BasicFileAttributes attributes,
      Map<PosixPath, Object> files,
      Map<Path, Object> directories)
      throws IOException {
    if (attributes.isRegularFile()) {
      files.put(PosixPath.of(path), attributes.fileKey());
    } else if (attributes.isDirectory()) {
      directories.put(path, attributes.fileKey());
      try (Stream<Path> names = Files.list(path)) {
        for (Path name : names.toList()) {
          see(name, attributes(name, LinkOption.NOFOLLOW_LINKS), files, directories);
        }
      }
    }
  }

  private static BasicFileAttributes attributes(Path path, LinkOption... options)
      throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, options);
  }
}
