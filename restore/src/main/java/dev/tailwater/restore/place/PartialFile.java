package dev.tailwater.restore.place;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.write.BlockWriter;
import dev.tailwater.io.write.BlockWriterOptions;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.EscapedPath;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.AllocateFlag;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.RenameFlag;
import dev.tailwater.posix.value.StatFlag;
import dev.tailwater.restore.attribute.AttributeTools;
import dev.tailwater.restore.attribute.FileAttributes;
import dev.tailwater.restore.name.PartialName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * A file that is not complete yet, readable by its owner only. {@link #rename} gives it its final
 * name. Until then it has its {@linkplain PartialName name} beside that, and is locked while it is
 * open, so that no two runs write to it. Or it has no name at all, nobody else can find it, and it
 * goes away with its run.
 */
public final class PartialFile implements AutoCloseable {
  private static final Set<OpenFlag> CREATE =
      EnumSet.of(OpenFlag.READ_WRITE, OpenFlag.CREATE, OpenFlag.EXCLUSIVE, OpenFlag.NO_FOLLOW);
  private static final Set<OpenFlag> AGAIN =
      EnumSet.of(OpenFlag.READ_WRITE, OpenFlag.NO_FOLLOW, OpenFlag.NON_BLOCK);
  private static final Set<OpenFlag> LOOK = EnumSet.of(OpenFlag.NO_FOLLOW, OpenFlag.NON_BLOCK);
  private static final Set<OpenFlag> UNNAMED = EnumSet.of(OpenFlag.READ_WRITE, OpenFlag.UNNAMED);

  /** Opens what nobody may read. */
  private static final Set<OpenFlag> REFERENCE = EnumSet.of(OpenFlag.PATH, OpenFlag.NO_FOLLOW);

  private static final int OWNER_ONLY = 0600;
  private static final int OWNER_READS = 0400;
  private static final int WRITE_OF_OTHERS = 022;
  private static final int ZEROS_BYTES = 64 * 1024;

  private final FileCalls calls;
  private final Descriptor directory;

  /** Empty where the file has none. */
  private final Optional<PosixPath> name;

  private final Descriptor file;
  private final boolean reused;

  private PartialFile(
      Descriptor directory, Optional<PosixPath> name, Descriptor file, boolean reused) {
    this.calls = directory.calls();
    this.directory = directory;
    this.name = name;
    this.file = file;
    this.reused = reused;
  }

  /**
   * Creates the file, or opens what an earlier run left. Anything but a regular file with one name,
   * of this user or whom a new file would belong to, may be a trap: it is removed and created anew.
   *
   * @throws IOException another run has it open, or a call failed
   */
  static PartialFile open(Descriptor directory, PosixPath name) throws IOException {
    FileCalls calls = directory.calls();
    try {
      return locked(directory, name, openOne(directory, name, CREATE), false);
    } catch (ErrnoException e) {
      if (e.errno() != Errno.EEXIST) {
        throw e;
      }
    }
    FileStatus status = calls.statx(directory.fd(), name, EnumSet.of(StatFlag.NO_FOLLOW));
    if (status.type() == EntryType.REGULAR && status.links() == 1) {
      PartialFile found = locked(directory, name, openAgain(directory, name), true);
      boolean isKept = false;
      try {
        isKept = isOfThisUser(found) || isOfWhomNewFilesBelongTo(found);
        if (isKept) {
          return found;
        }
        found.discard(); // Locked, so that no run writes to it that has given it away already.
      } finally {
        if (!isKept) {
          found.close();
        }
      }
    } else {
      calls.unlink(directory.fd(), name);
    }
    return locked(directory, name, openOne(directory, name, CREATE), false);
  }

  /** Whoever owns it may have it open: to read what is written, or to write something else. */
  private static boolean isOfThisUser(PartialFile found) throws ErrnoException {
    FileCalls calls = found.calls;
    return calls.fstat(found.fd()).ownerId() == calls.effectiveUserId();
  }

  /**
   * Whether a new file would belong to the same other user, as on NFS where the server takes root
   * for nobody. Whoever that is can open a new file too, and nobody else can have made this one.
   */
  private static boolean isOfWhomNewFilesBelongTo(PartialFile found) throws ErrnoException {
    FileCalls calls = found.calls;
    long owner = calls.fstat(found.fd()).ownerId();
    return isClosedToOthers(found.directory, owner) && ownerOfNewFile(found) == owner;
  }

  /** Whether only this user and the owner of something in a directory can have made that there. */
  static boolean isClosedToOthers(Descriptor directory, long ownerId) throws ErrnoException {
    FileCalls calls = directory.calls();
    FileStatus there = calls.fstat(directory.fd());
    return (there.permissions() & WRITE_OF_OTHERS) == 0
        && (there.ownerId() == ownerId || there.ownerId() == calls.effectiveUserId());
  }

  private static long ownerOfNewFile(PartialFile beside) throws ErrnoException {
    FileCalls calls = beside.calls;
    Descriptor directory = beside.directory;
    PosixPath probe = PartialName.nameOf("owner of " + beside.name.orElseThrow());
    try {
      calls.unlink(directory.fd(), probe); // A killed run may have left it.
    } catch (ErrnoException e) {
      if (e.errno() != Errno.ENOENT) {
        throw e;
      }
    }
    long owner;
    try (Descriptor made = openOne(directory, probe, CREATE)) {
      owner = calls.fstat(made.fd()).ownerId();
    }
    calls.unlink(directory.fd(), probe);
    return owner;
  }

  /** Opens what an earlier run left, which may have its final mode, and not its name. */
  private static Descriptor openAgain(Descriptor directory, PosixPath name) throws IOException {
    try {
      return openOne(directory, name, AGAIN);
    } catch (ErrnoException e) {
      if (e.errno() != Errno.EACCES) {
        throw e;
      }
    }
    FileCalls calls = directory.calls();
    try (Descriptor reference = openOne(directory, name, REFERENCE)) {
      FileStatus found = calls.fstat(reference.fd());
      boolean isClosed =
          (found.permissions() & OWNER_READS) == 0
              && found.type() == EntryType.REGULAR
              && found.links() == 1
              && found.ownerId() == calls.effectiveUserId();
      if (isClosed) {
        calls.changeReferencedMode(reference.fd(), found.permissions() | OWNER_READS);
      }
      boolean mine = false;
      // Locked too: the mode is that of the run that writes it.
      try (PartialFile readOnly = locked(directory, name, openOne(directory, name, LOOK), true)) {
        mine = true;
        calls.changeMode(readOnly.fd(), OWNER_ONLY);
      } catch (IOException e) {
        if (isClosed && !mine) {
          closeAgain(calls, reference, found.permissions(), e);
        }
        throw e;
      }
    }
    return openOne(directory, name, AGAIN);
  }

  private static void closeAgain(FileCalls calls, Descriptor file, int mode, IOException why) {
    try {
      calls.changeReferencedMode(file.fd(), mode);
    } catch (ErrnoException e) {
      why.addSuppressed(e);
    }
  }

  /**
   * Creates a file without a name.
   *
   * @throws ErrnoException also where the file system has no such files
   */
  static PartialFile createUnnamed(Descriptor directory) throws ErrnoException {
    return new PartialFile(
        directory, Optional.empty(), openOne(directory, TargetTree.SELF, UNNAMED), false);
  }

  private static Descriptor openOne(Descriptor directory, PosixPath name, Set<OpenFlag> flags)
      throws ErrnoException {
    return TargetTree.open(directory.calls(), directory.fd(), name, flags, OWNER_ONLY);
  }

  private static PartialFile locked(
      Descriptor directory, PosixPath name, Descriptor file, boolean reused) throws IOException {
    boolean mine = false;
    try {
      FileCalls calls = file.calls();
      // The run that had the lock before may have renamed or removed the file meanwhile.
      mine = calls.tryLock(file.fd()) && isStill(calls, directory, name, file);
      if (!mine) {
        throw new IOException(
            "another restore writes this file now ("
                + EscapedPath.of(name)
                + "). Hint: run one restore into a directory at a time");
      }
      return new PartialFile(directory, Optional.of(name), file, reused);
    } finally {
      if (!mine) {
        file.close();
      }
    }
  }

  private static boolean isStill(
      FileCalls calls, Descriptor directory, PosixPath name, Descriptor file)
      throws ErrnoException {
    FileStatus opened = calls.fstat(file.fd());
    return opened.type() == EntryType.REGULAR
        && opened.links() == 1
        && isNamed(calls, directory, name, file);
  }

  private static boolean isNamed(
      FileCalls calls, Descriptor directory, PosixPath name, Descriptor file)
      throws ErrnoException {
    try {
      FileStatus named = calls.statx(directory.fd(), name, EnumSet.of(StatFlag.NO_FOLLOW));
      FileStatus opened = calls.fstat(file.fd());
      return named.inode() == opened.inode() && named.device() == opened.device();
    } catch (ErrnoException e) {
      if (e.errno() == Errno.ENOENT) {
        return false;
      }
      throw e;
    }
  }

  FileCalls calls() {
    return calls;
  }

  int fd() {
    return file.fd();
  }

  /** Open for reading and writing; closed by {@link #close} alone. */
  Descriptor descriptor() {
    return file;
  }

  /** Whether it may contain bytes of an earlier run. */
  boolean reused() {
    return reused;
  }

  /** Makes a range read as zeros, as a hole where the file system can. */
  void clear(ByteRange range) throws ErrnoException {
    long end = Math.min(range.endBytes(), calls.fstat(fd()).sizeBytes());
    if (end <= range.startBytes()) {
      return;
    }
    try {
      calls.fallocate(
          fd(),
          EnumSet.of(AllocateFlag.PUNCH_HOLE, AllocateFlag.KEEP_SIZE),
          range.startBytes(),
          end - range.startBytes());
    } catch (ErrnoException e) {
      if (e.errno() != Errno.EOPNOTSUPP && e.errno() != Errno.ENOSYS) {
        throw e;
      }
      writeZeros(range.startBytes(), end);
    }
  }

  private void writeZeros(long start, long end) throws ErrnoException {
    byte[] zeros = new byte[ZEROS_BYTES];
    try (BlockWriter writer = BlockWriter.over(file, start, BlockWriterOptions.defaults())) {
      for (long at = start; at < end; at += ZEROS_BYTES) {
        writer.write(zeros, 0, (int) Math.min(ZEROS_BYTES, end - at));
      }
    } catch (ErrnoException e) {
      throw PieceWriter.withoutAdvice(e);
    } catch (IOException e) {
      throw new UncheckedIOException("open() saw that it is regular", e);
    }
  }

  /**
   * Gives the file its final size and attributes.
   *
   * @param archivedAs names the file where something is refused
   */
  void complete(
      long sizeBytes, FileAttributes attributes, PosixPath archivedAs, AttributeTools tools)
      throws ErrnoException {
    if (calls.fstat(fd()).sizeBytes() != sizeBytes) {
      calls.truncate(fd(), sizeBytes);
    }
    if (reused) {
      tools.extended().removeEarlier(calls, fd(), directory.fd());
    }
    attributes.applyTo(calls, fd(), archivedAs, tools);
  }

  /**
   * Gives the file its final name. Its bytes must be durable before.
   *
   * @param replace whether a file that has the name is replaced; EEXIST otherwise
   */
  void rename(PosixPath finalName, boolean replace) throws ErrnoException {
    if (name.isEmpty()) {
      // Nothing can be there that may be replaced, or the file would have a name.
      calls.linkOpenFile(fd(), directory.fd(), finalName);
    } else if (replace) {
      calls.rename(directory.fd(), name.get(), directory.fd(), finalName, Set.of());
    } else {
      renameWithoutReplacing(name.get(), finalName);
    }
  }

  private void renameWithoutReplacing(PosixPath name, PosixPath finalName) throws ErrnoException {
    try {
      calls.rename(
          directory.fd(), name, directory.fd(), finalName, EnumSet.of(RenameFlag.NO_REPLACE));
    } catch (ErrnoException e) {
      // NFS and some FUSE file systems know no flags; a hard link does not replace either.
      if (e.errno() != Errno.EINVAL && e.errno() != Errno.ENOSYS) {
        throw e;
      }
      calls.link(directory.fd(), name, directory.fd(), finalName);
      calls.unlink(directory.fd(), name);
    }
  }

  /** Returns whether the name is still that of this file. */
  boolean hasItsName() throws ErrnoException {
    return name.isPresent() && isNamed(calls, directory, name.get(), file);
  }

  /** Removes the file. */
  void discard() throws ErrnoException {
    if (name.isPresent()) {
      calls.unlink(directory.fd(), name.get());
    }
  }

  @Override
  public void close() throws ErrnoException {
    file.close();
  }
}
