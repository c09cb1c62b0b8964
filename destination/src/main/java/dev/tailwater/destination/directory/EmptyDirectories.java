package dev.tailwater.destination.directory;

import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.OpenFlag;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/**
 * A tool that removes directories that contain only directories. Only one descriptor is open at a
 * time, however deep they are; the paths that remain to be visited or removed are in memory.
 */
final class EmptyDirectories {
  private final FileCalls calls;
  private final Handle root;

  EmptyDirectories(FileCalls calls, Handle root) {
    this.calls = calls;
    this.root = root;
  }

  /**
   * Removes the directory of a path below the root and those below it, unless they are not empty.
   */
  void remove(String path) throws ErrnoException {
    Deque<PosixPath> unseen = new ArrayDeque<>();
    Deque<PosixPath> parentsLast = new ArrayDeque<>();
    unseen.push(PosixPath.of(path));
    while (!unseen.isEmpty()) {
      PosixPath directory = unseen.pop();
      parentsLast.push(directory);
      addChildren(directory, unseen);
    }
    for (PosixPath directory : parentsLast) {
      removeIfEmpty(directory);
    }
  }

  private void addChildren(PosixPath directory, Deque<PosixPath> target) throws ErrnoException {
    try (Handle handle = open(directory)) {
      for (DirectoryEntry entry : calls.entries(handle.fd())) {
        // If the file system does not report the type, the attempt to open it decides.
        if (entry.type() == EntryType.DIRECTORY || entry.type() == EntryType.UNKNOWN) {
          target.push(directory.resolve(entry.name()));
        }
      }
    } catch (ErrnoException e) {
      switch (e.errno()) {
        case ENOENT, ENOTDIR, ELOOP -> {}
        default -> throw e;
      }
    }
  }

  private void removeIfEmpty(PosixPath directory) throws ErrnoException {
    PosixPath parent = directory.parent();
    try (Handle handle = parent.isEmpty() ? root.openDirectory("") : open(parent)) {
      calls.removeDirectory(handle.fd(), directory.fileName());
    } catch (ErrnoException e) {
      switch (e.errno()) {
        case ENOENT, ENOTDIR, ELOOP, ENOTEMPTY, EEXIST -> {}
        default -> throw e;
      }
    }
  }

  private Handle open(PosixPath directory) throws ErrnoException {
    return root.open(directory, Set.of(OpenFlag.DIRECTORY), 0);
  }
}
