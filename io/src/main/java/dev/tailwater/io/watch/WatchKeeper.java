package dev.tailwater.io.watch;

import dev.tailwater.io.mount.FileSystemKind;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Sees to it that each directory is either watched by the kernel or polled. */
final class WatchKeeper {
  private final FileCalls calls;
  private final EventQueue queue;
  private final WatchTree tree;
  private final Map<Long, FileSystemKind> kindsByDevice = new HashMap<>();
  private final Set<Integer> reportedErrnos = new HashSet<>();
  private final List<WatchChange> changes = new ArrayList<>();

  WatchKeeper(FileCalls calls, EventQueue queue, WatchTree tree) {
    this.calls = calls;
    this.queue = queue;
    this.tree = tree;
  }

  /** To be called before the directory is listed, so that nothing falls between. */
  void ensure(DirectoryNode node, int fd) throws ErrnoException {
    if (node.watchDescriptor != DirectoryNode.NO_WATCH) {
      return;
    }
    if (kind(node, fd).inotifyBlind()) {
      tree.poll(node);
      return;
    }
    try {
      int watch = queue.add(fd, node.path);
      DirectoryNode other = tree.byWatch(watch);
      if (other != null && other != node) {
        // The same inode seen with another key: the older node's events are the newer one's now.
        tree.unwatch(other);
        tree.poll(other);
      }
      tree.watch(node, watch);
    } catch (ErrnoException e) {
      tree.poll(node);
      if (reportedErrnos.add(e.errnoNumber())) {
        changes.add(new WatchChange.Degraded(node.path, e, hint(e)));
      }
    }
  }

  private FileSystemKind kind(DirectoryNode node, int fd) throws ErrnoException {
    FileSystemKind known = kindsByDevice.get(node.key.device());
    if (known != null) {
      return known;
    }
    FileSystemKind kind = FileSystemKind.of(calls, fd);
    kindsByDevice.put(node.key.device(), kind);
    return kind;
  }

  private static String hint(ErrnoException why) {
    if (why.errno() == Errno.ENOSPC) {
      return "the limit of inotify watches is reached, so further directories are polled;"
          + " raise it with: sysctl fs.inotify.max_user_watches=1048576";
    }
    if (why.errno() == Errno.EMFILE) {
      return "no inotify instance (or no descriptor) is left, so directories are polled; raise it"
          + " with: sysctl fs.inotify.max_user_instances=1024, or raise ulimit -n";
    }
    return "inotify does not work here, so directories are polled";
  }

  /** Forgets the node and its watch. */
  void release(DirectoryNode node) throws ErrnoException {
    int watch = node.watchDescriptor;
    tree.remove(node);
    if (watch != DirectoryNode.NO_WATCH) {
      node.watchDescriptor = DirectoryNode.NO_WATCH;
      queue.remove(watch);
    }
  }

  /** What is to be told since the last call. */
  List<WatchChange> take() {
    if (changes.isEmpty()) {
      return List.of();
    }
    List<WatchChange> taken = List.copyOf(changes);
    changes.clear();
    return taken;
  }
}
