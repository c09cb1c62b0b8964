package dev.tailwater.io;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.FileSystemStatus;
import java.util.OptionalLong;

/**
 * The file system of files that are open at the same time, asked for its {@linkplain
 * FileIdentity#fileSystemId id} once for all of them. A device number belongs to one file system as
 * long as something on that is open, and can belong to another one afterwards: so the caller keeps
 * some descriptor on the device open for as long as this is used. Not thread-safe.
 */
public final class OpenFileSystem {
  /** V9FS_MAGIC: the server says of each path which of its own file systems that is on. */
  private static final long SEVERAL_IN_ONE = 0x0102_1997;

  private final OptionalLong device;
  private OptionalLong id = OptionalLong.empty();
  private boolean showsSeveral;

  private OpenFileSystem(OptionalLong device) {
    this.device = device;
  }

  /** Returns one for files of which none has been looked at: each asks for itself. */
  public static OpenFileSystem unknown() {
    return new OpenFileSystem(OptionalLong.empty());
  }

  /**
   * Returns this if it has the device number, with what it has learnt, or another one that has.
   * Nothing is passed on where one device may show several file systems, as with 9p.
   *
   * @param otherDevice of something that was opened while what this is of has been open
   */
  public OpenFileSystem at(long otherDevice) {
    return device.equals(OptionalLong.of(otherDevice)) && !showsSeveral
        ? this
        : new OpenFileSystem(OptionalLong.of(otherDevice));
  }

  /**
   * Returns the identity of an open file, on whatever file system.
   *
   * @throws ErrnoException as {@link FileIdentity#of(FileCalls, int)} does
   */
  public FileIdentity identify(FileCalls calls, int fd, FileStatus status) throws ErrnoException {
    if (!isOf(status)) {
      return FileIdentity.of(calls, fd, status);
    }
    if (id.isEmpty()) {
      FileSystemStatus fileSystem = calls.statfs(fd);
      id = OptionalLong.of(FileIdentity.fileSystemId(calls, fd, status.device(), fileSystem));
      showsSeveral = fileSystem.type() == SEVERAL_IN_ONE;
    }
    return FileIdentity.of(calls, fd, status, id.getAsLong());
  }

  /**
   * Returns the id of the file system of a file, which may be closed; empty where that is another
   * file system, or before a file was identified, since that takes a descriptor.
   */
  public OptionalLong idOf(FileStatus status) {
    return isOf(status) ? id : OptionalLong.empty();
  }

  private boolean isOf(FileStatus status) {
    return device.equals(OptionalLong.of(status.device()));
  }
}
