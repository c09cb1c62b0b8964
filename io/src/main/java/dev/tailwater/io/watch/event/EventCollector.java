package dev.tailwater.io.watch.event;

import static dev.tailwater.io.watch.event.EventMask.ATTRIBUTES;
import static dev.tailwater.io.watch.event.EventMask.CLOSE_WRITE;
import static dev.tailwater.io.watch.event.EventMask.CREATE;
import static dev.tailwater.io.watch.event.EventMask.DELETE;
import static dev.tailwater.io.watch.event.EventMask.DELETE_SELF;
import static dev.tailwater.io.watch.event.EventMask.IS_DIRECTORY;
import static dev.tailwater.io.watch.event.EventMask.MODIFY;
import static dev.tailwater.io.watch.event.EventMask.MOVED_FROM;
import static dev.tailwater.io.watch.event.EventMask.MOVED_TO;
import static dev.tailwater.io.watch.event.EventMask.MOVE_SELF;
import static dev.tailwater.io.watch.event.EventMask.UNMOUNT;

import dev.tailwater.posix.PosixPath;

/** Collects the events of all sources as names to look at. An event says only where to look. */
public final class EventCollector {
  private static final int SELF = DELETE_SELF | MOVE_SELF | UNMOUNT;

  private final HotDirectories hot;
  private DirtyNames dirty = new DirtyNames();
  private long overflows;
  private long coalesced;

  public EventCollector(HotDirectories hot) {
    this.hot = hot;
  }

  /**
   * Adds an event in a directory or about it.
   *
   * @param mask bits of {@link EventMask}; several when the kernel has merged events
   * @param name empty if the event is about the directory itself
   */
  void event(DirectoryNode node, int mask, PosixPath name) {
    if ((mask & SELF) != 0) {
      dirty.self(node, (mask & MOVE_SELF) != 0);
    }
    if (!name.isEmpty() && !node.isPassedOver(name)) {
      if ((mask & (MODIFY | CLOSE_WRITE)) != 0) {
        hot.wrote(node);
      }
      if (!dirty.name(node, name, flags(mask))) {
        coalesced++;
      } else if (dirty.isTooMany()) {
        forgetNames();
      }
    } else if (name.isEmpty() && (mask & ATTRIBUTES) != 0) {
      // Its permissions may have changed.
      dirty.directories.add(node);
    }
  }

  private static int flags(int mask) {
    int flags = (mask & MODIFY) != 0 ? DirtyNames.MODIFIED : 0;
    if ((mask & ~(MODIFY | IS_DIRECTORY)) != 0) {
      flags |= DirtyNames.CHECK;
    }
    if ((mask & CLOSE_WRITE) != 0) {
      flags |= DirtyNames.CLOSED;
    }
    if ((mask & DELETE) != 0) {
      flags |= DirtyNames.DELETED;
    }
    if ((mask & CREATE) != 0) {
      flags |= DirtyNames.CREATED;
    }
    if ((mask & (MOVED_FROM | MOVED_TO)) != 0) {
      flags |= DirtyNames.MOVED;
    }
    return (mask & IS_DIRECTORY) != 0 ? flags | DirtyNames.DIRECTORY : flags;
  }

  /** Records that a source no longer watches the directory, which is gone or unmounted. */
  void dropped(DirectoryNode node) {
    dirty.directories.add(node);
    dirty.self(node, false);
  }

  /** Drops all names and asks for a scan, so that a flood of names cannot fill the memory. */
  private void forgetNames() {
    dirty = new DirtyNames();
    overflow();
  }

  /** Records that events were lost. */
  void overflow() {
    overflows++;
    dirty.everything = true;
  }

  public boolean isEmpty() {
    return dirty.isEmpty();
  }

  /** Returns everything collected since the last call. */
  public DirtyNames take() {
    DirtyNames taken = dirty;
    dirty = new DirtyNames();
    return taken;
  }

  public long overflows() {
    return overflows;
  }

  /** Returns the number of events about a name that was already in the collection. */
  public long coalesced() {
    return coalesced;
  }
}
