package dev.tailwater.it.conservation;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** The watched directories that have files: they are never removed, and some get other names. */
final class Directories {
  private final Random random;
  private final List<Path> roots;
  private final List<Path> paths;
  private final List<Path> formerPaths = new ArrayList<>();
  private int counter;

  Directories(Random random, List<Path> roots, List<Path> paths) {
    this.random = random;
    this.roots = List.copyOf(roots);
    this.paths = new ArrayList<>(paths);
  }

  List<Path> roots() {
    return roots;
  }

  Path any() {
    return any(paths);
  }

  private Path any(List<Path> some) {
    return some.get(random.nextInt(some.size()));
  }

  /** A directory that is no source, and where it may go: often where there was one before. */
  record Renaming(Path from, Path to) {
    Path applied(Path path) {
      return path.startsWith(from) ? to.resolve(from.relativize(path)) : path;
    }
  }

  /** Returns what could be renamed; empty if what was picked does not go. */
  Optional<Renaming> anyRenaming() {
    Path from = any(paths.stream().filter(path -> !roots.contains(path)).toList());
    boolean back = !formerPaths.isEmpty() && random.nextBoolean();
    Path to = back ? any(formerPaths) : any().resolve("moved-" + counter++);
    return !to.startsWith(from) && !paths.contains(to) && paths.contains(to.getParent())
        ? Optional.of(new Renaming(from, to))
        : Optional.empty();
  }

  void renamed(Renaming renaming) {
    formerPaths.add(renaming.from());
    paths.replaceAll(renaming::applied);
  }
}
