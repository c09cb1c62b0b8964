package dev.tailwater.io.watch.event;

import dev.tailwater.io.watch.name.KnownFiles;
import dev.tailwater.posix.PosixPath;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A known directory: its place, its watch, and its known entries. */
public final class DirectoryNode {
  public final InodeKey key;

  /** Whose it is, that is, who can make names in it, when it was first seen. */
  public final long ownerId;

  /** Whether the last component of the path may be a symbolic link. */
  public boolean throughLink;

  public KnownFiles files = new KnownFiles();
  public final Map<PosixPath, DirectoryNode> directories = new HashMap<>();

  /** Files that are roots themselves: always wanted. Another thread may ask for one of them. */
  public final Set<PosixPath> explicitNames = ConcurrentHashMap.newKeySet(1);

  /** Whether a name is one of {@link #explicitNames} at the moment; for any thread. */
  public final Predicate<PosixPath> isExplicit = explicitNames::contains;

  /** Directories that do not exist yet, and lead to roots: only looked for, and not wanted. */
  public final Set<PosixPath> awaitedNames = new HashSet<>();

  /**
   * Names that were created and then absent, until an event says whether they were deleted; and
   * whether something was written there.
   */
  public final Map<PosixPath, Boolean> vanishedNames = new HashMap<>();

  /** Whether only the explicit names are looked at, and the awaited ones. */
  public boolean restricted;

  /** Null for a root, and for the parent of a root that is a file. */
  public @Nullable DirectoryNode parent;

  public PosixPath name;
  public PosixPath path;

  /** The path under which its files were reported last. */
  public PosixPath reportedPath;

  /** The source that reports its changes; null if it is polled. */
  public @Nullable EventSource source;

  /** Its watch for names that appear, of {@code EarlyNames}; empty without one. */
  public OptionalInt namesWatch = OptionalInt.empty();

  /** Whether its files are written so often that they are polled; see {@link HotDirectories}. */
  public boolean filesPolled;

  /** Whether the source reports no writes, as is right while the files are polled. */
  public boolean writeEventsOff;

  /** Whether the source reports only names that come, as is right while only such are awaited. */
  public boolean onlyComingNames;

  /** Write events since {@link HotDirectories} last looked. */
  int writes;

  /** Files that looks found written since then. */
  public int filesFoundWritten;

  /**
   * Whether it is not where it was; the end of the pass decides whether it was moved or is gone.
   */
  public boolean lost;

  /** Its share of the memory for names, without its entries. */
  public long costBytes;

  /** The length of its path when its share was taken. */
  public int costedPathBytes;

  /** The number of the last pass that scanned it with all below it; 0 for none. */
  public long scannedInPass;

  /** The number of the last scan of it, and of the last scan of its parent that met it. */
  public long scan;

  public long seenInScan;

  /** The scan in or since which it was reported in the place of names; negative for none. */
  public long reportedForNamesInScan = -1;

  /** The number of the last search ahead of the listing that has listed it; 0 for none. */
  public long aheadRound;

  /** Symbolic links in it that the last listing passed over, and whose names files may have. */
  public int linksForFiles;

  /** The same of names that only directories may have. */
  public int linksForDirectories;

  public DirectoryNode(
      InodeKey key,
      long ownerId,
      @Nullable DirectoryNode parent,
      PosixPath name,
      PosixPath path,
      boolean throughLink) {
    this.key = key;
    this.ownerId = ownerId;
    this.parent = parent;
    this.name = name;
    this.path = path;
    this.reportedPath = path;
    this.throughLink = throughLink;
  }

  /** Returns whether only directories are awaited in it, and no file is watched. */
  public boolean isOnlyAwaitedIn() {
    return restricted && explicitNames.isEmpty();
  }

  /** Returns whether events of a name say nothing that anybody wants to know. */
  boolean isPassedOver(PosixPath name) {
    return restricted && !explicitNames.contains(name) && !awaitedNames.contains(name);
  }

  /** Returns the topmost directory above it, or itself. */
  public DirectoryNode root() {
    DirectoryNode node = this;
    while (node.parent != null) {
      node = node.parent;
    }
    return node;
  }

  /** Returns whether a directory above it is not where it was. */
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
