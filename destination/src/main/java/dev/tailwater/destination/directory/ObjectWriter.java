package dev.tailwater.destination.directory;

import dev.tailwater.destination.PutResult;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.buffer.PooledBuffer;
import dev.tailwater.io.mount.MountInfo;
import dev.tailwater.io.write.BlockWriter;
import dev.tailwater.io.write.BlockWriterOptions;
import dev.tailwater.io.write.WriteTrait;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.RenameFlag;
import dev.tailwater.posix.value.StatFlag;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;

/**
 * A writer of objects: it creates a temporary file, syncs its data, renames it, and syncs the
 * directory. Thread-safe.
 */
final class ObjectWriter {
  /** The mode before the umask, which thus decides what group and others may do. */
  private static final int FILE_MODE = 0660;

  private final FileCalls calls;
  private final ObjectBuffers buffers;
  private final BlockWriterOptions options;

  /**
   * False once the file system has refused RENAME_NOREPLACE, which NFS, among others, does not
   * have.
   */
  private volatile boolean renameCanCreateOnly = true;

  /**
   * @param mount of the archive's directory
   */
  ObjectWriter(FileCalls calls, MountInfo mount, ObjectBuffers buffers) {
    this.calls = calls;
    this.buffers = buffers;
    this.options = BlockWriterOptions.of(mount).with(WriteTrait.KNOWN_FILE);
  }

  /**
   * Writes the bytes into a new file and syncs it: openat2, a pwrite for each buffer, fdatasync,
   * close. Calls fdatasync on a synchronous mount too, since nothing else writes an empty file, and
   * a mount can be changed while it is in use. A failure of close counts, since a file server may
   * report a full disk or quota only then. Removes the file after a failure: once fdatasync has
   * failed, the kernel may have dropped what it could not write, and a later fdatasync would not
   * report it.
   */
  void write(Handle directory, PosixPath name, ByteBuffer content) throws ErrnoException {
    try (Handle file = create(directory, name)) {
      write(file, name, 0, content);
      calls.fdatasync(file.fd());
    } catch (ErrnoException e) {
      throw discarded(directory, name, e);
    }
  }

  /** Creates a new file, open for writing. */
  Handle create(Handle directory, PosixPath name) throws ErrnoException {
    return directory.open(
        name, EnumSet.of(OpenFlag.WRITE_ONLY, OpenFlag.CREATE, OpenFlag.EXCLUSIVE), FILE_MODE);
  }

  /** Passes all bytes to the kernel, by a pwrite for each buffer. */
  void write(Handle handle, PosixPath name, long offsetBytes, ByteBuffer content)
      throws ErrnoException {
    // Only the handle closes the descriptor.
    Descriptor file = Descriptor.adopt(calls, handle.fd(), name);
    try (PooledBuffer buffer = buffers.forWriting("writing " + name)) {
      BlockWriter writer = writerOf(file, offsetBytes, buffer);
      try {
        writer.write(MemorySegment.ofBuffer(content));
        writer.flush();
      } catch (ErrnoException e) {
        // Throw only the kernel's failure, since the writer's advice to flush again does not apply
        // to a put.
        throw e.getCause() instanceof ErrnoException refusal ? refusal : e;
      } finally {
        writer.discard(); // what was not flushed goes away with the file
      }
    }
  }

  private BlockWriter writerOf(Descriptor file, long offsetBytes, PooledBuffer buffer)
      throws ErrnoException {
    try {
      return BlockWriter.over(file, offsetBytes, options, buffer.segment());
    } catch (ErrnoException e) {
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException("open(2) created it, so it is regular", e);
    }
  }

  /**
   * Gives the file its name if the name is free. In either case, the object of that name is durable
   * when this returns.
   */
  PutResult publish(Handle from, PosixPath name, Handle parent, PosixPath leaf)
      throws ErrnoException, NotRegularException {
    boolean created;
    try {
      created = createOnly(from, name, parent, leaf);
    } catch (ErrnoException e) {
      throw discarded(from, name, e);
    }
    if (!created) {
      unlink(from, name);
      syncExisting(parent, leaf);
    }
    calls.fsync(parent.fd());
    return created ? PutResult.CREATED : PutResult.ALREADY_EXISTS;
  }

  /** Gives the file its name, replacing another file if there is one. */
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
      if (e.errno() != Errno.EEXIST) {
        throw e;
      }
      if (!isLinked(from, name, parent, leaf)) {
        return false;
      }
    }
    unlink(from, name);
    return true;
  }

  /**
   * Returns whether the name belongs to this file. An NFS client repeats a request whose answer was
   * lost, and the second answer can be EEXIST; link(2) and open(2) advise to check the number of
   * links. Since the client may have cached an old number, the file itself is compared too.
   */
  private boolean isLinked(Handle from, PosixPath name, Handle parent, PosixPath leaf)
      throws ErrnoException {
    FileStatus own = calls.statx(from.fd(), name, Set.of(StatFlag.NO_FOLLOW));
    if (own.links() > 1) {
      return true;
    }
    FileStatus other = calls.statx(parent.fd(), leaf, Set.of(StatFlag.NO_FOLLOW));
    return other.inode() == own.inode() && other.device() == own.device();
  }

  /** Removes a temporary name; ENOENT is the answer to a repeated request. */
  private void unlink(Handle from, PosixPath name) throws ErrnoException {
    try {
      calls.unlink(from.fd(), name);
    } catch (ErrnoException e) {
      if (e.errno() != Errno.ENOENT) {
        throw e;
      }
    }
  }

  /**
   * Syncs an existing object, which another writer may have named a moment ago. If this class wrote
   * it, its data was synced before; a copying program may not have done so.
   */
  private void syncExisting(Handle parent, PosixPath leaf)
      throws ErrnoException, NotRegularException {
    if (calls.statx(parent.fd(), leaf, Set.of(StatFlag.NO_FOLLOW)).type() != EntryType.REGULAR) {
      throw new NotRegularException();
    }
    try (Handle file = parent.open(leaf, Set.of(OpenFlag.NON_BLOCK), 0)) {
      calls.fsync(file.fd());
    } catch (ErrnoException e) {
      // This user cannot read it, so another user's agent wrote it and has synced its data.
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

  /** Signals that a directory, a symbolic link or the like has the key's name. */
  static final class NotRegularException extends Exception {
    private static final long serialVersionUID = 1L;
  }
}
