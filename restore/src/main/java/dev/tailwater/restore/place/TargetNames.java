package dev.tailwater.restore.place;

import dev.tailwater.archive.pack.DirectoryStatement;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.ArchivedTree;
import dev.tailwater.restore.list.Claims;
import dev.tailwater.restore.place.TargetPath.UnsafePathException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The place of every stream below the target directory: its last known path, below a directory for
 * each agent if the archive has several. Streams are placed in the order of their {@linkplain
 * Claims claims}. One whose place is taken gets {@code .~<stream id>} behind its name; one that
 * needs a directory where a file has its place gets it behind the directory's name. So does a file
 * whose name looks like an unfinished file of a restore, and one that is not there any more where a
 * directory, a symbolic link or a further name of another file is. The result depends on nothing
 * but the streams and the trees.
 */
public final class TargetNames {
  private final Claims claims;
  private final TreeNames tree;
  private final Map<ArchivedStream, TargetPath> paths = new HashMap<>();
  private final Map<ArchivedStream, String> unsafe = new HashMap<>();
  private final Map<PosixPath, ArchivedStream> files = new HashMap<>();
  private final Map<PosixPath, ArchivedStream> directories = new HashMap<>();
  private final List<ContestedPath> contested = new ArrayList<>();

  private TargetNames(Claims claims, TreeNames tree) {
    this.claims = claims;
    this.tree = tree;
  }

  /** Gives a place to every stream of an index, whatever directories and links there are. */
  public static TargetNames of(ArchiveIndex index) {
    return of(index, List.of());
  }

  /** Gives a place to every stream of an index beside directories and links. */
  public static TargetNames of(ArchiveIndex index, List<ArchivedTree> trees) {
    List<ArchivedStream> streams = index.streams();
    boolean agentDirectories = index.agents().size() > 1;
    Claims claims = new Claims(streams);
    TargetNames names =
        new TargetNames(claims, new TreeNames(trees, streams, claims, agentDirectories));
    for (ArchivedStream stream : streams.stream().sorted(claims).toList()) {
      try {
        TargetPath path = TargetPath.of(stream.path());
        names.place(stream, agentDirectories ? path.below(PosixPath.of(stream.agent())) : path);
      } catch (UnsafePathException e) {
        names.unsafe.put(stream, String.valueOf(e.getMessage()));
      }
    }
    return names;
  }

  private void place(ArchivedStream stream, TargetPath wanted) {
    String suffix = ".~" + stream.id().text();
    Optional<ArchivedStream> inTheWay = Optional.empty();
    TargetPath path = wanted;
    List<PosixPath> parents = path.parents();
    for (int number = 1; ; number++) {
      int depth = firstFileAmong(parents, stream);
      boolean inner = depth < parents.size();
      boolean isFree =
          holder(path.relative()).isEmpty() && !tree.displaces(stream, path.relative());
      if (!inner && isFree && !PartialFile.isReserved(path.name())) {
        break;
      }
      if (inTheWay.isEmpty()) {
        inTheWay = holder(inner ? parents.get(depth) : path.relative());
      }
      String numbered = number == 1 ? suffix : suffix + "." + number;
      path =
          inner
              ? wanted.withDirectorySuffix(depth, numbered)
              : path.withName(wanted.withSuffix(numbered).name());
      parents = path.parents();
    }
    paths.put(stream, path);
    files.put(path.relative(), stream);
    parents.forEach(directory -> directories.putIfAbsent(directory, stream));
    PosixPath place = path.relative();
    inTheWay
        .filter(holder -> claims.contradict(holder, stream))
        .ifPresent(holder -> contested.add(contested(holder, stream, place)));
  }

  private static ContestedPath contested(
      ArchivedStream holder, ArchivedStream claimant, PosixPath place) {
    return new ContestedPath(
        claimant.agent(),
        claimant.path(),
        holder.id(),
        holder.path(),
        claimant.id(),
        claimant.birthPath(),
        place);
  }

  private Optional<ArchivedStream> holder(PosixPath relative) {
    return Optional.ofNullable(files.get(relative))
        .or(() -> Optional.ofNullable(directories.get(relative)));
  }

  /**
   * Which of some directories has a name that a file has, or a link for a file that gives way;
   * their number where none has.
   */
  private int firstFileAmong(List<PosixPath> parents, ArchivedStream stream) {
    int depth = 0;
    while (depth < parents.size()
        && !files.containsKey(parents.get(depth))
        && !tree.displacesDirectory(stream, parents.get(depth))) {
      depth++;
    }
    return depth;
  }

  /** Places that two streams claim and about whose owner the archive contradicts itself. */
  public List<ContestedPath> contested() {
    return List.copyOf(contested);
  }

  /**
   * @throws UnsafePathException when the archive gives the stream a path that must not be used
   */
  TargetPath of(ArchivedStream stream) throws UnsafePathException {
    TargetPath path = paths.get(stream);
    if (path == null) {
      throw new UnsafePathException(unsafe.getOrDefault(stream, "it was not planned"));
    }
    return path;
  }

  /** Returns the last stream of the file of a further name; empty if the archive has none. */
  public Optional<ArchivedStream> fileOf(String agent, DirectoryStatement.FurtherName further) {
    return tree.fileOf(agent, further);
  }

  /** Where each stream that can be placed goes, for reading. */
  public Map<ArchivedStream, TargetPath> all() {
    return Collections.unmodifiableMap(paths);
  }
}
