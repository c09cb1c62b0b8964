package dev.tailwater.io.watch;

import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What is to be looked at of one directory's entries. Takes no more memory than there is room for
 * names, however many entries come; for those that find none it only counts.
 */
final class Listing implements Consumer<DirectoryEntry> {
  private final WatchContext context;
  private final DirectoryNode node;
  private final NameBudget names;
  private final List<DirectoryEntry> entries = new ArrayList<>();
  private long leftOut;

  Listing(WatchContext context, DirectoryNode node) {
    this.context = context;
    this.node = node;
    this.names = context.tree().names();
  }

  @Override
  public void accept(DirectoryEntry entry) {
    PosixPath name = entry.name();
    if (node.files.containsKey(name) || node.directories.containsKey(name)) {
      entries.add(entry);
    } else if (interesting(name, entry.type())) {
      if (names.admit(node, name, entry.type())) {
        entries.add(entry);
      } else {
        leftOut++;
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

  /** What is to be looked at, in the order of the directory. */
  List<DirectoryEntry> entries() {
    return entries;
  }

  /** For how many there was no room. */
  long leftOut() {
    return leftOut;
  }
}
