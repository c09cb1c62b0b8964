package dev.tailwater.io.watch;

import dev.tailwater.io.mount.FileSystemKind;
import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Assigns each directory to a source of events or to polling. */
final class WatchAssigner {
  private final FileCalls calls;
  private final Notification notification;
  private final WatchTree tree;

  /** For the current pass. */
  private final Map<Long, FileSystemKind> kindsByDevice = new HashMap<>();

  private final Degradation degradation = new Degradation();

  WatchAssigner(FileCalls calls, Notification notification, WatchTree tree) {
    this.calls = calls;
    this.notification = notification;
    this.tree = tree;
  }

  /** Watches or polls a directory; called before its listing, so that no change is missed. */
  void ensure(DirectoryNode node, int fd) throws ErrnoException {
    if (!notification.mayNeedWork(node)) {
      tune(node, fd);
      return;
    }
    if (!notification.isEnabled() || kind(node, fd).inotifyBlind()) {
      poll(node);
      return;
    }
    try {
      pollInstead(notification.watch(node, fd));
      tree.endPolling(node);
      degradation.remove(node);
    } catch (ErrnoException e) {
      if (node.source == null) {
        poll(node);
        if (!node.isOnlyAwaitedIn()) {
          degradation.add(node, e);
        }
      }
    }
  }

  /**
   * Polls a directory, unless only directories are awaited in it: it may have any number of names,
   * and the looks at the roots find the one that counts.
   */
  private void poll(DirectoryNode node) {
    if (node.isOnlyAwaitedIn()) {
      tree.endPolling(node);
    } else {
      tree.poll(node);
    }
  }

  /** Turns the events for writes on or off, as the node wants now. */
  void tune(DirectoryNode node, int fd) throws ErrnoException {
    pollInstead(notification.tune(node, fd));
  }

  /** Polls a node that lost its watch because another node has the same inode. */
  private void pollInstead(@Nullable DirectoryNode other) {
    if (other != null) {
      poll(other);
    }
  }

  /** Forgets the kinds of file systems, since a device number may be reused between passes. */
  void beginPass() {
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

  /** Returns the changes since the last call. */
  List<WatchChange> take() {
    return degradation.take();
  }
}
