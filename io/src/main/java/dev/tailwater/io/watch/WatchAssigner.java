package dev.tailwater.io.watch;

import dev.tailwater.io.mount.FileSystemKind;
import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sees to it that each directory is either told of by the kernel or polled. */
final class WatchKeeper {
  private final FileCalls calls;
  private final Notification notification;
  private final WatchTree tree;

  /** Of one pass. */
  private final Map<Long, FileSystemKind> kindsByDevice = new HashMap<>();

  private final Degradation degradation = new Degradation();

  WatchKeeper(FileCalls calls, Notification notification, WatchTree tree) {
    this.calls = calls;
    this.notification = notification;
    this.tree = tree;
  }

  /** To be called before the directory is listed, so that nothing falls between. */
  void ensure(DirectoryNode node, int fd) throws ErrnoException {
    if (!notification.concerns(node)) {
      tune(node, fd);
      return;
    }
    if (!notification.isWanted() || kind(node, fd).inotifyBlind()) {
      tree.poll(node);
      return;
    }
    try {
      pollInstead(notification.watch(node, fd));
      tree.watched(node);
      degradation.remove(node);
    } catch (ErrnoException e) {
      if (node.source == null) {
        tree.poll(node);
        degradation.add(node, e);
      }
    }
  }

  /** Lets the kernel tell of writing, or not, as is wanted by now. */
  void tune(DirectoryNode node, int fd) throws ErrnoException {
    pollInstead(notification.tune(node, fd));
  }

  /** The same inode seen with another key: the older node's events are the newer one's now. */
  private void pollInstead(@Nullable DirectoryNode other) {
    if (other != null) {
      tree.poll(other);
    }
  }

  /** A device number may be another file system's by now, and nobody tells. */
  void passBegins() {
    kindsByDevice.clear();
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

  /** Forgets the node and its watch. */
  void release(DirectoryNode node) throws ErrnoException {
    tree.remove(node);
    degradation.remove(node);
    notification.release(node);
  }

  /** What is to be told since the last call. */
  List<WatchChange> take() {
    return degradation.take();
  }
}
