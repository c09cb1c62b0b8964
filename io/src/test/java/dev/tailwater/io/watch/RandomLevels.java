package dev.tailwater.io.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;

/** Makes and removes roots with the directories above them, in an order that a seed decides. */
final class RandomLevels {
  private final Path base;
  private final Path outside;
  private final List<Path> roots;
  private final RandomGenerator random;
  private int made;

  /**
   * Creates an actor.
   *
   * @param base above all roots; itself one of the directories that come and go
   * @param outside on the same file system
   */
  RandomLevels(Path base, Path outside, List<Path> roots, RandomGenerator random) {
    this.base = base;
    this.outside = outside;
    this.roots = roots;
    this.random = random;
  }

  /** One operation; nothing when there is nothing to do. */
  void step() throws IOException {
    Path root = roots.get(random.nextInt(roots.size()));
    List<Path> levels = levels(root);
    List<Path> missing = levels.stream().filter(level -> !isThere(level, root)).toList();
    switch (random.nextInt(7)) {
      case 0, 1 -> makeFrom(missing, root, missing.size());
      case 2, 3 -> makeFrom(missing, root, 1);
      case 4 -> renameIntoPlace(missing, root);
      case 5 -> obstruct(missing);
      default -> RandomTree.delete(levels.get(random.nextInt(levels.size())));
    }
  }

  /** The base, the root, and what is between them. */
  private List<Path> levels(Path root) {
    List<Path> levels = new ArrayList<>();
    for (Path at = root; at.startsWith(base); at = Objects.requireNonNull(at.getParent())) {
      levels.add(at);
    }
    return levels.reversed();
  }

  /** Returns whether there is a directory, or the root as a file. */
  private static boolean isThere(Path level, Path root) {
    return Files.isDirectory(level) || (level.equals(root) && Files.isRegularFile(level));
  }

  private void makeFrom(List<Path> missing, Path root, int count) throws IOException {
    if (!missing.isEmpty()) {
      Files.deleteIfExists(missing.getFirst());
    }
    for (Path level : missing.subList(0, Math.min(count, missing.size()))) {
      make(level, root);
    }
  }

  private void make(Path level, Path root) throws IOException {
    if (!level.equals(root)) {
      Files.createDirectory(level);
    } else if (random.nextBoolean()) {
      Files.writeString(level, "x");
    } else {
      Files.createDirectory(level);
      Files.writeString(level.resolve("x"), "x");
    }
  }

  private void renameIntoPlace(List<Path> missing, Path root) throws IOException {
    if (missing.isEmpty()) {
      return;
    }
    Path first = missing.getFirst();
    Path staged = outside.resolve("staged" + made++);
    Path stagedRoot = elsewhere(root, first, staged);
    for (Path level : missing) {
      make(elsewhere(level, first, staged), stagedRoot);
    }
    Files.deleteIfExists(first);
    Files.move(staged, first, StandardCopyOption.ATOMIC_MOVE);
  }

  private static Path elsewhere(Path path, Path from, Path to) {
    return path.equals(from) ? to : to.resolve(from.relativize(path));
  }

  /** Something that is no directory has the name of one. */
  private void obstruct(List<Path> missing) throws IOException {
    if (missing.isEmpty() || Files.exists(missing.getFirst(), LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (random.nextBoolean()) {
      Files.writeString(missing.getFirst(), "no directory");
    } else {
      SpecialFiles.makeSocket(missing.getFirst());
    }
  }
}
