package dev.tailwater.restore.verify;

import dev.tailwater.destination.ObjectKeys;
import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.StatFlag;
import dev.tailwater.restore.name.TargetPath;
import dev.tailwater.restore.place.TargetTree;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Walks a directory and finds the regular files that an archive does not have. Lists each directory
 * once, follows no symbolic link, and opens only files that may have another path in the archive.
 * Memory: the names of the directories that wait, and the files that are named in the result. For
 * one use by one thread.
 */
final class UnarchivedSearch {
  private static final Set<StatFlag> NO_FOLLOW = EnumSet.of(StatFlag.NO_FOLLOW);
  private static final Set<StatFlag> FOLLOW = EnumSet.noneOf(StatFlag.class);
  private static final PosixPath TEMPORARY = PosixPath.of(ObjectKeys.RESERVED);

  /** Accepts the files that an archive has. */
  interface Known {
    /**
     * Returns whether the archive has a file.
     *
     * @param directory that the file is in, open
     */
    boolean has(Descriptor directory, TargetPath file) throws IOException;
  }

  private final FileCalls calls;
  private final TargetTree target;
  private final PosixPath root;
  private final UnarchivedScope scope;
  private final Known known;
  private final Predicate<PosixPath> wanted;
  private final Deque<List<PosixPath>> waiting = new ArrayDeque<>();
  private final List<PosixPath> first = new ArrayList<>();
  private final List<UnarchivedFiles.Unlisted> unlisted = new ArrayList<>();
  private long count;
  private long unlistedCount;

  /**
   * Creates a search.
   *
   * @param target the directory, open
   * @param root its absolute path
   * @param wanted accepts the paths, relative to the directory, of files that count
   */
  UnarchivedSearch(
      FileCalls calls,
      TargetTree target,
      PosixPath root,
      UnarchivedScope scope,
      Known known,
      Predicate<PosixPath> wanted) {
    this.calls = calls;
    this.target = target;
    this.root = root;
    this.scope = scope;
    this.known = known;
    this.wanted = wanted;
  }

  /**
   * Walks the directory.
   *
   * @throws IOException the thread was interrupted, or a file cannot be compared for a reason that
   *     holds for all
   */
  UnarchivedFiles run() throws IOException {
    Optional<FileStatus> archive = statusOfArchive();
    waiting.push(List.of());
    while (!waiting.isEmpty()) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("interrupted");
      }
      List<PosixPath> names = waiting.pop();
      try (Descriptor directory = target.directory(names)) {
        if (!isArchive(directory, archive)) {
          list(directory, names);
        }
      } catch (ErrnoException e) {
        noteUnlisted(names, e);
      }
    }
    return new UnarchivedFiles(count, first, unlistedCount, unlisted);
  }

  private Optional<FileStatus> statusOfArchive() {
    try {
      return scope.archive().isPresent()
          ? Optional.of(calls.statx(FileCalls.AT_FDCWD, scope.archive().get(), FOLLOW))
          : Optional.empty();
    } catch (ErrnoException e) {
      return Optional.empty(); // It was read a moment ago; whatever is there now is not it.
    }
  }

  /** By inode: the archive may have been named by another path. */
  private boolean isArchive(Descriptor directory, Optional<FileStatus> archive)
      throws ErrnoException {
    if (archive.isEmpty()) {
      return false;
    }
    FileStatus status = calls.fstat(directory.fd());
    return status.inode() == archive.get().inode() && status.device() == archive.get().device();
  }

  private void list(Descriptor directory, List<PosixPath> names) throws IOException {
    PosixPath relative = PosixPath.EMPTY;
    for (PosixPath name : names) {
      relative = relative.resolve(name);
    }
    List<DirectoryEntry> some = new ArrayList<>();
    while (calls.nextEntries(directory.fd(), some::add)) {
      for (DirectoryEntry entry : some) {
        look(directory, names, relative, entry);
      }
      some.clear();
    }
  }

  private void look(
      Descriptor directory, List<PosixPath> names, PosixPath relative, DirectoryEntry entry)
      throws IOException {
    EntryType type = typeOf(directory, entry);
    boolean isDirectory = type == EntryType.DIRECTORY && !entry.name().equals(TEMPORARY);
    if (!isDirectory && type != EntryType.REGULAR) {
      return;
    }
    PosixPath path = relative.resolve(entry.name());
    PosixPath absolute = root.resolve(path);
    if (isDirectory) {
      if (!scope.excluded().test(absolute)) {
        List<PosixPath> below = new ArrayList<>(names);
        below.add(entry.name());
        waiting.push(List.copyOf(below));
      }
    } else if (!known.has(directory, new TargetPath(names, entry.name()))
        && wanted.test(path)
        && !scope.excluded().test(absolute)) {
      count++;
      if (first.size() < UnarchivedFiles.MAX_NAMED) {
        first.add(absolute);
      }
    }
  }

  private EntryType typeOf(Descriptor directory, DirectoryEntry entry) {
    if (entry.type() != EntryType.UNKNOWN) {
      return entry.type();
    }
    try {
      return calls.statx(directory.fd(), entry.name(), NO_FOLLOW).type();
    } catch (ErrnoException e) {
      return EntryType.UNKNOWN; // It is gone.
    }
  }

  private void noteUnlisted(List<PosixPath> names, ErrnoException problem) {
    boolean isGone =
        problem.errno() == Errno.ENOENT
            || problem.errno() == Errno.ENOTDIR
            || problem.errno() == Errno.ELOOP;
    if (isGone && !names.isEmpty()) {
      return;
    }
    unlistedCount++;
    if (unlisted.size() < UnarchivedFiles.MAX_NAMED) {
      PosixPath path = root;
      for (PosixPath name : names) {
        path = path.resolve(name);
      }
      unlisted.add(new UnarchivedFiles.Unlisted(path, ErrnoException.messageForUser(problem)));
    }
  }
}
