package dev.tailwater.io.watch;

import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Does what programs do to a tree of files, in an order that a seed decides. */
final class RandomTree {
  /** So few that operations often meet. */
  static final int FEW_NAMES = 4;

  private final Path root;
  private final Path outside;
  private final RandomGenerator random;
  private final int names;

  /**
   * Creates an actor.
   *
   * @param names how many names there are in a directory
   */
  RandomTree(Path root, Path outside, RandomGenerator random, int names) {
    this.root = root;
    this.outside = outside;
    this.random = random;
    this.names = names;
  }

  /** One operation; nothing when the tree does not allow it. */
  void step() throws IOException {
    Path at = place();
    switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> write(at);
      case 4 -> delete(at);
      case 5, 6, 7 -> move(at, place());
      case 8, 9 -> makeDirectories(at);
      case 10 -> move(at, outside.resolve("o" + random.nextInt(names)));
      default -> move(outside.resolve("o" + random.nextInt(names)), at);
    }
  }

  private Path place() {
    Path at = root;
    int depth = 1 + random.nextInt(3);
    for (int i = 0; i < depth; i++) {
      at = at.resolve("n" + random.nextInt(names));
    }
    return at;
  }

  private static void write(Path file) throws IOException {
    if (parentExists(file) && (Files.isRegularFile(file) || !Files.exists(file))) {
      Files.writeString(file, "x", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
  }

  private static void makeDirectories(Path directory) throws IOException {
    if (parentExists(directory) && !Files.exists(directory)) {
      Files.createDirectory(directory);
      Files.writeString(directory.resolve("n0"), "first");
    }
  }

  static void delete(Path at) throws IOException {
    if (!Files.exists(at, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> walk = Files.walk(at)) {
      all = new ArrayList<>(walk.toList());
    }
    for (Path path : all.reversed()) {
      Files.delete(path);
    }
  }

  private static void move(Path from, Path to) throws IOException {
    boolean possible =
        Files.exists(from)
            && parentExists(to)
            && !to.startsWith(from)
            && !from.startsWith(to)
            && (!Files.isDirectory(to) || (isEmptyDirectory(to) && Files.isDirectory(from)))
            && (!Files.isDirectory(from) || Files.isDirectory(to) || !Files.exists(to));
    if (possible) {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  static boolean parentExists(Path path) {
    Path parent = path.getParent();
    return parent != null && Files.isDirectory(parent);
  }

  private static boolean isEmptyDirectory(Path directory) throws IOException {
    try (Stream<Path> list = Files.list(directory)) {
      return list.findAny().isEmpty();
    }
  }

  /** The regular files below a directory. */
  static Set<PosixPath> files(Path root) throws IOException {
    Set<PosixPath> files = new TreeSet<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()) {
              files.add(PosixPath.of(file));
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException why) throws IOException {
            if (why instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw why;
          }
        });
    return files;
  }
}
