package dev.tailwater.io.watch.event;

import dev.tailwater.io.watch.NameBudget;
import dev.tailwater.posix.PosixPath;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A known directory: its place, its watch, and what is known to be in it. */
public final class DirectoryNode {
  public final InodeKey key;

  /** Whether the last component of the path may be a symbolic link. */
  public boolean throughLink;

  public final Map<PosixPath, FileEntry> files = new HashMap<>();
  public final Map<PosixPath, DirectoryNode> directories = new HashMap<>();

  /** Files that are roots themselves: always wanted. */
  public final Set<PosixPath> explicitNames = new HashSet<>();

  /** Names that were made, and gone when they were looked at; nobody has said yet what became. */
  public final Set<PosixPath> vanishedNames = new HashSet<>();

  /** Whether only the explicit names are looked at. */
  public boolean restricted;

  /** Null for a root, and for the parent of a root that is a file. */
  public @Nullable DirectoryNode parent;

  public PosixPath name;
  public PosixPath path;

  /** Who tells what happens in it; null when it is polled. */
  public @Nullable EventSource source;

  /** Whether its files are written so often that they are polled; see {@link HotDirectories}. */
  public boolean filesPolled;

  /** Whether the source tells nothing of writing, as is right while the files are polled. */
  public boolean writesSilent;

  /** Writes that were told of since {@link HotDirectories} last asked. */
  int writes;

  /** Files that a look found written since then. */
  public int filesFoundWritten;

  /** No longer where it was; a pass decides at its end whether it was moved or is gone. */
  public boolean lost;

  /** What it takes of the {@link NameBudget}, without what is in it. */
  public long costBytes;

  /** The last passes that looked at it and that met it in its parent; 0 for none. */
  public long scannedInPass;

  public long seenInPass;

  public DirectoryNode(
      InodeKey key,
      @Nullable DirectoryNode parent,
      PosixPath name,
      PosixPath path,
      boolean throughLink) {
    this.key = key;
    this.parent = parent;
    this.name = name;
    this.path = path;
    this.throughLink = throughLink;
  }

  /** The directory above it that has no parent, or itself. */
  public DirectoryNode root() {
    DirectoryNode node = this;
    while (node.parent != null) {
      node = node.parent;
    }
    return node;
  }

  /** Whether a directory that it is known to be in is not where it was. */
  public boolean isBelowLost() {
    for (DirectoryNode node = parent; node != null; node = node.parent) {
      if (node.lost) {
        return true;
      }
    }
    return false;
  }

  public boolean isBelow(DirectoryNode other) {
    for (DirectoryNode node = this; node != null; node = node.parent) {
      if (node == other) {
        return true;
      }
    }
    return false;
  }
}
