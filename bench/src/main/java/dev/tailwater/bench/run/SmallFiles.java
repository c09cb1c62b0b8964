package dev.tailwater.bench.run;

import dev.tailwater.lab.seal.AccessLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** A tree of many short files, a hundred in each directory. */
public final class SmallFiles {
  private static final int FILES_PER_DIRECTORY = 100;

  private final AccessLog lines;
  private final List<Path> files = new ArrayList<>();

  public SmallFiles(Path root, int count, int sizeBytes, long seed) throws IOException {
    lines = new AccessLog(seed);
    for (int i = 0; i < count; i++) {
      Path directory = root.resolve("directory-" + i / FILES_PER_DIRECTORY);
      Files.createDirectories(directory);
      Path file = directory.resolve("file-" + i + ".log");
      Files.write(file, lines.next(sizeBytes));
      files.add(file);
    }
  }

  /** All of them, in the order in which they were made. */
  List<Path> files() {
    return List.copyOf(files);
  }

  /** Appends some lines to every so many-th file, from the given one on. */
  public void append(int first, int step, int sizeBytes) throws IOException {
    for (int i = first; i < files.size(); i += step) {
      Files.write(files.get(i), lines.next(sizeBytes), StandardOpenOption.APPEND);
    }
  }

  /** Appends some lines to the first files. */
  public void append(int count, int sizeBytes) throws IOException {
    for (Path file : files.subList(0, count)) {
      Files.write(file, lines.next(sizeBytes), StandardOpenOption.APPEND);
    }
  }
}
