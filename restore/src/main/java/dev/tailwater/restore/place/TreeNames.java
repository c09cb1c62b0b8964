package dev.tailwater.restore.place;

import dev.tailwater.archive.pack.DirectoryStatement;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.ArchivedTree;
import dev.tailwater.restore.list.Claims;
import dev.tailwater.restore.place.TargetPath.UnsafePathException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The names below the target directory that directories, symbolic links and further names of files
 * have in trees. A file gives way to them if it is over, or came there before its agent looked: the
 * agent did not live to tell the file's end.
 */
final class TreeNames {
  /**
   * What a tree tells of a name.
   *
   * @param atNanos when the agent looked, in the order of arrivals
   * @param isDirectory whether a directory has it
   * @param file for a further name, that under which the file is archived
   */
  private record Told(long atNanos, boolean isDirectory, Optional<PosixPath> file) {}

  private final Map<PosixPath, Told> names = new HashMap<>();
  private final Set<PosixPath> live = new HashSet<>();
  private final Claims claims;
  private final boolean agentDirectories;

  /**
   * Collects the names of trees.
   *
   * @param agentDirectories whether each agent's files are below a directory of its name
   */
  TreeNames(
      List<ArchivedTree> trees,
      Collection<ArchivedStream> streams,
      Claims claims,
      boolean agentDirectories) {
    this.claims = claims;
    this.agentDirectories = agentDirectories;
    for (ArchivedTree tree : trees) {
      for (var told : tree.directories().entrySet()) {
        PosixPath path = told.getKey();
        long atNanos = tree.toldAtNanos(path);
        add(tree.agent(), path, new Told(atNanos, true, Optional.empty()));
        for (DirectoryStatement.Link link : told.getValue().links()) {
          add(tree.agent(), path.resolve(link.name()), new Told(atNanos, false, Optional.empty()));
        }
        for (DirectoryStatement.FurtherName further : told.getValue().furtherNames()) {
          add(
              tree.agent(),
              path.resolve(further.name()),
              new Told(atNanos, false, relative(tree.agent(), further.file())));
        }
      }
    }
    if (!names.isEmpty()) {
      for (ArchivedStream stream : streams) {
        if (stream.isVouchedFor() && !claims.isOver(stream)) {
          relative(stream.agent(), stream.path()).ifPresent(live::add);
        }
      }
    }
  }

  private void add(String agent, PosixPath path, Told told) {
    relative(agent, path).ifPresent(name -> names.put(name, told));
  }

  /** Returns a path below the target; empty for the root, and what will be refused. */
  private Optional<PosixPath> relative(String agent, PosixPath path) {
    try {
      TargetPath place = TargetPath.of(path);
      return Optional.of((agentDirectories ? place.below(PosixPath.of(agent)) : place).relative());
    } catch (UnsafePathException e) {
      return Optional.empty();
    }
  }

  /** Whether a file gives this name up: something that was there later has it. */
  boolean displaces(ArchivedStream stream, PosixPath relative) {
    Told told = names.get(relative);
    return told != null && isGone(stream, told);
  }

  /** Whether a file gives up to be in a directory of this name: a link or a file has it. */
  boolean displacesDirectory(ArchivedStream stream, PosixPath relative) {
    Told told = names.get(relative);
    return told != null && !told.isDirectory() && isGone(stream, told);
  }

  private boolean isGone(ArchivedStream stream, Told told) {
    if (claims.isOver(stream)) {
      return true;
    }
    boolean cameBefore =
        stream.arrivalNanos().isPresent() && stream.arrivalNanos().getAsLong() < told.atNanos();
    // Else it may be this file of which the name is told.
    return cameBefore && told.file().map(live::contains).orElse(true);
  }
}
