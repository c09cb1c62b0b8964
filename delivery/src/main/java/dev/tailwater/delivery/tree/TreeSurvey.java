package dev.tailwater.delivery.tree;

import dev.tailwater.archive.pack.DirectoryStatement;
import dev.tailwater.archive.pack.TreeStatement;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.SourcePaths;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.StatFlag;
import java.io.IOException;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Looks at the directories of the sources, and finds those of which the archive should be told. A
 * directory is listed when its change time is another one than before; otherwise a look costs one
 * statx(2), or an open(2) where there are directories in it. Files are not looked at. For one
 * thread.
 */
final class TreeSurvey {
  private static final Set<OpenFlag> LIST = EnumSet.noneOf(OpenFlag.class);
  private static final Set<OpenFlag> CHILD = EnumSet.of(OpenFlag.DIRECTORY, OpenFlag.NO_FOLLOW);
  private static final Set<StatFlag> NO_FOLLOW = EnumSet.of(StatFlag.NO_FOLLOW);

  /** A change within this time of a listing may have the same time stamp as one before it. */
  private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** How long another modification time alone waits to be told. */
  static final long TIME_WAITS_NANOS = TimeUnit.MINUTES.toNanos(10);

  private static final int MAX_DEPTH = 128;
  static final int MAX_DIRECTORIES = 100_000;

  private final FileCalls calls;
  private final SourcePaths paths;
  private final List<PosixPath> roots;
  private final DirectoryReader reader;
  private final Predicate<FileStatus> own;
  private final UnaryOperator<PosixPath> archived;
  private final Map<PosixPath, TreeNode> known = new LinkedHashMap<>();
  private int directories;
  private long leftOut;
  private long unreadable;

  /** Takes what the archive is to be told. */
  interface Statements {
    void say(TreeStatement statement) throws IOException, InterruptedException;
  }

  /** How a pass looks. */
  enum Depth {
    /** Tells of what has changed; of modification times only from time to time. */
    CHANGES,
    /** Tells of everything that is not told. */
    LAST,
    /** Tells of every directory. */
    ALL,
    /** Tells of nothing. */
    LOOK
  }

  /**
   * Creates a survey.
   *
   * @param roots of the sources; a root that is a file has no directories
   * @param own accepts directories of the agent, of which nothing is told, whatever their path
   * @param archived returns the path in the archive of a path here
   */
  TreeSurvey(
      FileCalls calls,
      List<PosixPath> roots,
      DirectoryReader reader,
      Predicate<FileStatus> own,
      UnaryOperator<PosixPath> archived) {
    this.calls = calls;
    this.paths = new SourcePaths(calls);
    this.roots = List.copyOf(roots);
    this.reader = reader;
    this.own = own;
    this.archived = archived;
  }

  /** One pass over the sources. */
  private record Pass(
      Depth depth,
      Statements statements,
      Map<PosixPath, List<DirectoryStatement.FurtherName>> further,
      long nowNanos) {
    boolean listsAll() {
      return depth == Depth.ALL || depth == Depth.LOOK;
    }

    List<DirectoryStatement.FurtherName> furtherIn(PosixPath directory) {
      return further.getOrDefault(directory, List.of());
    }
  }

  /**
   * Looks at all directories.
   *
   * @param further the further names of files, by their directories here
   * @param nowNanos the time by the clock that makes change times, nanoseconds since 1970
   */
  void pass(
      Depth depth,
      Map<PosixPath, List<DirectoryStatement.FurtherName>> further,
      long nowNanos,
      Statements statements)
      throws IOException, InterruptedException {
    Pass pass = new Pass(depth, statements, further, nowNanos);
    directories = 0;
    leftOut = 0;
    unreadable = 0;
    for (PosixPath root : roots) {
      lookAtRoot(root, pass);
    }
  }

  private void lookAtRoot(PosixPath root, Pass pass) throws IOException, InterruptedException {
    Descriptor opened;
    try {
      opened = paths.openDirectory(root, root, LIST);
    } catch (ErrnoException e) {
      switch (e.errno()) {
        case ENOENT, ENOTDIR -> {
          if (known.remove(root) != null) {
            pass.statements.say(new DirectoryStatement(archived.apply(root), Optional.empty()));
          }
        }
        default -> unreadable++;
      }
      return;
    }
    try (Descriptor directory = opened) {
      FileStatus status = calls.fstat(directory.fd());
      if (own.test(status)) {
        return;
      }
      TreeNode node = known.computeIfAbsent(root, any -> new TreeNode());
      lookAt(node, directory, root, status, 0, pass);
    }
  }

  /** Returns what is told of all of them, as a number. */
  long digest() {
    return known.values().stream().mapToLong(TreeNode::digest).sum();
  }

  /** Notes that the archive was told in an earlier run what the last pass has found. */
  void noteAllSaid(long nowNanos) {
    known.values().forEach(node -> noteSaid(node, nowNanos));
  }

  private static void noteSaid(TreeNode node, long nowNanos) {
    node.noteSaid(nowNanos);
    node.children.values().forEach(child -> noteSaid(child, nowNanos));
  }

  /** Returns how many names the last pass has left out, since there are too many. */
  long leftOut() {
    return leftOut;
  }

  /** Returns how many directories the last pass could not look at. */
  long unreadable() {
    return unreadable;
  }

  int directories() {
    return directories;
  }

  private void lookAt(
      TreeNode node, Descriptor directory, PosixPath path, FileStatus status, int depth, Pass pass)
      throws IOException, InterruptedException {
    if (archived.apply(path).lengthBytes() > DirectoryStatement.MAX_PATH_BYTES) {
      if (path.lengthBytes() <= DirectoryStatement.MAX_PATH_BYTES) {
        unreadable++; // Else the watch says it: nothing below it is shipped.
      }
      return;
    }
    directories++;
    List<DirectoryStatement.FurtherName> further = pass.furtherIn(path);
    if (mustList(node, status, pass) || further.hashCode() != node.further) {
      list(node, directory, path, status, pass, further);
    }
    for (Map.Entry<PosixPath, TreeNode> child : List.copyOf(node.children.entrySet())) {
      lookAtChild(child.getValue(), directory, child.getKey(), path, depth + 1, pass);
    }
  }

  private static boolean mustList(TreeNode node, FileStatus status, Pass pass) {
    boolean changed = node.listedAtNanos == 0 || node.changeTimeNanos != status.changeTimeNanos();
    boolean uncertain = node.listedAtNanos - node.changeTimeNanos < RECENT_NANOS;
    return pass.listsAll() || changed || uncertain || isTimeDue(node, pass);
  }

  private static boolean isTimeDue(TreeNode node, Pass pass) {
    return !node.isSaid()
        && (pass.depth == Depth.LAST || pass.nowNanos - node.saidAtNanos >= TIME_WAITS_NANOS);
  }

  private void list(
      TreeNode node,
      Descriptor directory,
      PosixPath path,
      FileStatus status,
      Pass pass,
      List<DirectoryStatement.FurtherName> further)
      throws IOException, InterruptedException {
    DirectoryStatement.Contents contents;
    try {
      contents = reader.read(directory.fd(), path, status, further);
    } catch (ErrnoException e) {
      unreadable++;
      return;
    } finally {
      leftOut += reader.takeLeftOut();
    }
    PosixPath there = archived.apply(path);
    StatementHash hash = StatementHash.of(there, contents);
    node.changeTimeNanos = status.changeTimeNanos();
    node.listedAtNanos = pass.nowNanos;
    node.listed = hash.all();
    node.listedShape = hash.shape();
    node.further = further.hashCode();
    node.children.keySet().retainAll(Set.copyOf(contents.directories()));
    contents
        .directories()
        .forEach(name -> node.children.computeIfAbsent(name, _ -> new TreeNode()));
    if (isToBeSaid(node, pass)) {
      pass.statements.say(new DirectoryStatement(there, Optional.of(contents)));
      node.noteSaid(pass.nowNanos);
    }
  }

  private static boolean isToBeSaid(TreeNode node, Pass pass) {
    return switch (pass.depth) {
      case ALL -> true;
      case LOOK -> false;
      case CHANGES, LAST -> node.saidShape != node.listedShape || isTimeDue(node, pass);
    };
  }

  private void lookAtChild(
      TreeNode node, Descriptor parent, PosixPath name, PosixPath path, int depth, Pass pass)
      throws IOException, InterruptedException {
    if (depth > MAX_DEPTH || directories >= MAX_DIRECTORIES) {
      leftOut++;
      return;
    }
    try {
      FileStatus status = calls.statx(parent.fd(), name, NO_FOLLOW);
      PosixPath there = path.resolve(name);
      if (status.type() != EntryType.DIRECTORY) {
        return; // Its parent has changed, and is listed again.
      }
      if (own.test(status)) {
        node.children.clear();
        return;
      }
      if (node.children.isEmpty()
          && !mustList(node, status, pass)
          && pass.furtherIn(there).hashCode() == node.further) {
        directories++;
        return;
      }
      try (Descriptor child = Descriptor.open(calls, parent.fd(), name, CHILD, 0)) {
        lookAt(node, child, there, calls.fstat(child.fd()), depth, pass);
      }
    } catch (ErrnoException e) {
      switch (e.errno()) {
        case ENOENT, ENOTDIR, ELOOP -> {} // Its parent has changed, and is listed again.
        default -> unreadable++;
      }
    }
  }
}
