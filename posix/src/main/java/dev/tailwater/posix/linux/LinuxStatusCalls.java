package dev.tailwater.posix.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.StatusCalls;
import dev.tailwater.posix.binding.OpenBits;
import dev.tailwater.posix.binding.Platform;
import dev.tailwater.posix.binding.Scratch;
import dev.tailwater.posix.binding.ScratchPool;
import dev.tailwater.posix.binding.StatfsLayout;
import dev.tailwater.posix.binding.StatusBindings;
import dev.tailwater.posix.binding.StatxLayout;
import dev.tailwater.posix.value.DirectAlignment;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.FileSystemStatus;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.StatFlag;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/** The implementation of {@link StatusCalls} for Linux. */
final class LinuxStatusCalls implements StatusCalls {
  private static final int AT_SYMLINK_NOFOLLOW = 0x100;
  private static final int AT_NO_AUTOMOUNT = 0x800;
  private static final int AT_EMPTY_PATH = 0x1000;

  /** _IOR('v', 1, long); the kernel writes an int nevertheless. */
  private static final long FS_IOC_GETVERSION = 0x80087601L;

  /** _IOR(0x15, 0, struct fsuuid2): length (1 byte), UUID (16). */
  private static final long FS_IOC_GETFSUUID = 0x80111500L;

  private static final long FS_IOC_GETFSUUID_AT = 1;

  /** _IOR('X', 100, struct xfs_fsop_geom_v1), 112 bytes, which every version of XFS supports. */
  private static final long XFS_IOC_FSGEOMETRY_V1 = 0x80705864L;

  private static final long XFS_IOC_FSGEOMETRY_V1_UUID_AT = 64;
  private static final int UUID_BYTES = 16;

  /**
   * The errors that mean that the kernel, the file system or a sandbox does not have the request.
   */
  private static final Set<Errno> NO_UUID =
      EnumSet.of(Errno.ENOTTY, Errno.EOPNOTSUPP, Errno.EINVAL, Errno.ENOSYS, Errno.EPERM);

  private static final int W_OK = 2;
  private static final int AT_EACCESS = 0x200;
  private static final Set<Errno> NOT_WRITABLE =
      EnumSet.of(Errno.EACCES, Errno.EPERM, Errno.EROFS, Errno.ETXTBSY);

  private static final int F_GETFL = 3;
  private static final int LOCK_EX = 2;
  private static final int LOCK_NB = 4;

  private final Platform platform;
  private final ScratchPool scratches;

  LinuxStatusCalls(Platform platform, ScratchPool scratches) {
    this.platform = platform;
    this.scratches = scratches;
  }

  @Override
  public FileStatus fstat(int fd) throws ErrnoException {
    // Not fstat(2): its struct differs between architectures and has no birth time.
    return statx(
        "fstat",
        fd,
        PosixPath.EMPTY,
        AT_EMPTY_PATH,
        StatxLayout.WANTED,
        scratch -> StatxLayout.read(scratch.structBuffer()));
  }

  @Override
  public FileStatus statx(int dirFd, PosixPath path, Set<StatFlag> flags) throws ErrnoException {
    int bits =
        (flags.contains(StatFlag.NO_FOLLOW) ? AT_SYMLINK_NOFOLLOW : 0)
            | (flags.contains(StatFlag.EMPTY_PATH) ? AT_EMPTY_PATH : 0);
    return statx(
        "statx",
        dirFd,
        path,
        bits,
        StatxLayout.WANTED,
        scratch -> StatxLayout.read(scratch.structBuffer()));
  }

  private <T> T statx(
      String operation, int dirFd, PosixPath path, int flags, int mask, Function<Scratch, T> result)
      throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      MemorySegment target = scratch.struct();
      int returned;
      do {
        returned =
            StatusBindings.statx(
                scratch.errno(),
                dirFd,
                scratch.path(path),
                flags | AT_NO_AUTOMOUNT, // like stat(2)
                mask,
                target);
      } while (returned < 0 && scratch.interrupted());
      if (returned < 0) {
        throw scratch.failure(operation, dirFd, path);
      }
      return result.apply(scratch);
    }
  }

  @Override
  public long generation(int fd) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      MemorySegment target = scratch.struct();
      target.set(JAVA_LONG, 0, 0L);
      if (StatusBindings.ioctl(scratch.errno(), fd, FS_IOC_GETVERSION, target) < 0) {
        throw scratch.failure("generation", fd);
      }
      return Integer.toUnsignedLong(target.get(JAVA_INT, 0));
    }
  }

  @Override
  public Optional<UUID> fileSystemUuid(int fd) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      Optional<UUID> told = uuid(scratch, fd, FS_IOC_GETFSUUID, FS_IOC_GETFSUUID_AT);
      return told.isPresent()
          ? told
          : uuid(scratch, fd, XFS_IOC_FSGEOMETRY_V1, XFS_IOC_FSGEOMETRY_V1_UUID_AT);
    }
  }

  private static Optional<UUID> uuid(Scratch scratch, int fd, long request, long at)
      throws ErrnoException {
    MemorySegment target = scratch.struct().fill((byte) 0);
    if (StatusBindings.ioctl(scratch.errno(), fd, request, target) < 0) {
      if (NO_UUID.contains(Errno.of(scratch.errnoNumber()))) {
        return Optional.empty();
      }
      throw scratch.failure("fsuuid", fd);
    }
    ByteBuffer bytes = target.asSlice(at, UUID_BYTES).asByteBuffer(); // Big-endian, as UUIDs are.
    UUID uuid = new UUID(bytes.getLong(), bytes.getLong());
    return Optional.of(uuid).filter(u -> !u.equals(new UUID(0, 0)));
  }

  @Override
  public FileSystemStatus statfs(int fd) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      MemorySegment target = scratch.struct();
      int result;
      do {
        result = StatusBindings.fstatfs(scratch.errno(), fd, target);
      } while (result < 0 && scratch.interrupted());
      if (result < 0) {
        throw scratch.failure("statfs", fd);
      }
      return StatfsLayout.read(target);
    }
  }

  @Override
  public long effectiveUserId() {
    try (Scratch scratch = scratches.acquire()) {
      return Integer.toUnsignedLong(StatusBindings.geteuid(scratch.errno()));
    }
  }

  @Override
  public boolean mayWrite(int fd) throws ErrnoException {
    // Uses the link in /proc, since faccessat with an empty path needs glibc 2.33 and Linux 5.8.
    PosixPath self = PosixPath.of("/proc/self/fd/" + fd);
    try (Scratch scratch = scratches.acquire()) {
      int result;
      do {
        result =
            StatusBindings.faccessat(
                scratch.errno(), NameCalls.AT_FDCWD, scratch.path(self), W_OK, AT_EACCESS);
      } while (result < 0 && scratch.interrupted());
      if (result < 0 && NOT_WRITABLE.contains(Errno.of(scratch.errnoNumber()))) {
        return false;
      }
      if (result < 0) {
        throw scratch.failure("faccessat", fd);
      }
      return true;
    }
  }

  @Override
  public Set<OpenFlag> openFlags(int fd) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      int bits = StatusBindings.fcntl(scratch.errno(), fd, F_GETFL, 0);
      if (bits < 0) {
        throw scratch.failure("fcntl", fd);
      }
      return OpenBits.kept(bits, platform);
    }
  }

  @Override
  public Optional<DirectAlignment> directAlignment(int fd) throws ErrnoException {
    return statx(
        "statx",
        fd,
        PosixPath.EMPTY,
        AT_EMPTY_PATH,
        StatxLayout.DIRECT_ALIGNMENT,
        scratch -> StatxLayout.directAlignment(scratch.struct()));
  }

  @Override
  public boolean tryLock(int fd) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      int result;
      do {
        result = StatusBindings.flock(scratch.errno(), fd, LOCK_EX | LOCK_NB);
      } while (result < 0 && scratch.interrupted());
      if (result < 0 && scratch.failedWith(Errno.EAGAIN)) {
        return false;
      }
      if (result < 0) {
        throw scratch.failure("flock", fd);
      }
      return true;
    }
  }
}
