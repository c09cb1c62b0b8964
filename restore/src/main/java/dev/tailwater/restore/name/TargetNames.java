package dev.tailwater.restore.name;

import dev.tailwater.archive.pack.DirectoryStatement;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.Claims;
import dev.tailwater.restore.name.TargetPath.UnsafePathException;
import dev.tailwater.restore.tree.ArchivedTree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The place of every stream below the target directory: its last known path, below a directory for
 * each agent if the archive has several. Streams are placed in the order of their {@linkplain
 * Claims claims}. One whose place is taken gets {@code .~<stream id>} behind its name; one that
 * needs a directory where a file has its place gets it behind the directory's name. So does a file
 * whose name looks like an unfinished file of a restore, and one that is not there any more where a
 * directory, a symbolic link or a further name of another file is, and one whose file has begun
 * anew and has another path now. The result depends on nothing but the streams and the trees.
 */
public final class TargetNames {
  private final Map<ArchivedStream, TargetPath> paths;
  private final Map<ArchivedStream, String> unsafe;
  private final List<ContestedPath> contested;

  /** Empty where there are no trees: then nothing of it is kept. */
  private final Optional<TreeNames> tree;

  private TargetNames(Placed placed, List<ContestedPath> contested, Optional<TreeNames> tree) {
    this.paths = placed.paths;
    this.unsafe = placed.unsafe;
    this.contested = List.copyOf(contested);
    this.tree = tree;
  }

  /** Gives a place to every stream of an index, whatever directories and links there are. */
  public static TargetNames of(ArchiveIndex index) {
    return of(index, List.of());
  }

  /** Gives a place to every stream of an index beside directories and links. */
  public static TargetNames of(ArchiveIndex index, List<ArchivedTree> trees) {
    if (trees.isEmpty() && canAllHaveTheirPaths(index)) {
      Placed placed = new Placed(index.agents().size() > 1);
      index.streams().forEach(placed::placeAsWanted);
      return new TargetNames(placed, List.of(), Optional.empty());
    }
    return bySearch(index, trees);
  }

  /** The same, whether or not some may want the same places. */
  static TargetNames bySearch(ArchiveIndex index, List<ArchivedTree> trees) {
    Placed placed = new Placed(index.agents().size() > 1);
    Placing placing = new Placing(placed, index, trees);
    placing.claims.sorted(index.streams()).forEach(placing::place);
    return new TargetNames(
        placed, placing.contested, trees.isEmpty() ? Optional.empty() : Optional.of(placing.tree));
  }

  /** Returns what {@link #contested()} returns, without places where nothing is contested. */
  public static List<ContestedPath> contested(ArchiveIndex index) {
    return canAllHaveTheirPaths(index) ? List.of() : of(index).contested();
  }

  private static boolean canAllHaveTheirPaths(ArchiveIndex index) {
    return PathsApart.hold(index.streams()) && !index.mayBeSuperseded();
  }

  /** The streams that have a place, and those that cannot have one. */
  private static final class Placed {
    /** Comparable, since a forger may choose paths of one hash. */
    private record Above(String agent, PosixPath path) implements Comparable<Above> {
      private static final Comparator<Above> ORDER =
          Comparator.comparing(Above::path).thenComparing(Above::agent);

      @Override
      public int compareTo(Above other) {
        return ORDER.compare(this, other);
      }
    }

    final Map<ArchivedStream, TargetPath> paths = new HashMap<>();
    final Map<ArchivedStream, String> unsafe = new HashMap<>();
    final boolean agentDirectories;

    /** By agent and what comes before the last slash of a path. */
    private final Map<Above, Folder> folders = new HashMap<>();

    Placed(boolean agentDirectories) {
      this.agentDirectories = agentDirectories;
    }

    /** Places a stream where nothing can be in the way. */
    void placeAsWanted(ArchivedStream stream) {
      try {
        paths.put(stream, TargetPath.in(folder(stream).names, stream.path()));
      } catch (UnsafePathException e) {
        unsafe.put(stream, String.valueOf(e.getMessage()));
      }
    }

    Folder folder(ArchivedStream stream) throws UnsafePathException {
      Above above = new Above(stream.agent(), stream.path().parent());
      Folder folder = folders.get(above);
      if (folder == null) {
        TargetPath path = TargetPath.of(stream.path());
        folder = new Folder(agentDirectories ? path.below(PosixPath.of(stream.agent())) : path);
        folders.put(above, folder);
      }
      return folder;
    }
  }

  /** What is needed until every stream has its place, where some may want the same. */
  private static final class Placing {
    final Claims claims;
    private final Placed placed;
    private final TreeNames tree;
    private final boolean besideTrees;
    final List<ContestedPath> contested = new ArrayList<>();
    private final Map<PosixPath, ArchivedStream> files = new HashMap<>();
    private final Map<PosixPath, ArchivedStream> directories = new HashMap<>();

    /** By the first other place of a file: how many such places were tried for others. */
    private final Map<PosixPath, Integer> tried = new HashMap<>();

    /** Places of files that have begun anew elsewhere: no file that was there before gets these. */
    private final Set<PosixPath> left = new HashSet<>();

    Placing(Placed placed, ArchiveIndex index, List<ArchivedTree> trees) {
      this.placed = placed;
      this.claims = index.claims();
      this.tree = new TreeNames(trees, index.streams(), claims, placed.agentDirectories);
      this.besideTrees = !trees.isEmpty();
    }

    void place(ArchivedStream stream) {
      try {
        Folder folder = placed.folder(stream);
        TargetPath wanted = TargetPath.in(folder.names, stream.path());
        PosixPath relative = folder.path.resolve(wanted.name());
        if (claims.isSupersededElsewhere(stream)) {
          left.add(relative);
        }
        boolean isPlain = folder.isTaken && !besideTrees && !PartialName.isReserved(wanted.name());
        if (isPlain && isFree(stream, relative)) {
          placed.paths.put(stream, wanted);
          files.put(relative, stream);
        } else {
          TargetPath found = search(stream, wanted);
          folder.isTaken |= found.directories().equals(folder.names);
        }
      } catch (UnsafePathException e) {
        placed.unsafe.put(stream, String.valueOf(e.getMessage()));
      }
    }

    /** Places a stream where nothing is in the way. */
    private TargetPath search(ArchivedStream stream, TargetPath wanted) {
      String suffix = ".~" + stream.id().text();
      Optional<ArchivedStream> inTheWay = Optional.empty();
      TargetPath path = wanted;
      List<PosixPath> parents = path.parents();
      PosixPath first = PosixPath.EMPTY;
      int number = 1;
      while (true) {
        int depth = firstFileAmong(parents, stream);
        boolean inner = depth < parents.size();
        if (!inner && isFree(stream, path.relative()) && !PartialName.isReserved(path.name())) {
          break;
        }
        if (first.isEmpty()) {
          first = wanted.withSuffix(suffix).relative();
          number = tried.getOrDefault(first, 1);
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
        number++;
      }
      if (!first.isEmpty()) {
        tried.put(first, number);
      }
      PosixPath place = path.relative();
      placed.paths.put(stream, path);
      files.put(place, stream);
      parents.forEach(directory -> directories.putIfAbsent(directory, stream));
      inTheWay
          .filter(holder -> claims.contradict(holder, stream))
          .ifPresent(holder -> contested.add(contested(holder, stream, place)));
      return path;
    }

    private boolean isFree(ArchivedStream stream, PosixPath relative) {
      return holder(relative).isEmpty()
          && !left.contains(relative)
          && !tree.displaces(stream, relative);
    }

    private Optional<ArchivedStream> holder(PosixPath relative) {
      ArchivedStream file = files.get(relative);
      return Optional.ofNullable(file == null ? directories.get(relative) : file);
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
  }

  /** A directory of many files. */
  private static final class Folder {
    final List<PosixPath> names;
    final PosixPath path;

    /** Whether it and all above it are directories of files: no file gets their places. */
    boolean isTaken;

    Folder(TargetPath ofFile) {
      List<PosixPath> parents = ofFile.parents();
      this.names = ofFile.directories();
      this.path = parents.isEmpty() ? PosixPath.EMPTY : parents.getLast();
    }
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

  /** Places that two streams claim and about whose owner the archive contradicts itself. */
  public List<ContestedPath> contested() {
    return contested;
  }

  /**
   * Returns where the file of a stream goes.
   *
   * @throws UnsafePathException its path does not stay below the target directory
   */
  public TargetPath of(ArchivedStream stream) throws UnsafePathException {
    TargetPath path = paths.get(stream);
    if (path == null) {
      throw new UnsafePathException(unsafe.getOrDefault(stream, "it was not planned"));
    }
    return path;
  }

  /** Returns whether something else was at the path of a file later, or at a directory of it. */
  public boolean isDisplaced(ArchivedStream stream) {
    return tree.filter(names -> names.displaces(stream)).isPresent();
  }

  /** Returns the last stream of the file of a further name; empty if the archive has none. */
  public Optional<ArchivedStream> fileOf(String agent, DirectoryStatement.FurtherName further) {
    return tree.flatMap(names -> names.fileOf(agent, further));
  }

  /** Where each stream that can be placed goes, for reading. */
  public Map<ArchivedStream, TargetPath> all() {
    return Collections.unmodifiableMap(paths);
  }
}
