package dev.tailwater.delivery.open;

import dev.tailwater.delivery.room.DescriptorShortage;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.LinkTrust;
import dev.tailwater.io.OpenFileSystem;
import dev.tailwater.io.SourcePaths;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.StatFlag;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Opens watched files, and takes their identity from the descriptor. Symbolic links below the
 * sources are not followed unless configured, a FIFO does not block, and the file's access time is
 * left unchanged where that is allowed.
 */
public final class TailOpener {
  private static final PosixPath TOP = PosixPath.of("/");
  private static final Set<OpenFlag> DIRECTORY = EnumSet.of(OpenFlag.PATH);

  private final FileCalls calls;
  private final SourcePaths paths;
  private final LinkTrust trust;
  private final boolean followSymlinks;
  private final boolean foreignHardLinks;
  private final List<PosixPath> roots;

  /**
   * Creates an opener that refuses foreign hard links.
   *
   * @param roots the sources: symbolic links that lead to them are followed where no other user can
   *     have made them; those below are not followed
   */
  public TailOpener(FileCalls calls, boolean followSymlinks, List<PosixPath> roots) {
    this(calls, followSymlinks, roots, false);
  }

  /**
   * Creates an opener.
   *
   * @param foreignHardLinks whether to accept files that somebody else may have linked to where
   *     they are
   */
  public TailOpener(
      FileCalls calls, boolean followSymlinks, List<PosixPath> roots, boolean foreignHardLinks) {
    this.foreignHardLinks = foreignHardLinks;
    this.trust = new LinkTrust(calls);
    this.calls = calls;
    this.paths = new SourcePaths(calls);
    this.followSymlinks = followSymlinks;
    this.roots = List.copyOf(roots);
  }

  /** Returns an opener that opens whatever a path leads to. */
  public static TailOpener following(FileCalls calls) {
    return new TailOpener(calls, true, List.of());
  }

  /**
   * An open regular file.
   *
   * @param foreignLink whether the name may be a hard link made by somebody who could not read the
   *     file, which must not be shipped
   */
  public record Opened(
      Descriptor descriptor, FileIdentity identity, FileStatus status, boolean foreignLink) {}

  /**
   * A regular file that is not open.
   *
   * @param fileSystemId as in {@link FileIdentity}
   */
  public record Seen(FileStatus status, long fileSystemId) {}

  private record Found(Descriptor descriptor, FileStatus status, boolean foreignLink) {}

  /**
   * Opens the file at a path; empty when that leads to nothing, to a symbolic link, or to something
   * that is no regular file.
   *
   * @throws ErrnoException as open(2) says; ELOOP when a directory of the path has been replaced by
   *     a link, perhaps only for a moment
   */
  public Optional<Opened> open(PosixPath path) throws ErrnoException {
    try (Batch alone = batch()) {
      return alone.open(path);
    }
  }

  /** Returns the calls that it opens files with. */
  public FileCalls calls() {
    return calls;
  }

  /** Returns a batch of files to be opened. */
  public Batch batch() {
    return new Batch();
  }

  /**
   * Opens files one after the other. The directory of the last one stays open, so that the next
   * file in it costs three system calls less, and one in another directory of the same file system
   * one less. Not thread-safe.
   */
  public final class Batch implements AutoCloseable {
    private Optional<SourceDirectory> last = Optional.empty();

    private Batch() {}

    /** Opens the file as {@link TailOpener#open} does. */
    public Optional<Opened> open(PosixPath path) throws ErrnoException {
      return open(path, Optional.empty());
    }

    /**
     * Opens the file as {@link TailOpener#open} does.
     *
     * @param seen what {@link #lookAt} has returned just now: it is not looked at once more
     */
    public Optional<Opened> open(PosixPath path, Optional<FileStatus> seen) throws ErrnoException {
      return TailOpener.this.open(path, seen, this);
    }

    /** Looks at what a path leads to; empty where that is nothing. */
    public Optional<FileStatus> lookAt(PosixPath path) throws ErrnoException {
      return TailOpener.this.lookAt(path, this);
    }

    /**
     * Looks at a regular file without opening it; empty if there is none, or its identity may need
     * more than a look.
     */
    public Optional<Seen> see(PosixPath path) throws ErrnoException {
      Optional<FileStatus> status =
          followSymlinks || rootOf(path).equals(path) ? Optional.empty() : lookAt(path);
      if (status.isEmpty() || status.get().type() != EntryType.REGULAR) {
        return Optional.empty();
      }
      OptionalLong fileSystemId = last.orElseThrow().fileSystemOf(status.get());
      return fileSystemId.isPresent()
          ? Optional.of(new Seen(status.get(), fileSystemId.getAsLong()))
          : Optional.empty();
    }

    /** Only the path of the source may go through links. */
    private SourceDirectory directory(PosixPath root, PosixPath path) throws ErrnoException {
      if (last.isEmpty() || !last.get().isAt(root, path)) {
        SourceDirectory next = SourceDirectory.of(root, openNext(root, path), lastFileSystem());
        Optional<SourceDirectory> before = last;
        last = Optional.of(next);
        if (before.isPresent()) {
          before.get().close();
        }
      }
      return last.get();
    }

    /** Before the last one is closed, so that its file system is known to be the same. */
    private Descriptor openNext(PosixPath root, PosixPath path) throws ErrnoException {
      try {
        return paths.openDirectory(root, path, DIRECTORY);
      } catch (ErrnoException e) {
        if (last.isEmpty() || !DescriptorShortage.isMeant(e)) {
          throw e;
        }
        close();
        return paths.openDirectory(root, path, DIRECTORY);
      }
    }

    private OpenFileSystem lastFileSystem() {
      return last.map(SourceDirectory::fileSystem).orElseGet(OpenFileSystem::unknown);
    }

    private FileIdentity identify(int fd, FileStatus status) throws ErrnoException {
      return last.isPresent()
          ? last.get().identify(fd, status)
          : FileIdentity.of(calls, fd, status);
    }

    /** Closes the directory; the next file opens its own. */
    @Override
    public void close() throws ErrnoException {
      Optional<SourceDirectory> open = last;
      last = Optional.empty();
      if (open.isPresent()) {
        open.get().close();
      }
    }
  }

  private Optional<Opened> open(PosixPath path, Optional<FileStatus> seen, Batch batch)
      throws ErrnoException {
    Optional<Found> found;
    try {
      found = openUntouched(path, seen, batch);
    } catch (ErrnoException e) {
      boolean nothing =
          switch (e.errno()) {
            case ENOENT, ENOTDIR, ENXIO -> true;
            case ELOOP -> followSymlinks;
            default -> false;
          };
      if (!nothing) {
        throw e;
      }
      return Optional.empty();
    }
    return found.isPresent() ? identify(found.get(), batch) : Optional.empty();
  }

  /** Returns whether the path leads to something that is no regular file, such as a link. */
  public boolean isOther(PosixPath path) throws ErrnoException {
    try (Batch alone = batch()) {
      return alone.lookAt(path).filter(status -> status.type() != EntryType.REGULAR).isPresent();
    }
  }

  /** Returns the user id of the owner of what a path leads to; empty where that is nothing. */
  public OptionalLong ownerOf(PosixPath path) throws ErrnoException {
    try (Batch alone = batch()) {
      Optional<FileStatus> status = alone.lookAt(path);
      return status.isPresent() ? OptionalLong.of(status.get().ownerId()) : OptionalLong.empty();
    }
  }

  /** Looks at a path; empty where it leads to nothing. */
  private Optional<FileStatus> lookAt(PosixPath path, Batch batch) throws ErrnoException {
    PosixPath root = rootOf(path);
    try {
      return Optional.of(
          followSymlinks || root.equals(path)
              ? calls.statx(NameCalls.AT_FDCWD, path, Set.of())
              : calls.statx(
                  batch.directory(root, path.parent()).fd(),
                  path.fileName(),
                  Set.of(StatFlag.NO_FOLLOW)));
    } catch (ErrnoException e) {
      if (e.errno() == Errno.ENOENT || e.errno() == Errno.ENOTDIR) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private Optional<Opened> identify(Found found, Batch batch) throws ErrnoException {
    Descriptor descriptor = found.descriptor();
    boolean kept = false;
    try {
      if (found.status().type() != EntryType.REGULAR) {
        return Optional.empty();
      }
      FileIdentity identity = batch.identify(descriptor.fd(), found.status());
      kept = true;
      return Optional.of(new Opened(descriptor, identity, found.status(), found.foreignLink()));
    } finally {
      if (!kept) {
        descriptor.close();
      }
    }
  }

  private Optional<Found> openUntouched(PosixPath path, Optional<FileStatus> seen, Batch batch)
      throws ErrnoException {
    if (followSymlinks) {
      Optional<Descriptor> opened =
          openUntouched(NameCalls.AT_FDCWD, path, path, seen, EnumSet.noneOf(OpenFlag.class));
      return opened.isPresent() ? Optional.of(look(opened.get(), _ -> false)) : Optional.empty();
    }
    PosixPath root = rootOf(path);
    if (!root.equals(path)) {
      return openIn(batch.directory(root, path.parent()).fd(), path.fileName(), path, seen);
    }
    try (SourcePaths.Place place = paths.find(root)) {
      return openIn(place.directory().fd(), place.name(), path, seen);
    }
  }

  private Optional<Found> openIn(
      int directoryFd, PosixPath name, PosixPath path, Optional<FileStatus> seen)
      throws ErrnoException {
    Optional<Descriptor> opened =
        openUntouched(directoryFd, name, path, seen, EnumSet.of(OpenFlag.NO_FOLLOW));
    return opened.isPresent()
        ? Optional.of(look(opened.get(), status -> isForeignLink(status, directoryFd)))
        : Optional.empty();
  }

  private interface ForeignLink {
    boolean test(FileStatus status) throws ErrnoException;
  }

  /** Looks at an open file, once for all that is asked about it; closes it if that fails. */
  private Found look(Descriptor file, ForeignLink foreign) throws ErrnoException {
    boolean known = false;
    try {
      FileStatus status = calls.fstat(file.fd());
      Found found = new Found(file, status, foreign.test(status));
      known = true;
      return found;
    } finally {
      if (!known) {
        file.close();
      }
    }
  }

  /**
   * Returns whether the file may be a foreign link. Whoever may write to a directory can link any
   * file into it where fs.protected_hardlinks is off, even one that only its owner and this agent
   * can read.
   */
  private boolean isForeignLink(FileStatus status, int directoryFd) throws ErrnoException {
    return !foreignHardLinks
        && status.links() > 1
        && trust.mayBeForeignLink(calls.fstat(directoryFd), status);
  }

  /** Returns the source that the path is in; of several, the one that contains the others. */
  private PosixPath rootOf(PosixPath path) {
    Optional<PosixPath> shortest = Optional.empty();
    for (PosixPath root : roots) {
      boolean shorter = shortest.isEmpty() || root.lengthBytes() < shortest.get().lengthBytes();
      if (shorter && path.startsWith(root)) {
        shortest = Optional.of(root);
      }
    }
    return shortest.orElse(TOP);
  }

  private Optional<Descriptor> openUntouched(
      int dirFd, PosixPath name, PosixPath path, Optional<FileStatus> seen, EnumSet<OpenFlag> flags)
      throws ErrnoException {
    // Opening a device or FIFO can have effects, so look first; the descriptor decides all the
    // same.
    FileStatus status =
        seen.isPresent()
            ? seen.get()
            : calls.statx(dirFd, name, followSymlinks ? Set.of() : Set.of(StatFlag.NO_FOLLOW));
    if (status.type() != EntryType.REGULAR) {
      return Optional.empty();
    }
    flags.add(OpenFlag.NON_BLOCK);
    flags.add(OpenFlag.NO_ACCESS_TIME);
    try {
      return Optional.of(Descriptor.adopt(calls, calls.open(dirFd, name, flags, 0), path));
    } catch (ErrnoException e) {
      // Only the owner of a file may leave its access time unchanged.
      if (e.errno() != Errno.EPERM) {
        throw named(e, path);
      }
    }
    flags.remove(OpenFlag.NO_ACCESS_TIME);
    try {
      return Optional.of(Descriptor.adopt(calls, calls.open(dirFd, name, flags, 0), path));
    } catch (ErrnoException e) {
      throw named(e, path);
    }
  }

  /** Returns the exception with the whole path, whatever path the call was given. */
  private static ErrnoException named(ErrnoException e, PosixPath path) {
    return new ErrnoException(e.operation(), path.toString(), e.errnoNumber(), e.errno().text());
  }
}
