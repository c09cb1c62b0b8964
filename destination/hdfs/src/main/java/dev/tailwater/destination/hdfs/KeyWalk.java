package dev.tailwater.destination.hdfs;

import dev.tailwater.destination.Entry;
import dev.tailwater.destination.ObjectKeys;
import java.io.IOException;
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
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.jspecify.annotations.Nullable;

/**
 * An iterator over the objects in key order.
 *
 * <p>A NameNode lists a directory by the <em>signed</em> bytes of the names, and without the
 * content of its subdirectories. So this class reads each directory completely, with a call for
 * every 1000 entries ({@code dfs.ls.limit}), and sorts it here. It holds in memory the entries of
 * the directories from the root to the current one. A directory sorts as its name followed by a
 * slash, since all keys in it start with that: {@code a.b} comes before {@code a/b}, which comes
 * before {@code a0}.
 */
final class KeyWalk {
  private final DFSClient client;
  private final String root;
  private final Optional<String> afterKey;
  private final Deque<Level> levels = new ArrayDeque<>();

  /** One directory: its key followed by a slash, and its entries that remain to be visited. */
  private record Level(String path, Iterator<Child> children) {}

  /**
   * @param name a component of a key, followed by a slash for a directory
   */
  private record Child(String name, long sizeBytes, long modifiedMillis) {
    boolean isDirectory() {
      return name.endsWith("/");
    }
  }

  /**
   * @param root as in {@link HdfsPlace}
   */
  KeyWalk(DFSClient client, String root, Optional<String> afterKey) {
    this.client = client;
    this.root = root.equals("/") ? "" : root;
    this.afterKey = afterKey;
  }

  /**
   * Moves to the first key with the prefix; called once, first.
   *
   * @return whether the directory of the prefix exists
   */
  boolean start(String prefix) throws IOException {
    int directoryEnd = prefix.lastIndexOf('/') + 1;
    String directory = prefix.substring(0, directoryEnd);
    if (!directory.isEmpty()
        && ObjectKeys.problem(directory.substring(0, directoryEnd - 1)).isPresent()) {
      return true;
    }
    return descend(directory, prefix.substring(directoryEnd));
  }

  /** Returns the next object; empty at the end. */
  Optional<Entry> next() throws IOException {
    while (!levels.isEmpty()) {
      Level level = levels.element();
      if (!level.children.hasNext()) {
        levels.remove();
        continue;
      }
      Child child = level.children.next();
      String key = level.path + child.name;
      if (child.isDirectory()) {
        descend(key, "");
      } else {
        return Optional.of(new Entry(key, child.sizeBytes, child.modifiedMillis));
      }
    }
    return Optional.empty();
  }

  private boolean isWanted(String path, Child child) {
    String key = path + child.name;
    return afterKey.isEmpty()
        || ObjectKeys.ORDER.compare(key, afterKey.get()) > 0
        || (child.isDirectory() && afterKey.get().startsWith(key));
  }

  private boolean descend(String path, String namePrefix) throws IOException {
    String directory =
        path.isEmpty()
            ? (root.isEmpty() ? "/" : root)
            : root + "/" + PathNames.ofKey(path.substring(0, path.length() - 1));
    @Nullable DirectoryListing page = firstPage(directory);
    if (page == null) {
      return false;
    }
    List<Child> children = new ArrayList<>();
    while (page != null) {
      for (HdfsFileStatus status : page.getPartialListing()) {
        Optional<Child> child = child(path, status);
        if (child.isPresent()
            && child.get().name.startsWith(namePrefix)
            && isWanted(path, child.get())) {
          children.add(child.get());
        }
      }
      page = page.hasMore() ? client.listPaths(directory, page.getLastName()) : null;
    }
    children.sort(Comparator.comparing(Child::name, ObjectKeys.ORDER));
    levels.push(new Level(path, children.iterator()));
    return true;
  }

  /** Returns the first page; null if the directory does not exist. */
  private @Nullable DirectoryListing firstPage(String directory) throws IOException {
    try {
      return client.listPaths(directory, HdfsFileStatus.EMPTY_NAME);
    } catch (IOException e) {
      if (Failures.isThroughAFile(e)) {
        return null;
      }
      throw e;
    }
  }

  /** Returns the child; empty for an entry that is not an object or directory of an archive. */
  private static Optional<Child> child(String path, HdfsFileStatus status) {
    String name;
    try {
      name =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(status.getLocalNameInBytes()))
              .toString();
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
    String component = PathNames.toComponent(name);
    if (status.isSymlink()
        || !PathNames.ofComponent(component).equals(name)
        || ObjectKeys.problem(path + component).isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        new Child(
            status.isDirectory() ? component + "/" : component,
            status.getLen(),
            status.getModificationTime()));
  }
}
