package dev.tailwater.io.watch;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A listing of one directory that is compared with what is known of it. It goes on between other
 * work, some hundred names at a time; what happens to a name in between, its events report.
 */
final class DirectoryScan implements AutoCloseable {
  /** What one step has led to. */
  enum Outcome {
    MORE_TO_DO,
    COMPLETE,

    /** Another directory has the path now, or none, or one that is left out. */
    ELSEWHERE
  }

  private enum Phase {
    BEGIN,
    LIST,
    CHECK_UNSEEN
  }

  private final WatchContext context;
  private final PassWork work;
  private final EntryCheck names;
  private final DirectoryNode node;
  private final boolean deep;
  private final Descriptor directory;
  private final PosixPath path;
  private final long number;

  /** Names that an earlier look of this pass found, and that may have gone before the watch. */
  private final Set<PosixPath> fresh;

  private Phase phase = Phase.BEGIN;
  private long leftOut;
  private int linksForFiles;
  private int linksForDirectories;
  private PosixPath lastChecked = PosixPath.EMPTY;

  /**
   * Creates a scan, which replaces an earlier one of the same directory.
   *
   * @param deep whether known directories below are scanned too; new ones always are
   * @param directory the open directory, which the scan closes
   */
  DirectoryScan(
      WatchContext context,
      PassWork work,
      EntryCheck names,
      DirectoryNode node,
      boolean deep,
      Descriptor directory) {
    this.context = context;
    this.work = work;
    this.names = names;
    this.node = node;
    this.deep = deep;
    this.directory = directory;
    this.path = node.path;
    this.number = context.tree().nextScan();
    this.fresh = new LinkedHashSet<>(work.results().freshIn(node));
    node.scan = number;
    node.files.clearMarks();
  }

  DirectoryNode node() {
    return node;
  }

  boolean isDeep() {
    return deep;
  }

  /** Returns whether it still makes sense: the directory is where it was, and not scanned anew. */
  boolean isValid() {
    return !node.lost
        && context.tree().contains(node)
        && node.scan == number
        && node.path.equals(path);
  }

  /** Does the next step. */
  Outcome proceed() throws ErrnoException {
    return switch (phase) {
      case BEGIN -> begin();
      case LIST -> list();
      case CHECK_UNSEEN -> checkUnseen();
    };
  }

  private Outcome begin() throws ErrnoException {
    FileStatus status = context.calls().fstat(directory.fd());
    if (!node.key.isOf(status) || context.isLeftOut(status)) {
      return Outcome.ELSEWHERE;
    }
    context.watches().ensure(node, directory.fd());
    if (node.restricted) {
      List.copyOf(node.explicitNames).forEach(this::look);
      return Outcome.COMPLETE;
    }
    phase = Phase.LIST;
    return list();
  }

  private Outcome list() throws ErrnoException {
    Listing listing = new Listing(context, node);
    boolean more = context.calls().nextEntries(directory.fd(), listing);
    work.portion().count(listing.passedOver());
    leftOut += listing.leftOut();
    listing.links().forEach(this::passOver);
    listing.entries().forEach(this::meet);
    if (more) {
      context.tree().names().leftOutAtLeast(node, leftOut);
      return Outcome.MORE_TO_DO;
    }
    context.tree().names().leftOut(node, leftOut);
    context.tree().passedLinks(node, linksForFiles, linksForDirectories);
    phase = Phase.CHECK_UNSEEN;
    return checkUnseen();
  }

  private void meet(DirectoryEntry entry) {
    PosixPath name = entry.name();
    fresh.remove(name);
    if (!node.files.mark(name)) {
      DirectoryNode child = node.directories.get(name);
      if (child != null) {
        child.seenInScan = number;
        boolean mayBeDirectory =
            entry.type() == EntryType.DIRECTORY || entry.type() == EntryType.UNKNOWN;
        if (deep && mayBeDirectory) {
          work.scanDeep(child);
          return;
        }
      }
    }
    if (look(name)) {
      passOver(name);
    }
  }

  private void passOver(PosixPath link) {
    if (context.wantsFile(node, link)) {
      linksForFiles++;
    } else if (context.wantsDirectory(node, link)) {
      linksForDirectories++;
    }
  }

  /** Checks names that were not listed again: a rename during the listing can hide one. */
  private Outcome checkUnseen() {
    List<PosixPath> unseen = node.files.unmarkedAfter(lastChecked);
    if (!unseen.isEmpty()) {
      unseen.forEach(this::look);
      lastChecked = unseen.getLast();
      return Outcome.MORE_TO_DO;
    }
    for (DirectoryNode child : node.directories.values()) {
      if (child.seenInScan != number) {
        fresh.add(child.name);
      }
    }
    fresh.forEach(this::look);
    return Outcome.COMPLETE;
  }

  /** Returns whether it is a symbolic link that is not followed. */
  private boolean look(PosixPath name) {
    return names.look(node, name, directory.fd(), EntryCheck.NO_EVENT);
  }

  @Override
  public void close() throws ErrnoException {
    directory.close();
  }
}
