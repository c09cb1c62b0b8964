package dev.tailwater.io.watch.result;

import dev.tailwater.io.watch.name.KnownFile;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The files that a pass found gone and has not reported yet: each may have another name by now. */
final class GoneFiles {
  /**
   * A file without its name.
   *
   * @param path the path that was reported last
   * @param written whether it was written since the last report
   * @param deleted whether the name is known to have been unlinked
   */
  record GoneFile(PosixPath path, KnownFile file, boolean written, boolean deleted) {}

  private final int maxUndecided;
  private final Map<PosixPath, GoneFile> byPath = new LinkedHashMap<>();

  /** Those that may have another name, by the fingerprint of the inode. */
  private final Map<Long, Deque<GoneFile>> byInode = new HashMap<>();

  /**
   * Creates an empty set.
   *
   * @param maxUndecided if there are more files, they are reported as gone, and one that is found
   *     later as a new one
   */
  GoneFiles(int maxUndecided) {
    this.maxUndecided = maxUndecided;
  }

  boolean isEmpty() {
    return byPath.isEmpty();
  }

  void add(PosixPath path, KnownFile file, boolean written, boolean deleted) {
    GoneFile goneFile = new GoneFile(path, file, written, deleted);
    byPath.put(path, goneFile);
    if (!deleted) {
      byInode.computeIfAbsent(file.inode(), key -> new ArrayDeque<>(1)).add(goneFile);
    }
  }

  /** Returns the file that was found again, if it is one of these. */
  Optional<GoneFile> find(FileStatus status, boolean throughLink) {
    KnownFile found = KnownFile.of(status, throughLink);
    Deque<GoneFile> candidates = byInode.get(found.inode());
    if (candidates == null) {
      return Optional.empty();
    }
    GoneFile candidate = candidates.getFirst();
    // Without a birth time, a reused inode number looks the same: only an unchanged file counts.
    boolean same = status.birthTimeNanos().isPresent() || !candidate.file().contentDiffers(status);
    return same && candidate.file().throughLink() == throughLink
        ? Optional.of(candidate)
        : Optional.empty();
  }

  /** Removes and returns the file that was found again, if it is one of these. */
  Optional<GoneFile> claim(FileStatus status, boolean throughLink) {
    Optional<GoneFile> found = find(status, throughLink);
    found.ifPresent(file -> forget(file.path()));
    return found;
  }

  /** Forgets the file that had a path, if one had: another one is reported there now. */
  void forget(PosixPath path) {
    GoneFile before = byPath.remove(path);
    if (before != null && !before.deleted()) {
      Deque<GoneFile> candidates = byInode.get(before.file().inode());
      if (candidates != null) {
        candidates.remove(before);
        if (candidates.isEmpty()) {
          byInode.remove(before.file().inode());
        }
      }
    }
  }

  /**
   * Removes and returns the paths of which it is decided that they are gone.
   *
   * @param all whether all of them are
   * @param targets paths that other files are about to have
   */
  Set<PosixPath> take(boolean all, Collection<PosixPath> targets) {
    Set<PosixPath> taken = new LinkedHashSet<>();
    if (all || byPath.size() > maxUndecided) {
      taken.addAll(byPath.keySet());
      byPath.clear();
      byInode.clear();
      return taken;
    }
    for (GoneFile file : byPath.values()) {
      if (file.deleted()) {
        taken.add(file.path());
      }
    }
    for (PosixPath target : targets) {
      if (byPath.containsKey(target)) {
        taken.add(target);
      }
    }
    taken.forEach(this::forget);
    return taken;
  }
}
