package dev.tailwater.delivery.open;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.OpenFileSystem;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.util.OptionalLong;

/**
 * An open directory of a source, in which files are opened one after the other. As long as it is
 * open, its file system cannot be unmounted, so that is identified once for all its files, and for
 * those of the next directory if that is opened before this one is closed. Not thread-safe.
 */
final class SourceDirectory implements AutoCloseable {
  private final FileCalls calls;
  private final PosixPath root;
  private final Descriptor directory;
  private final OpenFileSystem fileSystem;

  private SourceDirectory(PosixPath root, Descriptor directory, OpenFileSystem fileSystem) {
    this.calls = directory.calls();
    this.root = root;
    this.directory = directory;
    this.fileSystem = fileSystem;
  }

  /**
   * Takes over the descriptor of a directory.
   *
   * @param root the source that it belongs to
   * @param last what another directory, which is open, has learnt of its file system
   */
  static SourceDirectory of(PosixPath root, Descriptor directory, OpenFileSystem last)
      throws ErrnoException {
    boolean kept = false;
    try {
      long device = directory.calls().fstat(directory.fd()).device();
      kept = true;
      return new SourceDirectory(root, directory, last.at(device));
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

  OpenFileSystem fileSystem() {
    return fileSystem;
  }

  /** Returns the identity of a file that was opened in this directory. */
  FileIdentity identify(int fd, FileStatus status) throws ErrnoException {
    return fileSystem.identify(calls, fd, status);
  }

  /**
   * Returns the file system of a file in this directory that is not open; empty where that is
   * another one, or before a file was identified, since that takes a descriptor of a file.
   */
  OptionalLong fileSystemOf(FileStatus status) {
    return fileSystem.idOf(status);
  }

  @Override
  public void close() throws ErrnoException {
    directory.close();
  }
}
