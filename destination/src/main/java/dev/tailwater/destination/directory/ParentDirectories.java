package dev.tailwater.destination.directory;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The directories of objects, which this class opens and creates. It remembers which of them
 * survive a power loss. These are the ones whose names this process has synced up to the root; a
 * directory that another process has just created may not be durable yet. Thread-safe.
 */
final class ParentDirectories {
  /**
   * The limit of known directories, after which all are forgotten and synced again; about two
   * megabytes at usual lengths.
   */
  private static final int MAX_KNOWN = 8192;

  private final FileCalls calls;

  /** Inode numbers by path, since a directory that was removed and created again is another one. */
  private final ConcurrentHashMap<String, Long> durable = new ConcurrentHashMap<>();

  ParentDirectories(FileCalls calls) {
    this.calls = calls;
  }

  /** Returns the path of the directory of an object, relative to the root. */
  static String pathOf(String key) {
    return key.substring(0, Math.max(0, key.lastIndexOf('/')));
  }

  /**
   * Opens a directory and makes its name durable, creating what is missing.
   *
   * <p>This makes two system calls, openat2 and fstat, if the directory is known; otherwise about
   * five for each component.
   *
   * @param path relative to the root; empty for the root itself
   */
  Handle openDurable(Handle root, String path) throws ErrnoException {
    if (path.isEmpty()) {
      return root.openDirectory("");
    }
    return durable.containsKey(path) ? openKnown(root, path) : walk(root, path);
  }

  private Handle openKnown(Handle root, String path) throws ErrnoException {
    Handle known;
    try {
      known = root.openDirectory(path);
    } catch (ErrnoException e) {
      if (e.errno() != Errno.ENOENT) {
        throw e;
      }
      return walk(root, path);
    }
    try {
      if (isDurable(path, known)) {
        return known;
      }
    } catch (ErrnoException e) {
      known.close();
      throw e;
    }
    known.close();
    return walk(root, path);
  }

  private boolean isDurable(String path, Handle directory) throws ErrnoException {
    return Objects.equals(durable.get(path), calls.fstat(directory.fd()).inode());
  }

  private Handle walk(Handle root, String path) throws ErrnoException {
    Handle current = root.openDirectory("");
    int start = 0;
    while (start <= path.length()) {
      int slash = path.indexOf('/', start);
      int end = slash < 0 ? path.length() : slash;
      Handle child;
      try {
        child = step(current, path.substring(start, end), path.substring(0, end));
      } catch (ErrnoException e) {
        current.close();
        throw e;
      }
      current = current.exchangeFor(child);
      start = end + 1;
    }
    return current;
  }

  private Handle step(Handle parent, String name, String path) throws ErrnoException {
    Handle child = openOrCreate(parent, name);
    try {
      if (!isDurable(path, child)) {
        calls.fsync(parent.fd());
        if (durable.size() >= MAX_KNOWN) {
          durable.clear();
        }
        durable.put(path, calls.fstat(child.fd()).inode());
      }
      return child;
    } catch (ErrnoException e) {
      child.close();
      throw e;
    }
  }

  private Handle openOrCreate(Handle parent, String name) throws ErrnoException {
    try {
      return parent.openDirectory(name);
    } catch (ErrnoException e) {
      if (e.errno() != Errno.ENOENT) {
        throw e;
      }
    }
    try {
      calls.makeDirectory(parent.fd(), PosixPath.of(name), ArchiveRoot.DIRECTORY_MODE);
    } catch (ErrnoException e) {
      if (e.errno() != Errno.EEXIST) {
        throw e;
      }
    }
    return parent.openDirectory(name);
  }
}
