package dev.tailwater.destination.directory;

import dev.tailwater.destination.PutResult;
import dev.tailwater.posix.EntryType;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.OpenFlag;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.RenameFlag;
import dev.tailwater.posix.StatFlag;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;

/**
 * Writes one object: temporary file, its data to the disk, its name, the name to the disk.
 * Thread-safe.
 */
final class ObjectWriter {
  /** With the umask, which thereby decides what group and others may do. */
  private static final int FILE_MODE = 0660;

  private final FileCalls calls;
  private final BlockBuffers buffers;

  /** NFS, among others, has no RENAME_NOREPLACE. */
  private volatile boolean renameCanCreateOnly = true;

  ObjectWriter(FileCalls calls, BlockBuffers buffers) {
    this.calls = calls;
    this.buffers = buffers;
  }

  /**
   * Writes the bytes into a new file and the file to the disk: openat2, a pwrite for each buffer,
   * fdatasync, close. After a failure the file is gone: once fdatasync failed, the kernel may have
   * dropped what it could not write, and no later one of the same file would tell.
   */
  void write(Handle directory, PosixPath name, ByteBuffer content) throws ErrnoException {
    try (Handle file =
        directory.open(
            name,
            EnumSet.of(OpenFlag.WRITE_ONLY, OpenFlag.CREATE, OpenFlag.EXCLUSIVE),
            FILE_MODE)) {
      writeAll(file.fd(), MemorySegment.ofBuffer(content));
      calls.fdatasync(file.fd());
    } catch (ErrnoException e) {
      throw discarded(directory, name, e);
    }
  }

  private void writeAll(int fd, MemorySegment content) throws ErrnoException {
    MemorySegment buffer = buffers.takeForWriting();
    try {
      long offset = 0;
      while (offset < content.byteSize()) {
        long length = Math.min(content.byteSize() - offset, buffer.byteSize());
        MemorySegment.copy(content, offset, buffer, 0, length);
        offset += writeFully(fd, buffer.asSlice(0, length), offset);
      }
    } finally {
      buffers.giveBackFromWriting(buffer);
    }
  }

  private long writeFully(int fd, MemorySegment bytes, long offset) throws ErrnoException {
    long written = 0;
    while (written < bytes.byteSize()) {
      int now = calls.pwrite(fd, bytes.asSlice(written), offset + written);
      if (now <= 0) {
        // write(2) does not promise that this cannot be; without it a loop would never end.
        throw new ErrnoException("pwrite", "fd " + fd, Errno.EIO.number(), "nothing was written");
      }
      written += now;
    }
    return written;
  }

  /** Gives the file its name if that is free; anyway the name's object is durable afterwards. */
  PutResult publish(Handle from, PosixPath name, Handle parent, PosixPath leaf)
      throws ErrnoException, NotRegularException {
    boolean created;
    try {
      created = createOnly(from, name, parent, leaf);
    } catch (ErrnoException e) {
      throw discarded(from, name, e);
    }
    if (!created) {
      calls.unlink(from.fd(), name);
      syncExisting(parent, leaf);
    }
    calls.fsync(parent.fd());
    return created ? PutResult.CREATED : PutResult.ALREADY_EXISTS;
  }

  /** Gives the file its name, taking it from another file if need be. */
  void replace(Handle from, PosixPath name, Handle parent, PosixPath leaf) throws ErrnoException {
    try {
      calls.rename(from.fd(), name, parent.fd(), leaf, Set.of());
    } catch (ErrnoException e) {
      throw discarded(from, name, e);
    }
    calls.fsync(parent.fd());
  }

  private boolean createOnly(Handle from, PosixPath name, Handle parent, PosixPath leaf)
      throws ErrnoException {
    if (renameCanCreateOnly) {
      try {
        calls.rename(from.fd(), name, parent.fd(), leaf, Set.of(RenameFlag.NO_REPLACE));
        return true;
      } catch (ErrnoException e) {
        switch (e.errno()) {
          case EEXIST -> {
            return false;
          }
          case EINVAL -> renameCanCreateOnly = false;
          default -> throw e;
        }
      }
    }
    try {
      calls.link(from.fd(), name, parent.fd(), leaf);
    } catch (ErrnoException e) {
      if (e.errno() == Errno.EEXIST) {
        return false;
      }
      throw e;
    }
    calls.unlink(from.fd(), name);
    return true;
  }

  /**
   * Somebody else's file may have got its name a moment ago. Its data was synced before that if
   * this class wrote it, but a copying program need not have done so.
   */
  private void syncExisting(Handle parent, PosixPath leaf)
      throws ErrnoException, NotRegularException {
    if (calls.statx(parent.fd(), leaf, Set.of(StatFlag.NO_FOLLOW)).type() != EntryType.REGULAR) {
      throw new NotRegularException();
    }
    try (Handle file = parent.open(leaf, Set.of(OpenFlag.NON_BLOCK), 0)) {
      calls.fsync(file.fd());
    } catch (ErrnoException e) {
      // Another agent's, and not readable for this user: then an agent wrote it.
      if (e.errno() != Errno.EACCES) {
        throw e;
      }
    }
  }

  private ErrnoException discarded(Handle directory, PosixPath name, ErrnoException failure) {
    try {
      calls.unlink(directory.fd(), name);
    } catch (ErrnoException e) {
      failure.addSuppressed(e);
    }
    return failure;
  }

  /** The key's name is taken by a directory, a symbolic link or the like. */
  static final class NotRegularException extends Exception {
    private static final long serialVersionUID = 1L;
  }
}
