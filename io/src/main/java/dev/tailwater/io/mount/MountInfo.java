package dev.tailwater.io.mount;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.FileSystemStatus;
import dev.tailwater.posix.value.OpenFlag;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The mount of a file, and the write size that suits it. An immutable snapshot: a remount may
 * change the answer.
 *
 * <pre>{@code
 * MountInfo mount = MountInfo.of(LinuxFileCalls.create(), PosixPath.of("/mnt/batch"));
 * if (mount.synchronous()) {
 *   System.out.println("hand down " + mount.preferredWriteBytes() + " bytes at a time");
 * }
 * }</pre>
 *
 * <p>On an NFS mount with {@code noac}, each write(2) becomes one WRITE request of the same size,
 * whatever {@code wsize} is, so the writer has to know {@code wsize} itself (article 000).
 *
 * <p>Sources: proc_pid_mountinfo(5), statfs(2), nfs(5), and the text that the kernel's show_options
 * functions print.
 *
 * @param mountPoint where it is mounted, in this process's view; {@linkplain PosixPath#EMPTY empty}
 *     when the {@linkplain #fromMountTable mount table} does not tell
 * @param fileSystemType as mount(8) calls it, such as {@code ext4} or {@code fuse.sshfs}; {@code
 *     unknown} without the mount table
 * @param source device, server or name; {@code unknown} without the mount table
 * @param options of the mount and of the superblock, each once, as the kernel prints them
 * @param kind where the data lies
 * @param blockSizeBytes in which the file system allocates space; f_frsize of statfs(2)
 * @param readOnly whether the mount or the whole file system is
 * @param synchronous whether a write(2) returns only when its bytes are durable, as far as the
 *     mount options tell: {@code sync}, and NFS with {@code noac}, which implies it. A server that
 *     gets each write at once (CIFS with {@code cache=none}, 9p without a cache, FUSE with direct
 *     I/O) may still keep it in memory
 * @param nfs the options that only NFS mounts have
 */
public record MountInfo(
    PosixPath mountPoint,
    String fileSystemType,
    String source,
    List<String> options,
    FileSystemKind kind,
    long blockSizeBytes,
    boolean readOnly,
    boolean synchronous,
    Optional<NfsMount> nfs) {
  public MountInfo {
    options = List.copyOf(options);
  }

  /**
   * Finds the mount of an open file by the mount id of its descriptor, which is right for bind
   * mounts, overmounts and btrfs subvolumes too. Two or three small reads of /proc.
   *
   * <p>Without /proc, or in a chroot(2) that hides the mount, the result has only what statfs(2)
   * reports, and {@link #fromMountTable} is false.
   *
   * @param fd any descriptor, also one with {@link OpenFlag#PATH}
   * @throws ErrnoException as statx(2), statfs(2) and reading /proc give it; EBADF above all
   */
  public static MountInfo of(FileCalls calls, int fd) throws ErrnoException {
    FileStatus status = calls.fstat(fd);
    FileSystemStatus fileSystem = calls.statfs(fd);
    FileSystemKind kind = FileSystemKind.ofType(fileSystem.type());
    ProcFiles proc = new ProcFiles(calls);
    Optional<MountEntry> entry = new MountLookup(proc).entry(fd, status);
    if (entry.isEmpty()) {
      return new MountInfo(
          PosixPath.EMPTY,
          MountOptions.UNKNOWN,
          MountOptions.UNKNOWN,
          List.of(),
          kind,
          fileSystem.blockSizeBytes(),
          false,
          false,
          Optional.empty());
    }
    MountEntry found = entry.get();
    MountOptions options = found.options();
    if (found.isNfs()) {
      options = options.and(MountStatistics.options(proc.mountStatistics(), found.mountPoint()));
    }
    return of(found, options, kind, fileSystem.blockSizeBytes());
  }

  /**
   * Finds the mount of an existing file or directory; follows a symbolic link. Opens the file with
   * {@link OpenFlag#PATH}, which needs neither read permission nor the other end of a FIFO.
   *
   * @throws ErrnoException ENOENT when there is no such file (ask for its directory then), and as
   *     {@link #of(FileCalls, int)}
   */
  public static MountInfo of(FileCalls calls, PosixPath path) throws ErrnoException {
    int fd = calls.open(NameCalls.AT_FDCWD, path, Set.of(OpenFlag.PATH), 0);
    try {
      return of(calls, fd);
    } finally {
      calls.close(fd);
    }
  }

  static MountInfo of(
      MountEntry entry, MountOptions options, FileSystemKind kind, long blockSizeBytes) {
    return new MountInfo(
        entry.mountPoint(),
        entry.type(),
        entry.source(),
        options.words(),
        kind,
        blockSizeBytes,
        options.has("ro"),
        options.has("sync") || (entry.isNfs() && options.has("noac")),
        entry.isNfs() ? Optional.of(NfsMount.of(options)) : Optional.empty());
  }

  /** Returns whether the mount table was readable; otherwise only statfs(2) was used. */
  public boolean fromMountTable() {
    return !mountPoint.isEmpty();
  }

  /**
   * Returns the best size of a write(2), at offsets that are multiples of it:
   *
   * <ul>
   *   <li>NFS and CIFS: {@code wsize}, which is one request
   *   <li>9p: what fits into {@code msize}, in whole pages
   *   <li>FUSE: 128 KiB, the usual {@code max_write}; the kernel does not show the real one, and
   *       splits longer writes into pieces that are no smaller
   *   <li>anything else: 256 KiB, rounded up to whole blocks
   * </ul>
   *
   * @return 4 KiB to {@value PreferredWrite#MAX_BYTES} bytes
   */
  public int preferredWriteBytes() {
    return PreferredWrite.bytes(fileSystemType, new MountOptions(options), kind, blockSizeBytes);
  }
}
