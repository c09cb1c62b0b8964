package dev.tailwater.io.watch;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.RenameFlag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;

/** Moves what is at one root, or above it, to the place of another, in an order of a seed. */
final class RandomRenames {
  private final FileCalls calls;
  private final Path base;
  private final Path outside;
  private final List<Path> roots;
  private final RandomGenerator random;

  /**
   * Creates an actor.
   *
   * @param base above all roots
   * @param outside on the same file system
   */
  RandomRenames(
      FileCalls calls, Path base, Path outside, List<Path> roots, RandomGenerator random) {
    this.calls = calls;
    this.base = base;
    this.outside = outside;
    this.roots = roots;
    this.random = random;
  }

  /** One operation; nothing when there is nothing to do. */
  void step() throws IOException {
    Path from = place();
    Path to = place();
    boolean isExchange = random.nextInt(4) == 0;
    boolean isPossible =
        Files.exists(from)
            && RandomTree.parentExists(to)
            && !from.startsWith(to)
            && !to.startsWith(from);
    if (!isPossible) {
      return;
    }
    if (isExchange && Files.exists(to)) {
      calls.rename(
          FileCalls.AT_FDCWD,
          PosixPath.of(from),
          FileCalls.AT_FDCWD,
          PosixPath.of(to),
          EnumSet.of(RenameFlag.EXCHANGE));
      return;
    }
    RandomTree.delete(to);
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  private Path place() {
    Path root = roots.get(random.nextInt(roots.size()));
    Path parent = Objects.requireNonNull(root.getParent());
    return switch (random.nextInt(6)) {
      case 0 -> outside.resolve("o" + random.nextInt(3));
      case 1 -> parent.equals(base) ? root : parent;
      default -> root;
    };
  }
}
