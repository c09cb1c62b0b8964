package dev.tailwater.restore.verify;

import dev.tailwater.archive.pack.DirectoryStatement;
import dev.tailwater.archive.pack.DirectoryStatement.Contents;
import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.EscapedPath;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.StatFlag;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.name.TargetPath;
import dev.tailwater.restore.name.TargetPath.UnsafePathException;
import dev.tailwater.restore.place.TargetTree;
import dev.tailwater.restore.tree.ArchivedTree;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Compares the directories, symbolic links and further names of files that an archive tells with
 * those below a directory: types, modes, targets, and owners if they are asked for. Times are not
 * compared, since every new file changes that of its directory. Nothing is opened through a
 * symbolic link. For one use by one thread.
 *
 * <p>If the directory has paths that the archive tells, it is the one that was shipped, and only
 * these paths are compared; otherwise everything is looked for where a restore puts it.
 */
final class TreeComparer {
  private static final Set<StatFlag> NO_FOLLOW = EnumSet.of(StatFlag.NO_FOLLOW);
  private static final PosixPath ROOT = PosixPath.of("/");

  /** A restore gives back set-user-id and set-group-id only together with the owner. */
  private static final int OWNED_BITS = 06000;

  private final TargetTree target;
  private final FileCalls calls;
  private final PosixPath directory;
  private final boolean agentDirectories;
  private final AttributeDifferences attributes;
  private final Predicate<PosixPath> wanted;
  private final List<TreeDifference> differences = new ArrayList<>();
  private final List<Damage> damages = new ArrayList<>();
  private long same;

  /**
   * Creates the comparison.
   *
   * @param target the directory, open
   * @param directory its absolute path
   * @param agentDirectories whether a restore puts the files of each agent below a directory of its
   *     name
   * @param wanted accepts the path of what is to be compared
   */
  TreeComparer(
      TargetTree target,
      FileCalls calls,
      PosixPath directory,
      boolean agentDirectories,
      AttributeDifferences attributes,
      Predicate<PosixPath> wanted) {
    this.target = target;
    this.calls = calls;
    this.directory = directory;
    this.agentDirectories = agentDirectories;
    this.attributes = attributes;
    this.wanted = wanted;
  }

  /**
   * Compares trees.
   *
   * @param files where the files are to which further names lead
   */
  TreeComparison compare(List<ArchivedTree> trees, FilePlaces files) {
    for (ArchivedTree tree : trees) {
      damages.addAll(tree.damages());
      boolean original =
          tree.directories().keySet().stream().anyMatch(path -> path.startsWith(directory));
      Place place = original ? this::original : path -> restored(tree.agent(), path);
      One one =
          new One(
              tree.agent(),
              place,
              further ->
                  files
                      .of(tree.agent(), further)
                      .filter(file -> file.original() == original)
                      .map(file -> file.path().names()));
      tree.directories().forEach((path, told) -> compare(one, path, told));
    }
    return new TreeComparison(same, differences, damages, false);
  }

  /** Where a path of the archive is; empty if it is not in the directory. */
  private interface Place {
    Optional<List<PosixPath>> of(PosixPath path) throws UnsafePathException;
  }

  /** Where the file of a further name is; empty if it is not in the directory. */
  private interface FileOf {
    Optional<List<PosixPath>> of(DirectoryStatement.FurtherName further);
  }

  /** An agent, and where its paths and files are. */
  private record One(String agent, Place place, FileOf files) {}

  private Optional<List<PosixPath>> original(PosixPath path) throws UnsafePathException {
    if (!path.startsWith(directory)) {
      return Optional.empty();
    }
    return Optional.of(names(path.below(directory)));
  }

  private Optional<List<PosixPath>> restored(String agent, PosixPath path)
      throws UnsafePathException {
    List<PosixPath> names = new ArrayList<>();
    if (agentDirectories) {
      names.add(PosixPath.of(agent));
    }
    names.addAll(names(path));
    // The directory itself is the user's.
    return names.isEmpty() ? Optional.empty() : Optional.of(names);
  }

  private static List<PosixPath> names(PosixPath path) throws UnsafePathException {
    if (path.isEmpty() || path.equals(ROOT)) {
      return List.of();
    }
    return TargetPath.of(path).names();
  }

  /** Says what is different about something; empty if nothing is. */
  private interface Check {
    Optional<String> differs(List<PosixPath> names) throws ErrnoException, UnsafePathException;
  }

  private void check(One one, PosixPath path, Check check) {
    if (!wanted.test(path)) {
      return;
    }
    Optional<String> difference;
    try {
      Optional<List<PosixPath>> names = one.place().of(path);
      if (names.isEmpty()) {
        return;
      }
      difference = check.differs(names.get());
    } catch (ErrnoException e) {
      boolean isMissing = e.errno() == Errno.ENOENT || e.errno() == Errno.ENOTDIR;
      difference = Optional.of(isMissing ? "it is not there" : ErrnoException.messageForUser(e));
    } catch (UnsafePathException e) {
      difference = Optional.of(ErrnoException.messageForUser(e));
    }
    if (difference.isPresent()) {
      differences.add(new TreeDifference(one.agent(), path, difference.get()));
    } else {
      same++;
    }
  }

  private void compare(One one, PosixPath path, Contents told) {
    check(one, path, names -> directoryDiffers(names, told));
    for (DirectoryStatement.Link link : told.links()) {
      check(one, path.resolve(link.name()), names -> linkDiffers(names, link));
    }
    for (DirectoryStatement.FurtherName further : told.furtherNames()) {
      check(
          one,
          path.resolve(further.name()),
          names -> furtherNameDiffers(names, one.files().of(further)));
    }
  }

  private Optional<String> directoryDiffers(List<PosixPath> names, Contents told)
      throws ErrnoException {
    FileStatus now = status(names);
    if (now.type() != EntryType.DIRECTORY) {
      return Optional.of("it is no directory");
    }
    DirectoryStatement.Attributes has = told.attributes();
    Optional<String> others = attributes.of(has.permissions(), OWNED_BITS, has.owner(), now);
    try (Descriptor itself = target.directory(names)) {
      return AttributeDifferences.both(others, attributes.ofExtended(told.extended(), itself));
    }
  }

  private Optional<String> linkDiffers(List<PosixPath> names, DirectoryStatement.Link link)
      throws ErrnoException {
    FileStatus now = status(names);
    if (now.type() != EntryType.SYMBOLIC_LINK) {
      return Optional.of("it is no symbolic link");
    }
    try (Descriptor parent = parent(names)) {
      PosixPath leadsTo = calls.readLink(parent.fd(), names.getLast());
      if (!leadsTo.equals(link.target())) {
        return Optional.of(
            "it leads to "
                + EscapedPath.of(leadsTo)
                + ", in the archive to "
                + EscapedPath.of(link.target()));
      }
    }
    return attributes.ofOwner(link.attributes().owner(), now);
  }

  private Optional<String> furtherNameDiffers(List<PosixPath> names, Optional<List<PosixPath>> file)
      throws ErrnoException {
    FileStatus now = status(names);
    if (now.type() != EntryType.REGULAR) {
      return Optional.of("it is no file");
    }
    if (file.isEmpty()) {
      return Optional.empty(); // It is not told where its file is.
    }
    FileStatus other = status(file.get());
    return now.inode() == other.inode() && now.device() == other.device()
        ? Optional.empty()
        : Optional.of("it is another file than that of which the archive tells it as a name");
  }

  private Descriptor parent(List<PosixPath> names) throws ErrnoException {
    return target.directory(names.subList(0, names.size() - 1));
  }

  private FileStatus status(List<PosixPath> names) throws ErrnoException {
    if (names.isEmpty()) {
      try (Descriptor itself = target.directory(names)) {
        return calls.fstat(itself.fd());
      }
    }
    try (Descriptor parent = parent(names)) {
      return calls.statx(parent.fd(), names.getLast(), NO_FOLLOW);
    }
  }
}
