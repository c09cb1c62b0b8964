package dev.tailwater.restore.tree;

import dev.tailwater.archive.pack.DirectoryStatement;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.Claims;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The files that have come to their paths since their agents looked at directories and links last.
 * They are what is there now: what is told of their paths is out of date, and is left out. For one
 * thread.
 */
final class NewerFiles {
  private static final long NEVER = Long.MIN_VALUE;

  /** When the last file came to a path, or below it, by agent. */
  private final Map<String, Map<PosixPath, Long>> files = new HashMap<>();

  private final Map<String, Map<PosixPath, Long>> below = new HashMap<>();

  /** Returns the files of an index. */
  static NewerFiles of(ArchiveIndex index) {
    NewerFiles newer = new NewerFiles();
    Claims claims = index.claims();
    for (ArchivedStream stream : index.streams()) {
      boolean isThere = stream.isVouchedFor() && !claims.isOver(stream);
      if (isThere && stream.arrivalNanos().isPresent()) {
        newer.add(stream, stream.arrivalNanos().getAsLong());
      }
    }
    return newer;
  }

  private void add(ArchivedStream stream, long arrivalNanos) {
    PosixPath path = stream.path();
    files
        .computeIfAbsent(stream.agent(), _ -> new HashMap<>())
        .merge(path, arrivalNanos, Math::max);
    Map<PosixPath, Long> directories = below.computeIfAbsent(stream.agent(), _ -> new HashMap<>());
    for (PosixPath at = path.parent(); !at.isEmpty(); at = at.parent()) {
      if (directories.getOrDefault(at, NEVER) >= arrivalNanos) {
        return; // So it is for all above.
      }
      directories.put(at, arrivalNanos);
      if (at.equals(at.parent())) {
        return;
      }
    }
  }

  /** Returns a tree without what is out of date. */
  ArchivedTree leaveOut(ArchivedTree tree) {
    long outdated = 0;
    Map<PosixPath, Long> newest = files.getOrDefault(tree.agent(), Map.of());
    Map<PosixPath, Long> inside = below.getOrDefault(tree.agent(), Map.of());
    NavigableMap<PosixPath, DirectoryStatement.Contents> left = new TreeMap<>();
    Set<PosixPath> gone = new HashSet<>();
    // In this order, what is above a path comes first.
    for (var told : tree.directories().entrySet()) {
      PosixPath path = told.getKey();
      DirectoryStatement.Contents contents = told.getValue();
      long atNanos = tree.toldAtNanos(path);
      if (gone.contains(path.parent()) || newest.getOrDefault(path, NEVER) >= atNanos) {
        gone.add(path);
        outdated += 1 + contents.links().size() + contents.furtherNames().size();
        continue;
      }
      Predicate<PosixPath> isFile =
          name -> newest.getOrDefault(path.resolve(name), NEVER) >= atNanos;
      Predicate<PosixPath> isDirectory =
          name -> inside.getOrDefault(path.resolve(name), NEVER) >= atNanos;
      DirectoryStatement.Contents current =
          new DirectoryStatement.Contents(
              contents.attributes(),
              contents.directories(),
              contents.links().stream()
                  .filter(link -> !isFile.test(link.name()) && !isDirectory.test(link.name()))
                  .toList(),
              contents.furtherNames().stream()
                  .filter(further -> !isFile.test(further.name()))
                  .toList(),
              contents.extended());
      outdated += contents.names() - current.names();
      left.put(path, current);
    }
    return new ArchivedTree(
        tree.agent(), left, tree.toldAtMillis(), outdated, tree.attributes(), tree.damages());
  }
}
