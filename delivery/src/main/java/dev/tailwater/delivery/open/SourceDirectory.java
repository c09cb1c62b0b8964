package dev.tailwater.delivery.open;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.util.OptionalLong;

/**
 * An open directory of a source, in which files are opened one after the other. As long as it is
 * open, its file system cannot be unmounted, so that is identified once for all its files. Not
 * thread-safe.
 */
final class SourceDirectory implements AutoCloseable {
  private final FileCalls calls;
  private final PosixPath root;
  private final Descriptor directory;
  private final long device;
  private OptionalLong fileSystemId = OptionalLong.empty();

  private SourceDirectory(PosixPath root, Descriptor directory, long device) {
    this.calls = directory.calls();
    this.root = root;
    this.directory = directory;
    this.device = device;
  }

  /**
   * Takes over the descriptor of a directory.
   *
   * @param root the source that it belongs to
   */
  static SourceDirectory of(PosixPath root, Descriptor directory) throws ErrnoException {
    boolean kept = false;
    try {
      long device = directory.calls().fstat(directory.fd()).device();
      kept = true;
      return new SourceDirectory(root, directory, device);
    } finally {
      if (!kept) {
        directory.close();
      }
    }
  }

  /** Returns whether it was opened at this path, for the same source. */
  boolean isAt(PosixPath otherRoot, PosixPath path) {
    return directory.path().equals(path) && root.equals(otherRoot);
  }

  int fd() {
    return directory.fd();
  }

  /** Returns the identity of a file that was opened in this directory. */
  FileIdentity identify(int fd, FileStatus status) throws ErrnoException {
    if (status.device() != device) {
      return FileIdentity.of(calls, fd, status); // Another file system is mounted on the file.
    }
    if (fileSystemId.isEmpty()) {
      fileSystemId = OptionalLong.of(FileIdentity.fileSystemId(calls, fd, device));
    }
    return FileIdentity.of(calls, fd, status, fileSystemId.getAsLong());
  }

  /**
   * Returns the file system of a file in this directory that is not open; empty before another one
   * was identified, since that takes a descriptor of a file.
   */
  OptionalLong fileSystemOf(FileStatus status) {
    return status.device() == device ? fileSystemId : OptionalLong.empty();
  }

  @Override
  public void close() throws ErrnoException {
    directory.close();
  }
}
