package dev.tailwater.restore.place;

import dev.tailwater.archive.pack.DirectoryStatement;
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
import dev.tailwater.restore.attribute.AttributeTools;
import dev.tailwater.restore.attribute.ModeSetter;
import dev.tailwater.restore.name.PartialName;
import dev.tailwater.restore.name.TargetPath;
import dev.tailwater.restore.name.TargetPath.UnsafePathException;
import dev.tailwater.restore.tree.ArchivedTree;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Makes directories, further names of files and symbolic links, when all files are there. Links
 * come behind everything that is written, and nothing is ever opened through one, so that a link
 * that leads elsewhere does no harm. The attributes of directories come last, the innermost first.
 * What fails is counted, and stops nothing. For one thread.
 */
final class TreeRestore {
  private static final Set<StatFlag> NO_FOLLOW = EnumSet.of(StatFlag.NO_FOLLOW);

  private static final PosixPath ROOT = PosixPath.of("/");

  /** Set-user-id and set-group-id; the sticky bit means the same whoever owns a directory. */
  private static final int OWNED_BITS = 06000;

  private final TargetTree target;
  private final FileCalls calls;
  private final AttributeTools tools;
  private final boolean overwrite;
  private final boolean agentDirectories;
  private final Predicate<PosixPath> wanted;
  private final List<Damage> damages = new ArrayList<>();
  private long directories;
  private long links;
  private long furtherNames;
  private long kept;
  private long outdated;
  private long failed;
  private boolean toBeContinued;
  private Optional<String> firstFailure = Optional.empty();

  /**
   * Creates the restore of trees.
   *
   * @param agentDirectories whether each agent's files are below a directory of its name
   * @param wanted accepts the path of what is to be restored
   */
  TreeRestore(
      TargetTree target,
      AttributeTools tools,
      boolean overwrite,
      boolean agentDirectories,
      Predicate<PosixPath> wanted) {
    this.target = target;
    this.calls = target.calls();
    this.tools = tools;
    this.overwrite = overwrite;
    this.agentDirectories = agentDirectories;
    this.wanted = wanted;
  }

  /** The files that further names lead to. */
  interface Files {
    /** Returns where the file of a further name is; empty if it is not restored. */
    Optional<TargetPath> of(String agent, DirectoryStatement.FurtherName further);

    /** Returns whether a file of the archive has its place there. */
    boolean havePlace(TargetPath place);
  }

  /** Work on something of one agent's tree. */
  private interface Work {
    void run() throws ErrnoException, UnsafePathException, ForeignFileException;
  }

  private void attempt(PosixPath path, Work work) {
    try {
      work.run();
    } catch (ErrnoException e) {
      failed(path, TargetFailures.explained(e), TargetFailures.mayPass(e));
    } catch (ForeignFileException e) {
      failed(path, String.valueOf(e.getMessage()), true);
    } catch (UnsafePathException e) {
      failed(path, ErrnoException.messageForUser(e), false);
    }
  }

  private void failed(PosixPath path, String why, boolean mayPass) {
    failed++;
    toBeContinued |= mayPass;
    if (firstFailure.isEmpty()) {
      firstFailure = Optional.of(EscapedPath.of(path) + ": " + why);
    }
  }

  private List<PosixPath> names(ArchivedTree tree, PosixPath directory) throws UnsafePathException {
    List<PosixPath> names = new ArrayList<>();
    if (agentDirectories) {
      names.add(PosixPath.of(tree.agent()));
    }
    if (!directory.equals(ROOT)) {
      names.addAll(TargetPath.of(directory).names());
    }
    return names;
  }

  /**
   * Opens directories to this user that an interrupted run has closed: those of the trees alone,
   * since no others get their modes at the end.
   */
  void openDirectories(List<ArchivedTree> trees) {
    if (!target.isContinued()) {
      return;
    }
    List<List<PosixPath>> told = new ArrayList<>();
    for (ArchivedTree tree : trees) {
      for (PosixPath path : tree.directories().keySet()) {
        try {
          told.add(names(tree, path));
        } catch (UnsafePathException e) {
          // Nothing is made there, which the attempt to make it says.
        }
      }
    }
    new ClosedDirectories(target).open(told);
  }

  /** Makes what is in the trees. */
  void make(List<ArchivedTree> trees, Files files) {
    for (ArchivedTree tree : trees) {
      damages.addAll(tree.damages());
      outdated += tree.outdated();
      tree.directories().forEach((path, _) -> makeDirectory(tree, path));
      tree.directories().forEach((path, contents) -> makeFurtherNames(tree, path, contents, files));
    }
    for (ArchivedTree tree : trees) {
      tree.directories().forEach((path, contents) -> makeLinks(tree, path, contents));
    }
  }

  private void makeDirectory(ArchivedTree tree, PosixPath path) {
    if (wanted.test(path)) {
      attempt(path, () -> target.makeDirectories(names(tree, path)).close());
    }
  }

  private void makeFurtherNames(
      ArchivedTree tree, PosixPath path, DirectoryStatement.Contents contents, Files files) {
    for (DirectoryStatement.FurtherName further : contents.furtherNames()) {
      PosixPath whole = path.resolve(further.name());
      if (wanted.test(whole)) {
        Optional<TargetPath> file = files.of(tree.agent(), further);
        attempt(
            whole,
            () ->
                makeFurtherName(
                    new TargetPath(names(tree, path), further.name()),
                    file.orElseThrow(() -> new UnsafePathException(notRestored(further))),
                    files));
      }
    }
  }

  private static String notRestored(DirectoryStatement.FurtherName further) {
    return "its file is not restored, which was archived as " + EscapedPath.of(further.file());
  }

  private void makeFurtherName(TargetPath place, TargetPath file, Files files)
      throws ErrnoException, UnsafePathException, ForeignFileException {
    PosixPath name = place.name();
    requireNotReserved(name);
    try (Descriptor from = target.directory(file.directories());
        Descriptor to = target.makeDirectories(place.directories())) {
      FileStatus status = calls.statx(from.fd(), file.name(), NO_FOLLOW);
      if (status.type() != EntryType.REGULAR) {
        throw new UnsafePathException("what it is a further name of is no file here");
      }
      try {
        link(from, file.name(), to, name, status);
      } catch (ErrnoException e) {
        if (e.errno() != Errno.EEXIST) {
          throw e;
        }
        FileStatus there = calls.statx(to.fd(), name, NO_FOLLOW);
        if (!isSame(there, status)) {
          if (files.havePlace(place)) {
            throw new UnsafePathException("another file of the archive has its name here");
          }
          if (!mayReplace(there)) {
            throw e;
          }
          replace(from, file.name(), to, name, status);
        }
      }
      furtherNames++;
    }
  }

  private void link(
      Descriptor from, PosixPath file, Descriptor to, PosixPath name, FileStatus status)
      throws ErrnoException, ForeignFileException {
    try {
      calls.link(from.fd(), file, to.fd(), name);
    } catch (ErrnoException e) {
      if (e.errno() == Errno.EPERM && ForeignFileException.isMeant(calls, to.fd(), status)) {
        throw new ForeignFileException(e);
      }
      throw e;
    }
  }

  private static void requireNotReserved(PosixPath name) throws UnsafePathException {
    if (PartialName.isReserved(name)) {
      throw new UnsafePathException("its name is that of an unfinished file");
    }
  }

  private static boolean isSame(FileStatus there, FileStatus wantedStatus) {
    return there.inode() == wantedStatus.inode() && there.device() == wantedStatus.device();
  }

  private boolean mayReplace(FileStatus there) {
    return overwrite
        && (there.type() == EntryType.REGULAR || there.type() == EntryType.SYMBOLIC_LINK);
  }

  /** What has the name keeps it until the file has it, even if the file can have no more names. */
  private void replace(
      Descriptor from, PosixPath file, Descriptor to, PosixPath name, FileStatus status)
      throws ErrnoException, ForeignFileException {
    PosixPath unfinished = PartialName.nameOf("further name " + EscapedPath.of(name));
    removeIfThere(to, unfinished);
    link(from, file, to, unfinished, status);
    finishName(to, unfinished, name);
  }

  private void finishName(Descriptor directory, PosixPath unfinished, PosixPath name)
      throws ErrnoException {
    try {
      calls.rename(directory.fd(), unfinished, directory.fd(), name, Set.of());
    } finally {
      removeIfThere(directory, unfinished);
    }
  }

  private void removeIfThere(Descriptor directory, PosixPath name) throws ErrnoException {
    try {
      calls.unlink(directory.fd(), name);
    } catch (ErrnoException e) {
      if (e.errno() != Errno.ENOENT) {
        throw e;
      }
    }
  }

  private void makeLinks(ArchivedTree tree, PosixPath path, DirectoryStatement.Contents contents) {
    for (DirectoryStatement.Link link : contents.links()) {
      PosixPath whole = path.resolve(link.name());
      if (wanted.test(whole)) {
        attempt(whole, () -> makeLink(tree, path, link));
      }
    }
  }

  private void makeLink(ArchivedTree tree, PosixPath path, DirectoryStatement.Link link)
      throws ErrnoException, UnsafePathException {
    try (Descriptor directory = target.makeDirectories(names(tree, path))) {
      requireNotReserved(link.name());
      boolean mayFinish = true;
      boolean isFound = false;
      try {
        calls.symbolicLink(link.target(), directory.fd(), link.name());
      } catch (ErrnoException e) {
        if (e.errno() != Errno.EEXIST || !replaceLink(directory, link)) {
          throw e;
        }
        isFound = true;
        // Like a directory that was there, it is the user's.
        mayFinish = overwrite || target.isUnfinished(names(tree, path));
      }
      if (mayFinish) {
        finishLink(directory, link, path.resolve(link.name()), isFound);
      }
      links++;
    }
  }

  /**
   * Whether the link that is there is the same, or was replaced, as was asked. It keeps its name
   * until the other one has it.
   */
  private boolean replaceLink(Descriptor directory, DirectoryStatement.Link link)
      throws ErrnoException {
    FileStatus there = calls.statx(directory.fd(), link.name(), NO_FOLLOW);
    if (there.type() != EntryType.SYMBOLIC_LINK) {
      return false;
    }
    if (calls.readLink(directory.fd(), link.name()).equals(link.target())) {
      return true;
    }
    if (!overwrite) {
      return false;
    }
    PosixPath unfinished = PartialName.nameOf("link " + EscapedPath.of(link.name()));
    removeIfThere(directory, unfinished);
    calls.symbolicLink(link.target(), directory.fd(), unfinished);
    finishName(directory, unfinished, link.name());
    return true;
  }

  private void finishLink(
      Descriptor directory, DirectoryStatement.Link link, PosixPath path, boolean isFound)
      throws ErrnoException {
    int fd = directory.fd();
    ModeSetter.Subject subject =
        isFound
            ? ModeSetter.Subject.found(path, calls, calls.statx(fd, link.name(), NO_FOLLOW))
            : ModeSetter.Subject.made(path);
    if (tools.owners().areWanted()) {
      tools
          .owners()
          .give(
              link.attributes().owner(),
              calls.statx(fd, link.name(), NO_FOLLOW),
              (user, group) -> calls.changeOwner(fd, link.name(), user, group));
    }
    tools
        .modes()
        .giveTime(calls, fd, link.name(), subject, link.attributes().modificationTimeNanos());
  }

  /** Gives directories their attributes, the innermost first; the last step of a restore. */
  void finishDirectories(List<ArchivedTree> trees) {
    for (ArchivedTree tree : trees) {
      for (Map.Entry<PosixPath, DirectoryStatement.Contents> entry :
          tree.directories().descendingMap().entrySet()) {
        attempt(
            entry.getKey(),
            () -> finishDirectory(entry.getKey(), names(tree, entry.getKey()), entry.getValue()));
      }
    }
  }

  private void finishDirectory(
      PosixPath path, List<PosixPath> names, DirectoryStatement.Contents told)
      throws ErrnoException {
    if (names.isEmpty()) {
      return; // The target directory is the user's.
    }
    try (Descriptor directory = target.directory(names)) {
      boolean isFound = !target.hasMade(names) && !isUnfinished(directory, names);
      if (isFound && !overwrite) {
        kept++;
        return;
      }
      ModeSetter.Subject subject =
          isFound
              ? ModeSetter.Subject.found(path, calls, calls.fstat(directory.fd()))
              : ModeSetter.Subject.made(path);
      DirectoryStatement.Attributes attributes = told.attributes();
      boolean owned = tools.owners().give(calls, directory.fd(), attributes.owner());
      tools.extended().give(calls, directory.fd(), told.extended(), owned);
      int permissions = attributes.permissions();
      int mode = owned ? permissions : permissions & ~OWNED_BITS;
      tools.modes().give(calls, directory.fd(), subject, mode, attributes.modificationTimeNanos());
      directories++;
    } catch (ErrnoException e) {
      if (e.errno() != Errno.ENOENT) { // It was not wanted.
        throw e;
      }
    }
  }

  /** Whether an earlier run has made it; nobody else's directory may have come in its place. */
  private boolean isUnfinished(Descriptor directory, List<PosixPath> names) throws ErrnoException {
    return target.isUnfinished(names)
        && (tools.owners().areWanted() || target.isOfThisUser(directory, names));
  }

  /**
   * Returns whether something failed that a later run may be able to do; or may not have been told:
   * the destination failed, or what an earlier run was told cannot be read any more.
   */
  boolean isToBeContinued() {
    return toBeContinued
        || (target.isContinued() && !damages.isEmpty())
        || damages.stream().anyMatch(damage -> damage.kind() == Damage.Kind.UNREADABLE);
  }

  TreeReport report() {
    return new TreeReport(
        directories, links, furtherNames, kept, outdated, failed, firstFailure, damages);
  }

  /** Returns what would be made, if nothing is in the way. */
  static TreeReport preview(List<ArchivedTree> trees, Files files, Predicate<PosixPath> wanted) {
    long directories = 0;
    long links = 0;
    long furtherNames = 0;
    long outdated = 0;
    long failed = 0;
    Optional<String> firstFailure = Optional.empty();
    List<Damage> damages = new ArrayList<>();
    for (ArchivedTree tree : trees) {
      damages.addAll(tree.damages());
      outdated += tree.outdated();
      for (var entry : tree.directories().entrySet()) {
        PosixPath path = entry.getKey();
        directories += wanted.test(path) ? 1 : 0;
        links +=
            entry.getValue().links().stream()
                .filter(link -> wanted.test(path.resolve(link.name())))
                .count();
        for (DirectoryStatement.FurtherName further : entry.getValue().furtherNames()) {
          PosixPath whole = path.resolve(further.name());
          if (!wanted.test(whole)) {
            continue;
          }
          if (files.of(tree.agent(), further).isPresent()) {
            furtherNames++;
          } else {
            failed++;
            String why = EscapedPath.of(whole) + ": " + notRestored(further);
            firstFailure = firstFailure.or(() -> Optional.of(why));
          }
        }
      }
    }
    return new TreeReport(
        directories, links, furtherNames, 0, outdated, failed, firstFailure, damages);
  }
}
