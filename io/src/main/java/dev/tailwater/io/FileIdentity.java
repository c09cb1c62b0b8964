package dev.tailwater.io;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.FileSystemStatus;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The identity of a file, independent of its name, as its descriptor reports it. An inode number
 * may be reused once its file is deleted; generation and birth time distinguish the two files.
 *
 * <p>Binary form, big endian: version 1 (1 byte), flags (1 byte: 1 generation, 2 birth time), file
 * system (8), inode (8), then generation (8) and birth time (8) where the flags say so.
 *
 * @param fileSystemId f_fsid of statfs(2); where that is only the device number, which changes when
 *     a disk is attached elsewhere, the two halves of the file system's UUID, one over the other
 *     (XOR), if it tells one; the device number where f_fsid is 0
 * @param generation of the inode (FS_IOC_GETVERSION, ioctl_iflags(2)); empty where the file system
 *     keeps none or does not tell
 * @param birthTimeNanos nanoseconds since the epoch; empty where the file system keeps none
 */
public record FileIdentity(
    long fileSystemId, long inode, OptionalLong generation, OptionalLong birthTimeNanos) {
  private static final byte VERSION = 1;
  private static final int HAS_GENERATION = 1;
  private static final int HAS_BIRTH_TIME = 2;
  private static final int FIXED_BYTES = 18;
  private static final Set<Errno> NO_GENERATION =
      EnumSet.of(
          Errno.ENOTTY, Errno.EOPNOTSUPP, Errno.ENOSYS, Errno.EINVAL, Errno.EPERM, Errno.EACCES);

  /**
   * Reads the identity of an open file: fstat, statfs, and the generation ioctl (three system
   * calls); on XFS and other file systems whose f_fsid is their device, also the UUID.
   *
   * @throws ErrnoException EIO, EBADF, ESTALE and whatever else those calls give; a file system
   *     without generations is no error
   */
  public static FileIdentity of(FileCalls calls, int fd) throws ErrnoException {
    return of(calls, fd, calls.fstat(fd));
  }

  /**
   * Reads the rest of the identity of an open file whose status is known: statfs and the generation
   * ioctl.
   *
   * @throws ErrnoException as {@link #of(FileCalls, int)} does
   */
  public static FileIdentity of(FileCalls calls, int fd, FileStatus status) throws ErrnoException {
    long fileSystemId = fileSystemId(calls, fd, status.device(), calls.statfs(fd));
    return of(calls, fd, status, fileSystemId);
  }

  /**
   * Reads the rest of the identity of an open file whose status and {@link #fileSystemId} are
   * known: the generation ioctl.
   *
   * @throws ErrnoException as {@link #of(FileCalls, int)} does
   */
  public static FileIdentity of(FileCalls calls, int fd, FileStatus status, long fileSystemId)
      throws ErrnoException {
    return new FileIdentity(
        fileSystemId, status.inode(), generation(calls, fd), status.birthTimeNanos());
  }

  /**
   * Returns the {@link #fileSystemId()} of files on the file system of an open file.
   *
   * @param device of the file
   * @param fileSystem what statfs says of it
   * @throws ErrnoException as {@link #of(FileCalls, int)} does
   */
  static long fileSystemId(FileCalls calls, int fd, long device, FileSystemStatus fileSystem)
      throws ErrnoException {
    long id = fileSystem.id();
    if (id == 0) {
      return device;
    }
    if (id != encoded(device)) {
      return id;
    }
    return calls
        .fileSystemUuid(fd)
        .map(uuid -> uuid.getMostSignificantBits() ^ uuid.getLeastSignificantBits())
        .orElse(id);
  }

  /** As the kernel puts a device number into f_fsid: huge_encode_dev in linux/kdev_t.h. */
  private static long encoded(long device) {
    long major = device >>> 32;
    long minor = device & 0xffff_ffffL;
    return (minor & 0xff) | major << 8 | (minor & ~0xffL) << 12;
  }

  /**
   * Returns the identity without the file system, for comparison with identities recorded when only
   * a device number identified the file system. Empty unless the file has generation and birth
   * time.
   */
  public Optional<FileIdentity> anywhere() {
    return generation.isPresent() && birthTimeNanos.isPresent()
        ? Optional.of(new FileIdentity(0, inode, generation, birthTimeNanos))
        : Optional.empty();
  }

  private static OptionalLong generation(FileCalls calls, int fd) throws ErrnoException {
    try {
      return OptionalLong.of(calls.generation(fd));
    } catch (ErrnoException e) {
      if (NO_GENERATION.contains(e.errno())) {
        return OptionalLong.empty();
      }
      throw e;
    }
  }

  /** Returns the binary form: 18, 26 or 34 bytes. */
  public byte[] toBytes() {
    int flags =
        (generation.isPresent() ? HAS_GENERATION : 0)
            | (birthTimeNanos.isPresent() ? HAS_BIRTH_TIME : 0);
    ByteBuffer to = ByteBuffer.allocate(lengthBytes(flags));
    to.put(VERSION).put((byte) flags).putLong(fileSystemId).putLong(inode);
    generation.ifPresent(to::putLong);
    birthTimeNanos.ifPresent(to::putLong);
    return to.array();
  }

  /** Parses the binary form; throws {@link IllegalArgumentException} for anything else. */
  public static FileIdentity fromBytes(byte[] bytes) {
    if (bytes.length < FIXED_BYTES || bytes[0] != VERSION) {
      throw new IllegalArgumentException(
          "no file identity of version " + VERSION + ": " + bytes.length + " bytes");
    }
    int flags = bytes[1] & 0xFF;
    if ((flags & ~(HAS_GENERATION | HAS_BIRTH_TIME)) != 0 || bytes.length != lengthBytes(flags)) {
      throw new IllegalArgumentException(
          "file identity with flags " + flags + " in " + bytes.length + " bytes");
    }
    ByteBuffer from = ByteBuffer.wrap(bytes).position(2);
    long fileSystemId = from.getLong();
    long inode = from.getLong();
    OptionalLong generation = next(from, flags & HAS_GENERATION);
    return new FileIdentity(fileSystemId, inode, generation, next(from, flags & HAS_BIRTH_TIME));
  }

  private static OptionalLong next(ByteBuffer from, int present) {
    return present == 0 ? OptionalLong.empty() : OptionalLong.of(from.getLong());
  }

  private static int lengthBytes(int flags) {
    return FIXED_BYTES + Long.BYTES * Integer.bitCount(flags);
  }
}
