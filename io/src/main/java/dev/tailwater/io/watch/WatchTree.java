package dev.tailwater.io.watch;

import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.io.watch.event.InodeKey;
import dev.tailwater.io.watch.name.KnownFile;
import dev.tailwater.io.watch.name.KnownFiles;
import dev.tailwater.io.watch.result.FileTree;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The known directories, by inode. An inode is in the tree only once, however many names it has:
 * the kernel also keeps one watch per inode, and links cannot make a loop.
 */
final class WatchTree implements FileTree {
  private final Map<InodeKey, DirectoryNode> byKey = new HashMap<>();
  private final Set<DirectoryNode> polled = new LinkedHashSet<>();

  private final Set<LinkedFile> linkedFiles = new LinkedHashSet<>();
  private final NameBudget names;
  private int fileCount;
  private long linksForFiles;
  private long linksForDirectories;
  private long scans;

  /** A link to a file, whose changes the kernel does not report. */
  record LinkedFile(DirectoryNode node, PosixPath name) {
    boolean isStill() {
      return !node.lost && node.files.find(name).filter(KnownFile::throughLink).isPresent();
    }
  }

  WatchTree(NameBudget names) {
    this.names = names;
  }

  /** Returns the budget of names. */
  NameBudget names() {
    return names;
  }

  void add(DirectoryNode node) {
    byKey.put(node.key, node);
    names.added(node);
  }

  @Nullable DirectoryNode byKey(InodeKey key) {
    return byKey.get(key);
  }

  boolean contains(DirectoryNode node) {
    return byKey.get(node.key) == node;
  }

  /** Ends polling the directory: its changes are reported, or found in another way. */
  void endPolling(DirectoryNode node) {
    polled.remove(node);
  }

  void poll(DirectoryNode node) {
    polled.add(node);
  }

  /** Returns whether the changes of a directory are found, by a source or by polling. */
  boolean isFollowed(DirectoryNode node) {
    return node.source != null || polled.contains(node);
  }

  void remove(DirectoryNode node) {
    if (byKey.remove(node.key, node)) {
      names.removed(node);
      passedLinks(node, 0, 0);
    }
    polled.remove(node);
  }

  /** Returns a copy of the directories without a watch. */
  List<DirectoryNode> polled() {
    return new ArrayList<>(polled);
  }

  /** Returns a copy of the known links to files. */
  List<LinkedFile> linkedFiles() {
    linkedFiles.removeIf(file -> !file.isStill());
    return new ArrayList<>(linkedFiles);
  }

  boolean anythingToPoll() {
    return !polled.isEmpty() || !linkedFiles.isEmpty();
  }

  int polledCount() {
    return polled.size();
  }

  int directoryCount() {
    return byKey.size();
  }

  @Override
  public boolean addNewFile(DirectoryNode node, PosixPath name, KnownFile file) {
    boolean fits = names.hasRoomForFile(node, name);
    if (fits) {
      addFile(node, name, file);
    } else {
      names.leftOutAtLeast(node, 1);
    }
    return fits;
  }

  @Override
  public void addFile(DirectoryNode node, PosixPath name, KnownFile file) {
    node.files.put(name, file);
    fileCount++;
    names.addedFile(node, name);
    if (file.throughLink()) {
      linkedFiles.add(new LinkedFile(node, name)); // To be polled.
    }
  }

  /** Removes a file from its directory; returns what was known of it. */
  Optional<KnownFile> removeFile(DirectoryNode node, PosixPath name) {
    Optional<KnownFile> file = node.files.remove(name);
    if (file.isPresent()) {
      fileCount--;
      names.removedFile(node, name);
    }
    return file;
  }

  /** Takes all files out of a directory. */
  KnownFiles takeFiles(DirectoryNode node) {
    names.removedFiles(node);
    fileCount -= node.files.size();
    KnownFiles taken = node.files;
    node.files = new KnownFiles();
    return taken;
  }

  /** Records how many links a listing of the directory did not follow. */
  void passedLinks(DirectoryNode node, int forFiles, int forDirectories) {
    linksForFiles += forFiles - node.linksForFiles;
    linksForDirectories += forDirectories - node.linksForDirectories;
    node.linksForFiles = forFiles;
    node.linksForDirectories = forDirectories;
  }

  /** Returns the links that the last listings did not follow. */
  WatchStatistics.Links links() {
    return new WatchStatistics.Links(linksForFiles, linksForDirectories);
  }

  /** Returns a number for a scan of a directory, greater than all before. */
  long nextScan() {
    return ++scans;
  }

  int fileCount() {
    return fileCount;
  }
}
