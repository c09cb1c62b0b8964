package dev.tailwater.io.watch;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.RenameFlag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.EnumSet;
import java.util.random.RandomGenerator;

/** What is rarer in a tree of files than what {@link RandomTree} does, in an order of a seed. */
final class RandomShapes {
  private final FileCalls calls;
  private final Path root;
  private final Path outside;
  private final RandomGenerator random;
  private final int names;

  RandomShapes(FileCalls calls, Path root, Path outside, RandomGenerator random, int names) {
    this.calls = calls;
    this.root = root;
    this.outside = outside;
    this.random = random;
    this.names = names;
  }

  /** One operation; nothing when the tree does not allow it. */
  void step() throws IOException {
    switch (random.nextInt(6)) {
      case 0, 1 -> link(linkName(), target());
      case 2 -> Files.deleteIfExists(linkName());
      case 3 -> hardLink(place(), place());
      case 4 -> socket(place());
      default -> exchange(place(), random.nextInt(4) == 0 ? outsideName() : place());
    }
  }

  private Path place() {
    Path at = root;
    for (int depth = 1 + random.nextInt(3); depth > 0; depth--) {
      at = at.resolve("n" + random.nextInt(names));
    }
    return at;
  }

  /** A name that only links have: a link in the place of a former directory is not followed. */
  private Path linkName() {
    return root.resolve("l" + random.nextInt(2));
  }

  private Path target() {
    return switch (random.nextInt(6)) {
      case 0, 1 -> outsideName();
      case 2 -> linkName();
      default -> place();
    };
  }

  private Path outsideName() {
    return outside.resolve("o" + random.nextInt(names));
  }

  private void link(Path link, Path target) throws IOException {
    Path unnamed = outside.resolve("link");
    Files.createSymbolicLink(unnamed, target);
    Files.move(unnamed, link, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void hardLink(Path file, Path other) throws IOException {
    if (Files.isRegularFile(file) && RandomTree.parentExists(other) && !exists(other)) {
      Files.createLink(other, file);
    }
  }

  private void socket(Path at) throws IOException {
    if (RandomTree.parentExists(at) && !Files.isDirectory(at)) {
      Path unnamed = outside.resolve("s");
      SpecialFiles.makeSocket(unnamed);
      Files.move(unnamed, at, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  private void exchange(Path one, Path other) throws ErrnoException {
    if (exists(one) && exists(other) && !one.startsWith(other) && !other.startsWith(one)) {
      calls.rename(
          FileCalls.AT_FDCWD,
          PosixPath.of(one),
          FileCalls.AT_FDCWD,
          PosixPath.of(other),
          EnumSet.of(RenameFlag.EXCHANGE));
    }
  }

  private static boolean exists(Path path) {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }
}
