package dev.tailwater.restore.place;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.EscapedPath;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.StatFlag;
import dev.tailwater.restore.name.TargetNames;
import dev.tailwater.restore.name.TargetPath;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The places of files that a file system may take for one, since they differ in case only or in how
 * a letter is written. One file has both names there: what is found at one of them may be what was
 * restored to the other. Thread-safe.
 */
final class NamesAlike {
  private final TargetTree tree;
  private final TargetNames names;

  /** By the hash of what they have in common; made when it is first asked, and mostly empty. */
  @GuardedBy("this")
  private Optional<Map<Long, List<TargetPath>>> alike = Optional.empty();

  /** Of those that are alike. */
  @GuardedBy("this")
  private final Set<PosixPath> claimed = new HashSet<>();

  NamesAlike(TargetTree tree, TargetNames names) {
    this.tree = tree;
    this.names = names;
  }

  /**
   * Notes that a file of this run gets its place, if nothing is there or what is there may be
   * replaced. Of those that share a place, only one gets it.
   *
   * @param there what is found at the place; it may have been replaced since
   * @throws StreamFailure it is that of another stream
   */
  void claim(TargetPath place, Optional<TakenName.Found> there)
      throws StreamFailure, ErrnoException {
    List<TargetPath> others = like(place);
    if (!others.isEmpty()) {
      claim(place, others, there);
    }
  }

  private synchronized void claim(
      TargetPath place, List<TargetPath> others, Optional<TakenName.Found> there)
      throws StreamFailure, ErrnoException {
    // With several names, it has those of others by right.
    if (there.flatMap(TakenName.Found::file).filter(file -> file.links() == 1).isPresent()) {
      boolean isThere = there.get().verdict() == ExistingFile.Verdict.SAME;
      for (TargetPath other : others) {
        boolean isBefore = other.relative().compareTo(place.relative()) < 0;
        if (((isBefore && !isThere) || isClaimed(other)) && areOne(place, other)) {
          throw shared(other);
        }
      }
    }
    claimed.add(place.relative());
  }

  @GuardedBy("this")
  private boolean isClaimed(TargetPath place) {
    return claimed.contains(place.relative());
  }

  private static StreamFailure shared(TargetPath other) {
    return new StreamFailure(
        RestoreResult.REFUSED,
        "the file system takes its name for that of "
            + EscapedPath.of(other.relative())
            + ". Hint: restore to a file system that tells them apart, or this file alone into"
            + " another directory (--only)",
        null);
  }

  private synchronized List<TargetPath> like(TargetPath place) {
    if (alike.isEmpty()) {
      alike = Optional.of(find());
    }
    List<TargetPath> all =
        alike.get().isEmpty()
            ? List.of()
            : alike.get().getOrDefault(hash(place.relative()), List.of());
    return all.stream().filter(one -> !one.relative().equals(place.relative())).toList();
  }

  private Map<Long, List<TargetPath>> find() {
    long[] hashes =
        names.all().values().stream().mapToLong(place -> hash(place.relative())).sorted().toArray();
    Map<Long, List<TargetPath>> found = new HashMap<>();
    for (int i = 1; i < hashes.length; i++) {
      if (hashes[i] == hashes[i - 1]) {
        found.putIfAbsent(hashes[i], new ArrayList<>());
      }
    }
    if (!found.isEmpty()) {
      for (TargetPath place : names.all().values()) {
        Optional.ofNullable(found.get(hash(place.relative()))).ifPresent(same -> same.add(place));
      }
    }
    return found;
  }

  /** Of two places that have the same by chance, the files are not the same. */
  private static long hash(PosixPath path) {
    String text = Normalizer.normalize(path.decoded(), Normalizer.Form.NFKD);
    String folded = text.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
    long hash = 0;
    for (int i = 0; i < folded.length(); i++) {
      hash = hash * 0x9E3779B97F4A7C15L + folded.charAt(i);
    }
    return hash;
  }

  /** Whether two places are one. What is there may be replaced meanwhile, which happens once. */
  private boolean areOne(TargetPath one, TargetPath other) throws ErrnoException {
    boolean areOne = haveSameFile(one, other);
    return areOne || haveSameFile(other, one);
  }

  private boolean haveSameFile(TargetPath one, TargetPath other) throws ErrnoException {
    Optional<FileStatus> first = at(one);
    Optional<FileStatus> second = at(other);
    return first.isPresent()
        && second.isPresent()
        && first.get().inode() == second.get().inode()
        && first.get().device() == second.get().device();
  }

  private Optional<FileStatus> at(TargetPath place) throws ErrnoException {
    try (Descriptor directory = tree.directory(place.directories())) {
      return Optional.of(
          tree.calls().statx(directory.fd(), place.name(), EnumSet.of(StatFlag.NO_FOLLOW)));
    } catch (ErrnoException e) {
      if (e.errno() == Errno.ENOENT || e.errno() == Errno.ENOTDIR || e.errno() == Errno.ELOOP) {
        return Optional.empty();
      }
      throw e;
    }
  }
}
