package dev.tailwater.restore;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.TargetPath.UnsafePathException;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Gives every stream a place of its own below the target directory: its last known path, below a
 * directory per agent when the archive has several. Of several streams with the same last path
 * (rotations, truncations) the one with the strongest {@linkplain Claims claim} keeps the plain
 * name; every other gets {@code .~<stream id>} behind it. So does a file whose name another stream
 * needs as a directory, and one whose name looks like an unfinished file of a restore. The result
 * depends on nothing but the streams.
 */
final class TargetNames {
  /** Newest first: ids sort by birth time, then epoch. */
  static final Comparator<ArchivedStream> NEWEST_FIRST =
      Comparator.comparing(ArchivedStream::id).reversed().thenComparing(ArchivedStream::prefix);

  private final Map<ArchivedStream, TargetPath> paths = new HashMap<>();
  private final Map<ArchivedStream, String> unsafe = new HashMap<>();

  private TargetNames() {}

  static TargetNames of(List<ArchivedStream> streams, boolean agentDirectories) {
    TargetNames names = new TargetNames();
    Map<ArchivedStream, TargetPath> plain = new HashMap<>();
    Set<PosixPath> directories = new HashSet<>();
    for (ArchivedStream stream : streams) {
      try {
        TargetPath path = TargetPath.of(stream.path());
        if (agentDirectories) {
          path = path.below(PosixPath.of(stream.agent()));
        }
        plain.put(stream, path);
        addParents(path, directories);
      } catch (UnsafePathException e) {
        names.unsafe.put(stream, String.valueOf(e.getMessage()));
      }
    }
    Set<PosixPath> taken = new HashSet<>(directories);
    Map<ArchivedStream, TargetPath> inOrder = new HashMap<>();
    for (ArchivedStream stream : plain.keySet().stream().sorted(new Claims(streams)).toList()) {
      TargetPath path = plain.get(stream);
      if (path == null) {
        continue;
      }
      TargetPath free = path;
      String suffix = ".~" + stream.id().text();
      for (int number = 1; PartialFile.isReserved(free.name()) || !taken.add(free.relative()); ) {
        free = path.withSuffix(number == 1 ? suffix : suffix + "." + number);
        number++;
      }
      inOrder.put(stream, free);
    }
    names.paths.putAll(inOrder);
    return names;
  }

  private static void addParents(TargetPath path, Set<PosixPath> directories) {
    PosixPath parent = PosixPath.EMPTY;
    for (PosixPath name : path.directories()) {
      parent = parent.resolve(name);
      directories.add(parent);
    }
  }

  /**
   * @throws UnsafePathException when the archive gives the stream a path that must not be used
   */
  TargetPath of(ArchivedStream stream) throws UnsafePathException {
    TargetPath path = paths.get(stream);
    if (path == null) {
      throw new UnsafePathException(unsafe.getOrDefault(stream, "it was not planned"));
    }
    return path;
  }

  /** Where each stream that can be placed goes, for reading. */
  Map<ArchivedStream, TargetPath> all() {
    return Collections.unmodifiableMap(paths);
  }
}
