package dev.tailwater.io;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;

/**
 * Signals that a name does not lead to a regular file but to a directory, a FIFO, a socket, a
 * device, or a file that the kernel generates, such as those of /proc. The message says which, and
 * what to use instead.
 */
public final class NotARegularFileException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient PosixPath path;
  private final EntryType type;

  private NotARegularFileException(PosixPath path, EntryType type, String what) {
    super(path + " " + what);
    this.path = path;
    this.type = type;
  }

  /**
   * Throws this exception unless an open file is a regular one. Makes one fstat(2), and one
   * statfs(2) if the file has no blocks, like files that the kernel generates. The descriptor stays
   * open.
   *
   * @param path for the message
   * @throws NotARegularFileException when it is not one
   * @throws ErrnoException as fstat(2) and statfs(2)
   */
  public static void check(FileCalls calls, int fd, PosixPath path) throws IOException {
    FileStatus status = calls.fstat(fd);
    check(status.type(), path);
    if (status.allocatedBytes() == 0 && PseudoFileSystem.holds(calls.statfs(fd).type())) {
      throw new NotARegularFileException(
          path,
          EntryType.REGULAR,
          "is made up by the kernel while it is read: its size says nothing, and it has no bytes at"
              + " offsets that stay; read it whole with java.nio.file.Files.newInputStream");
    }
  }

  /** Throws this exception for every type except a regular file. */
  static void check(EntryType type, PosixPath path) throws NotARegularFileException {
    if (type != EntryType.REGULAR) {
      throw new NotARegularFileException(path, type, words(type));
    }
  }

  private static String words(EntryType type) {
    return switch (type) {
      case REGULAR -> throw new IllegalArgumentException("a regular file");
      case DIRECTORY -> "is a directory, not a file: name a file in it";
      case SYMBOLIC_LINK -> "is a symbolic link, which is not followed here: name what it leads to";
      case FIFO ->
          "is a FIFO, whose bytes have no offsets and come once: read it with"
              + " java.nio.file.Files.newInputStream";
      case SOCKET ->
          "is a socket, not a file: connect to it with java.nio.channels.SocketChannel and a"
              + " UnixDomainSocketAddress";
      case CHARACTER_DEVICE ->
          "is a character device, whose bytes have no offsets: read it with"
              + " java.nio.file.Files.newInputStream";
      case BLOCK_DEVICE ->
          "is a block device, not a file: mount it and name a file on it, or read it with"
              + " java.nio.channels.FileChannel";
      case UNKNOWN -> "is of a type that this program does not know, and not a regular file";
    };
  }

  /** Returns the path that was given. */
  public PosixPath path() {
    return path;
  }

  /** Returns the type; {@link EntryType#REGULAR} for a file that the kernel generates. */
  public EntryType type() {
    return type;
  }
}
