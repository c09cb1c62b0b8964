package dev.tailwater.io.watch;

import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A portion of the entries of one directory: those that must be looked at. Takes no more memory
 * than the budget of names allows; entries without room are only counted.
 */
final class Listing implements Consumer<DirectoryEntry> {
  private final WatchContext context;
  private final DirectoryNode node;
  private final NameBudget names;
  private final List<DirectoryEntry> entries = new ArrayList<>();
  private final List<PosixPath> links = new ArrayList<>();
  private int leftOut;
  private int passedOver;

  Listing(WatchContext context, DirectoryNode node) {
    this.context = context;
    this.node = node;
    this.names = context.tree().names();
  }

  @Override
  public void accept(DirectoryEntry entry) {
    PosixPath name = entry.name();
    if (node.files.contains(name) || node.directories.containsKey(name)) {
      entries.add(entry);
    } else if (interesting(name, entry.type())) {
      if (names.admit(node, name, entry.type())) {
        entries.add(entry);
      } else {
        leftOut++;
        passedOver++;
      }
    } else {
      passedOver++;
      if (entry.type() == EntryType.SYMBOLIC_LINK && !node.restricted) {
        links.add(name);
      }
    }
  }

  private boolean interesting(PosixPath name, EntryType type) {
    return switch (type) {
      case REGULAR -> context.wantsFile(node, name);
      case DIRECTORY -> context.wantsDirectory(node, name);
      case SYMBOLIC_LINK -> context.follows(node, name);
      case UNKNOWN -> true;
      case FIFO, SOCKET, CHARACTER_DEVICE, BLOCK_DEVICE -> false;
    };
  }

  /** Returns the entries to look at, in the order of the directory. */
  List<DirectoryEntry> entries() {
    return entries;
  }

  /** Returns the symbolic links that are not followed. */
  List<PosixPath> links() {
    return links;
  }

  /** Returns the number of entries without room. */
  int leftOut() {
    return leftOut;
  }

  /** Returns the number of entries that need not be looked at. */
  int passedOver() {
    return passedOver;
  }
}
