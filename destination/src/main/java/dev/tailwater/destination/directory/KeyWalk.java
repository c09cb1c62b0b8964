package dev.tailwater.destination.directory;

import dev.tailwater.destination.Entry;
import dev.tailwater.destination.ObjectKeys;
import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.StatFlag;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * An iterator over the objects in key order.
 *
 * <p>Holds in memory the names of the directories from the root to the current one, and keeps one
 * descriptor open, however deep that directory is. A directory sorts as its name followed by a
 * slash, since all keys in it start with that: {@code a.b} comes before {@code a/b}, which comes
 * before {@code a0}.
 */
final class KeyWalk implements AutoCloseable {
  /**
   * The directory in which ext file systems keep what fsck finds; unreadable, and no legal agent
   * name.
   */
  private static final String LOST_AND_FOUND = "lost+found/";

  private final FileCalls calls;
  private final Handle root;
  private final Optional<String> afterKey;
  private final Deque<Level> levels = new ArrayDeque<>();
  private Optional<OpenLevel> current = Optional.empty();

  /** One directory: its path followed by a slash, and its names that remain to be visited. */
  private record Level(String path, Iterator<String> names) {}

  private record OpenLevel(String path, Handle handle) {}

  KeyWalk(FileCalls calls, Handle root, Optional<String> afterKey) {
    this.calls = calls;
    this.root = root;
    this.afterKey = afterKey;
  }

  /** Moves to the first key with the prefix; called once, first. */
  void start(String prefix) throws ErrnoException {
    int directoryEnd = prefix.lastIndexOf('/') + 1;
    String directory = prefix.substring(0, directoryEnd);
    if (directory.isEmpty()
        || ObjectKeys.problem(directory.substring(0, directoryEnd - 1)).isEmpty()) {
      descend(directory, prefix.substring(directoryEnd));
    }
  }

  /** Returns the next object; empty at the end. */
  Optional<Entry> next() throws ErrnoException {
    while (!levels.isEmpty()) {
      Level level = levels.element();
      if (!level.names.hasNext()) {
        levels.remove();
        continue;
      }
      String name = level.names.next();
      String key = level.path + name;
      if (name.endsWith("/")) {
        if (mayHoldLater(key)) {
          descend(key, "");
        }
      } else if (isLater(key)) {
        Optional<Entry> entry = entry(level.path, name);
        if (entry.isPresent()) {
          return entry;
        }
      }
    }
    return Optional.empty();
  }

  private boolean isLater(String key) {
    return afterKey.isEmpty() || ObjectKeys.ORDER.compare(key, afterKey.get()) > 0;
  }

  private boolean mayHoldLater(String directory) {
    return isLater(directory) || afterKey.orElseThrow().startsWith(directory);
  }

  private void descend(String path, String namePrefix) throws ErrnoException {
    Optional<Handle> handle = enter(path);
    if (handle.isEmpty()) {
      return;
    }
    List<String> names = new ArrayList<>();
    for (DirectoryEntry entry : calls.entries(handle.get().fd())) {
      Optional<String> name = name(handle.get(), path, entry);
      if (name.isPresent() && name.get().startsWith(namePrefix)) {
        names.add(name.get());
      }
    }
    names.sort(Comparator.comparing(name -> name, ObjectKeys.ORDER));
    levels.push(new Level(path, names.iterator()));
  }

  /**
   * Returns the name as UTF-8, followed by a slash for a directory; empty for an entry that is not
   * an object or directory of an archive.
   */
  private Optional<String> name(Handle directory, String path, DirectoryEntry entry)
      throws ErrnoException {
    String text;
    try {
      text =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(entry.name().toBytes()))
              .toString();
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
    if (ObjectKeys.problem(path + text).isPresent()) {
      return Optional.empty();
    }
    EntryType type = entry.type();
    if (type == EntryType.UNKNOWN) {
      type = status(directory, entry.name()).map(FileStatus::type).orElse(type);
    }
    return switch (type) {
      case REGULAR -> SillyNames.contain(text) ? Optional.empty() : Optional.of(text);
      case DIRECTORY -> Optional.of(text + "/").filter(d -> !(path + d).equals(LOST_AND_FOUND));
      default -> Optional.empty();
    };
  }

  private Optional<Entry> entry(String path, String name) throws ErrnoException {
    Optional<Handle> directory = enter(path);
    if (directory.isEmpty()) {
      return Optional.empty();
    }
    return status(directory.get(), PosixPath.of(name))
        .filter(status -> status.type() == EntryType.REGULAR)
        .map(status -> new Entry(path + name, status.sizeBytes(), modifiedMillis(status)));
  }

  private static long modifiedMillis(FileStatus status) {
    return Math.floorDiv(status.modificationTimeNanos(), TimeUnit.MILLISECONDS.toNanos(1));
  }

  private Optional<FileStatus> status(Handle directory, PosixPath name) throws ErrnoException {
    try {
      return Optional.of(calls.statx(directory.fd(), name, Set.of(StatFlag.NO_FOLLOW)));
    } catch (ErrnoException e) {
      if (e.errno() == Errno.ENOENT) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Makes this the one open directory; returns empty if it does not exist (any more). */
  private Optional<Handle> enter(String path) throws ErrnoException {
    if (current.isPresent() && current.get().path.equals(path)) {
      return Optional.of(current.get().handle);
    }
    close();
    try {
      Handle handle =
          root.openDirectory(path.isEmpty() ? "" : path.substring(0, path.length() - 1));
      current = Optional.of(new OpenLevel(path, handle));
      return Optional.of(handle);
    } catch (ErrnoException e) {
      return switch (e.errno()) {
        // Of a name that the file system never takes, there is nothing either.
        case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG -> Optional.empty();
        default -> throw e;
      };
    }
  }

  @Override
  public void close() throws ErrnoException {
    if (current.isPresent()) {
      Handle handle = current.get().handle;
      current = Optional.empty();
      handle.close();
    }
  }
}
