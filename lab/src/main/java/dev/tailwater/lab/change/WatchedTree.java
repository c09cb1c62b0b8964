package dev.tailwater.lab.change;

import dev.tailwater.lab.measure.TimeBudget;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A tree of many short files, a hundred in each directory, with numbers from 0. Immutable. */
final class WatchedTree {
  private static final int FILES_PER_DIRECTORY = 100;
  private static final byte[] CONTENT = new byte[100];

  private final Path root;
  private final List<Path> files = new ArrayList<>();
  private final List<Path> directories = new ArrayList<>();
  private final Map<PosixPath, Integer> numbers = new HashMap<>();
  private final Map<Path, Map<Path, Integer>> numbersByName = new HashMap<>();

  private WatchedTree(Path root) {
    this.root = root;
  }

  /** Creates the tree in a directory that does not exist yet, if there is time for it. */
  static WatchedTree create(Path root, int count, TimeBudget time) throws IOException {
    WatchedTree tree = new WatchedTree(Files.createDirectories(root).toRealPath());
    for (int number = 0; number < count; number++) {
      Path directory = tree.root.resolve("directory-" + number / FILES_PER_DIRECTORY);
      if (number % FILES_PER_DIRECTORY == 0) {
        time.requireTime("making files");
        tree.directories.add(Files.createDirectory(directory));
      }
      Path file = Files.write(directory.resolve("file-" + number + ".log"), CONTENT);
      tree.files.add(file);
      tree.numbers.put(PosixPath.of(file), number);
      tree.numbersByName
          .computeIfAbsent(directory, _ -> new HashMap<>())
          .put(file.getFileName(), number);
    }
    return tree;
  }

  Path root() {
    return root;
  }

  int count() {
    return files.size();
  }

  Path file(int number) {
    return files.get(number);
  }

  List<Path> directories() {
    return List.copyOf(directories);
  }

  /** Returns the number of a file; -1 for anything else. */
  int number(PosixPath path) {
    return numbers.getOrDefault(path, -1);
  }

  /** Returns the numbers of the files of a directory, by name. */
  Map<Path, Integer> names(Path directory) {
    return numbersByName.getOrDefault(directory, Map.of());
  }
}
