package dev.tailwater.io.watch;

import static dev.tailwater.io.watch.EventParser.ATTRIBUTES;
import static dev.tailwater.io.watch.EventParser.DELETE;
import static dev.tailwater.io.watch.EventParser.DELETE_SELF;
import static dev.tailwater.io.watch.EventParser.IGNORED;
import static dev.tailwater.io.watch.EventParser.IS_DIRECTORY;
import static dev.tailwater.io.watch.EventParser.MODIFY;
import static dev.tailwater.io.watch.EventParser.MOVED_FROM;
import static dev.tailwater.io.watch.EventParser.MOVED_TO;
import static dev.tailwater.io.watch.EventParser.MOVE_SELF;
import static dev.tailwater.io.watch.EventParser.OVERFLOW;
import static dev.tailwater.io.watch.EventParser.UNMOUNT;

import dev.tailwater.posix.PosixPath;

/** Turns events into names to look at. Events say where to look; what is there says the look. */
final class EventCollector implements EventParser.Handler {
  private final WatchTree tree;
  private final MovePairing moves = new MovePairing();
  private DirtyNames dirty = new DirtyNames();
  private long overflows;

  EventCollector(WatchTree tree) {
    this.tree = tree;
  }

  @Override
  public void event(int watchDescriptor, int mask, int cookie, PosixPath name) {
    if ((mask & OVERFLOW) != 0) {
      overflows++;
      dirty.everything = true;
      return;
    }
    pair(mask, cookie);
    DirectoryNode node = tree.byWatch(watchDescriptor);
    if (node == null) {
      return;
    }
    if ((mask & IGNORED) != 0) {
      tree.unwatch(node);
      dirty.directories.add(node);
      dirty.self(node);
    } else if ((mask & (DELETE_SELF | MOVE_SELF | UNMOUNT)) != 0) {
      dirty.self(node);
    } else if (!name.isEmpty()) {
      dirty.name(node, name, flags(mask));
    } else if ((mask & ATTRIBUTES) != 0) {
      // Its permissions may have changed.
      dirty.directories.add(node);
    }
  }

  private void pair(int mask, int cookie) {
    if ((mask & MOVED_FROM) != 0) {
      moves.movedFrom(cookie);
    } else if ((mask & MOVED_TO) != 0) {
      moves.movedTo(cookie);
    }
  }

  private static int flags(int mask) {
    int flags = (mask & MODIFY) != 0 ? DirtyNames.MODIFIED : DirtyNames.CHECK;
    if ((mask & DELETE) != 0) {
      flags |= DirtyNames.DELETED;
    }
    if ((mask & (MOVED_FROM | MOVED_TO)) != 0) {
      flags |= DirtyNames.MOVED;
    }
    return (mask & IS_DIRECTORY) != 0 ? flags | DirtyNames.DIRECTORY : flags;
  }

  MovePairing moves() {
    return moves;
  }

  boolean isEmpty() {
    return dirty.isEmpty();
  }

  /** Everything collected since the last call. */
  DirtyNames take() {
    DirtyNames taken = dirty;
    dirty = new DirtyNames();
    moves.giveUp();
    return taken;
  }

  long overflows() {
    return overflows;
  }
}
