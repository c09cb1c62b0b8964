package dev.tailwater.restore.name;

import dev.tailwater.archive.pack.DirectoryStatement;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.Claims;
import dev.tailwater.restore.name.TargetPath.UnsafePathException;
import dev.tailwater.restore.tree.ArchivedTree;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The names below the target directory that directories, symbolic links and further names of files
 * have in trees. A file gives way to them if it is over, or came there before its agent looked: the
 * agent did not live to tell the file's end. It does not give way to a name of its own.
 */
final class TreeNames {
  /**
   * What a tree tells of a name.
   *
   * @param atNanos when the agent looked, in the order of arrivals
   * @param isDirectory whether a directory has it
   * @param file for a further name, the stream of its file
   * @param isCertain whether it is told which file has it, if any
   */
  private record Told(
      long atNanos, boolean isDirectory, Optional<ArchivedStream> file, boolean isCertain) {}

  private final Map<PosixPath, Told> names = new HashMap<>();
  private final Claims claims;
  private final LinkedFiles files;
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
    this.files = new LinkedFiles(trees, streams, claims);
    for (ArchivedTree tree : trees) {
      for (var told : tree.directories().entrySet()) {
        PosixPath path = told.getKey();
        long atNanos = tree.toldAtNanos(path);
        add(tree.agent(), path, new Told(atNanos, true, Optional.empty(), true));
        for (DirectoryStatement.Link link : told.getValue().links()) {
          Told leadsElsewhere = new Told(atNanos, false, Optional.empty(), true);
          add(tree.agent(), path.resolve(link.name()), leadsElsewhere);
        }
        for (DirectoryStatement.FurtherName further : told.getValue().furtherNames()) {
          Optional<ArchivedStream> file = files.of(tree.agent(), further);
          boolean isCertain = further.id().isPresent() || file.filter(this::isThere).isPresent();
          add(
              tree.agent(),
              path.resolve(further.name()),
              new Told(atNanos, false, file, isCertain));
        }
      }
    }
  }

  private boolean isThere(ArchivedStream stream) {
    return stream.isVouchedFor() && !claims.isOver(stream);
  }

  /** Returns the last stream of the file of a further name; empty if the archive has none. */
  Optional<ArchivedStream> fileOf(String agent, DirectoryStatement.FurtherName further) {
    return files.of(agent, further);
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

  /** Whether a file gives its path up, or to be in one of the directories of that path. */
  boolean displaces(ArchivedStream stream) {
    PosixPath place = relative(stream.agent(), stream.path()).orElse(PosixPath.EMPTY);
    if (displaces(stream, place)) {
      return true;
    }
    PosixPath directory = place.parent();
    while (!directory.isEmpty() && !displacesDirectory(stream, directory)) {
      directory = directory.parent();
    }
    return !directory.isEmpty();
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
    if (told.file().filter(stream::equals).isPresent()) {
      return false;
    }
    if (claims.isOver(stream)) {
      return true;
    }
    boolean cameBefore =
        stream.arrivalNanos().isPresent() && stream.arrivalNanos().getAsLong() < told.atNanos();
    // Else it may be this file of which the name is told.
    return cameBefore && told.isCertain();
  }
}
