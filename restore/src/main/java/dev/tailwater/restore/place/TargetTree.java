package dev.tailwater.restore.place;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.mount.MountInfo;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.ResolveFlag;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The target directory, and the only way to anything in it: openat2(2) from its descriptor with
 * RESOLVE_BENEATH and RESOLVE_NO_SYMLINKS, so that neither a name in the archive nor a symbolic
 * link that lies there, or is put there meanwhile, leads outside. The target's own path may contain
 * symbolic links: it is the user's. Thread-safe.
 */
public final class TargetTree implements AutoCloseable {
  /** How everything below the target is opened. */
  private static final Set<ResolveFlag> INSIDE =
      EnumSet.of(ResolveFlag.BENEATH, ResolveFlag.NO_SYMLINKS, ResolveFlag.NO_MAGIC_LINKS);

  private static final Set<OpenFlag> DIRECTORY = EnumSet.of(OpenFlag.DIRECTORY);
  private static final Set<OpenFlag> DIRECTORY_ITSELF =
      EnumSet.of(OpenFlag.DIRECTORY, OpenFlag.NO_FOLLOW);
  static final PosixPath SELF = PosixPath.of(".");

  /** Until a directory has its own mode; what lay in one of which none is told may be secret. */
  private static final int DIRECTORY_MODE = 0700;

  private final FileCalls calls;
  private final Descriptor root;

  /** Directories above the target in which a directory was made. */
  private final Set<PosixPath> changedAbove;

  private final Set<List<PosixPath>> changed = ConcurrentHashMap.newKeySet();
  private final Set<List<PosixPath>> made = ConcurrentHashMap.newKeySet();

  /** Empty where directories get no modes. */
  @GuardedBy("this")
  private Optional<UnfinishedDirectories> unfinished = Optional.empty();

  private TargetTree(FileCalls calls, Descriptor root, Set<PosixPath> changedAbove) {
    this.calls = calls;
    this.root = root;
    this.changedAbove = Set.copyOf(changedAbove);
  }

  /** Opens a directory that must exist. */
  public static TargetTree open(FileCalls calls, PosixPath directory) throws ErrnoException {
    return new TargetTree(calls, openAny(calls, directory), Set.of());
  }

  private static Descriptor openAny(FileCalls calls, PosixPath directory) throws ErrnoException {
    return Descriptor.open(calls, FileCalls.AT_FDCWD, directory, DIRECTORY, 0);
  }

  /** The mount that the directory is on; files below may be on others. Reads the mount table. */
  MountInfo mount() throws ErrnoException {
    return MountInfo.of(calls, root.fd());
  }

  /** Opens a directory, and makes it and its parents where they are not there. */
  static TargetTree create(FileCalls calls, PosixPath directory) throws ErrnoException {
    Set<PosixPath> changedAbove = new HashSet<>();
    Descriptor root = openOrMake(calls, directory, changedAbove);
    return new TargetTree(calls, root, changedAbove);
  }

  private static Descriptor openOrMake(
      FileCalls calls, PosixPath directory, Set<PosixPath> changedAbove) throws ErrnoException {
    try {
      return openAny(calls, directory);
    } catch (ErrnoException e) {
      if (e.errno() != Errno.ENOENT) {
        throw e;
      }
    }
    PosixPath parent = directory.parent();
    if (!parent.isEmpty() && !parent.equals(directory)) {
      openOrMake(calls, parent, changedAbove).close();
    }
    if (makeOne(calls, FileCalls.AT_FDCWD, directory)) {
      changedAbove.add(parent.isEmpty() ? SELF : parent);
    }
    return openAny(calls, directory);
  }

  FileCalls calls() {
    return calls;
  }

  /** Returns the target directory itself, which is open as long as this is. */
  Descriptor root() {
    return root;
  }

  /** Opens something below a directory that was opened the same way; see {@link #directory}. */
  public static Descriptor open(
      FileCalls calls, int dirFd, PosixPath path, Set<OpenFlag> flags, int mode)
      throws ErrnoException {
    return Descriptor.adopt(calls, calls.openBeneath(dirFd, path, flags, mode, INSIDE), path);
  }

  /**
   * Opens a directory below the target.
   *
   * @throws ErrnoException ENOENT it is not there; ELOOP a symbolic link is in the way; ENOTDIR a
   *     file is in the way
   */
  public Descriptor directory(List<PosixPath> names) throws ErrnoException {
    return open(names, DIRECTORY_ITSELF);
  }

  /** Opens something below the target that is there. */
  Descriptor open(List<PosixPath> names, Set<OpenFlag> flags) throws ErrnoException {
    PosixPath path = SELF;
    for (PosixPath name : names) {
      path = path.resolve(name);
    }
    return open(calls, root.fd(), path, flags, 0);
  }

  /** Returns whether this run has made a directory. */
  boolean hasMade(List<PosixPath> names) {
    return made.contains(names);
  }

  /** Lists the directories that are made from now on, until they have their modes and times. */
  synchronized void listUnfinished(Collection<String> agents) {
    unfinished = Optional.of(UnfinishedDirectories.open(root, agents));
  }

  /** Returns whether an earlier run has left directories that it did not finish. */
  synchronized boolean isContinued() {
    return unfinished.isPresent() && unfinished.get().hasEarlier();
  }

  /** Returns whether an earlier run was about to make a directory and did not finish it. */
  synchronized boolean isUnfinished(List<PosixPath> names) {
    return unfinished.isPresent() && unfinished.get().hasEarlier(names);
  }

  /**
   * Returns whether an unfinished directory is of this user, or of whom its new files belong to, as
   * on NFS where the server takes root for nobody, and nobody else can have made it.
   */
  boolean isOfThisUser(Descriptor directory, List<PosixPath> names) throws ErrnoException {
    long owner = calls.fstat(directory.fd()).ownerId();
    if (owner == calls.effectiveUserId()) {
      return true;
    }
    try (Descriptor above = directory(names.subList(0, names.size() - 1))) {
      return PartialFile.isClosedToOthers(above, owner) && isOwnerOfList(owner);
    }
  }

  private synchronized boolean isOwnerOfList(long owner) throws ErrnoException {
    return unfinished.isPresent() && unfinished.get().isOwnedBy(owner);
  }

  /** Forgets the directories that were listed: all have their modes and times. */
  synchronized void finishUnfinished() throws ErrnoException {
    if (unfinished.isPresent()) {
      unfinished.get().finish();
    }
  }

  private synchronized void list(List<PosixPath> names) throws ErrnoException {
    if (unfinished.isPresent()) {
      unfinished.get().add(names);
    }
  }

  /**
   * The same as {@link #directory}, and makes what is not there. What it makes is for its owner
   * only.
   */
  Descriptor makeDirectories(List<PosixPath> names) throws ErrnoException {
    try {
      Descriptor found = directory(names);
      changed.add(names);
      return found;
    } catch (ErrnoException e) {
      if (e.errno() != Errno.ENOENT) {
        throw e;
      }
    }
    Descriptor at = directory(List.of());
    for (int depth = 0; depth < names.size(); depth++) {
      at = descend(at, names.get(depth), names.subList(0, depth));
    }
    changed.add(names);
    return at;
  }

  /** Closes the parent, whatever happens. */
  private Descriptor descend(Descriptor parent, PosixPath name, List<PosixPath> parentNames)
      throws ErrnoException {
    Descriptor child;
    try {
      child = child(parent, name, parentNames);
    } catch (Throwable e) {
      closeAfter(parent, e);
      throw e;
    }
    try {
      parent.close();
    } catch (Throwable e) {
      closeAfter(child, e);
      throw e;
    }
    return child;
  }

  private static void closeAfter(Descriptor open, Throwable failure) {
    try {
      open.close();
    } catch (ErrnoException e) {
      failure.addSuppressed(e);
    }
  }

  private Descriptor child(Descriptor parent, PosixPath name, List<PosixPath> parentNames)
      throws ErrnoException {
    try {
      return open(calls, parent.fd(), name, DIRECTORY_ITSELF, 0);
    } catch (ErrnoException e) {
      if (e.errno() != Errno.ENOENT) {
        throw e;
      }
    }
    List<PosixPath> names = new ArrayList<>(parentNames);
    names.add(name);
    list(names);
    if (makeOne(calls, parent.fd(), name)) {
      made.add(List.copyOf(names));
    }
    changed.add(List.copyOf(parentNames));
    return open(calls, parent.fd(), name, DIRECTORY_ITSELF, 0);
  }

  /** Somebody else may make the same directory at the same time. */
  private static boolean makeOne(FileCalls calls, int dirFd, PosixPath name) throws ErrnoException {
    try {
      calls.makeDirectory(dirFd, name, DIRECTORY_MODE);
      return true;
    } catch (ErrnoException e) {
      if (e.errno() != Errno.EEXIST) {
        throw e;
      }
      return false;
    }
  }

  /** Makes the names of everything that was placed durable: one fsync(2) per directory. */
  void syncDirectories() throws ErrnoException {
    for (List<PosixPath> names : changed) {
      try (Descriptor directory = directory(names)) {
        calls.fsync(directory.fd());
      }
    }
    changed.clear();
    for (PosixPath above : changedAbove) {
      try (Descriptor directory = openAny(calls, above)) {
        calls.fsync(directory.fd());
      }
    }
  }

  @Override
  public synchronized void close() throws ErrnoException {
    try {
      if (unfinished.isPresent()) {
        unfinished.get().close();
      }
    } finally {
      root.close();
    }
  }
}
