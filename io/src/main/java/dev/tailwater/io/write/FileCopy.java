package dev.tailwater.io.write;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.NotARegularFileException;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.value.FileStatus;
import java.io.EOFException;
import java.io.IOException;

/**
 * Copies files with writes of the size that the target's mount prefers.
 *
 * <pre>{@code
 * try (Descriptor source = Descriptor.openRegularFile(calls, AT_FDCWD, from, Set.of());
 *     Descriptor target =
 *         Descriptor.open(calls, AT_FDCWD, to, Set.of(WRITE_ONLY, CREATE, EXCLUSIVE), 0600)) {
 *   FileCopyResult copied =
 *       FileCopy.whole(source, target, FileCopyOptions.defaults().withHoles().withSync());
 *   System.out.println(copied.bytes() + " bytes by " + copied.method());
 * }
 * }</pre>
 *
 * <p>Between local file systems, the kernel copies ({@link CopyMethod#IN_KERNEL}); if it refuses,
 * bytes are read and written. On a remote or synchronous mount, or with O_DSYNC, each write is a
 * request that the caller waits for: there the copy writes {@link
 * dev.tailwater.io.mount.MountInfo#preferredWriteBytes} at a time, aligned to the target's offsets,
 * while the kernel reads ahead in the source (article 000, which found a copy through large buffers
 * faster than FileChannel.transferTo there).
 *
 * <p>Short reads and short writes are continued. A copy includes no attributes. If it fails, the
 * bytes written so far stay in the target. Both descriptors stay open; the position and the advice
 * of the source may change. Thread-safe, as long as nobody else writes to the range.
 */
public final class FileCopy {
  private FileCopy() {}

  /**
   * Copies the whole source, up to the end that it has when the copy gets there. A longer target is
   * truncated.
   *
   * @throws NotARegularFileException when one of them is no regular file
   * @throws IllegalArgumentException when both are one file, or the target is not open for writing,
   *     or open with APPEND or DIRECT
   * @throws ErrnoException of reading, writing and asking, with both paths
   */
  public static FileCopyResult whole(Descriptor source, Descriptor target, FileCopyOptions options)
      throws IOException {
    check(source, target);
    requireApart(source, 0, Long.MAX_VALUE, target, 0);
    try (CopyJob job = CopyJob.of(source, target, options, 0)) {
      long end = job.copy(0, Long.MAX_VALUE);
      job.finish(end, true);
      return job.result(end);
    }
  }

  /**
   * Copies a range. The target grows if necessary and keeps its bytes outside the range.
   *
   * @param sourceOffsetBytes where the range begins, at least 0
   * @param lengthBytes of the range, at least 0
   * @param targetOffsetBytes where its first byte goes, at least 0
   * @throws EOFException when the source ends inside the range; what there was is copied
   * @throws NotARegularFileException when one of them is no regular file
   * @throws IllegalArgumentException for a negative number; when both are one file and the ranges
   *     overlap; when the target is not open for writing, or open with APPEND or DIRECT
   * @throws ErrnoException of reading, writing and asking, with both paths
   */
  public static FileCopyResult range(
      Descriptor source,
      long sourceOffsetBytes,
      long lengthBytes,
      Descriptor target,
      long targetOffsetBytes,
      FileCopyOptions options)
      throws IOException {
    requireRange(sourceOffsetBytes, lengthBytes);
    requireRange(targetOffsetBytes, lengthBytes);
    check(source, target);
    requireApart(source, sourceOffsetBytes, lengthBytes, target, targetOffsetBytes);
    long shift = targetOffsetBytes - sourceOffsetBytes;
    try (CopyJob job = CopyJob.of(source, target, options, shift)) {
      long end = job.copy(sourceOffsetBytes, sourceOffsetBytes + lengthBytes);
      long copied = end - sourceOffsetBytes;
      if (copied > 0) {
        job.finish(end, false);
      }
      if (copied < lengthBytes) {
        throw new EOFException(
            source.path()
                + (copied > 0 ? " ends at " : " has no byte at ")
                + end
                + ", "
                + (lengthBytes - copied)
                + " bytes before the end of the range that was to be copied");
      }
      return job.result(copied);
    }
  }

  private static void requireRange(long offsetBytes, long lengthBytes) {
    if (offsetBytes < 0 || lengthBytes < 0 || offsetBytes > Long.MAX_VALUE - lengthBytes) {
      throw new IllegalArgumentException(
          "a range of " + lengthBytes + " bytes at offset " + offsetBytes);
    }
  }

  private static void check(Descriptor source, Descriptor target) throws IOException {
    NotARegularFileException.check(source.calls(), source.fd(), source.path());
    NotARegularFileException.check(target.calls(), target.fd(), target.path());
    KernelFile.requireUsable(target, target.calls().openFlags(target.fd()));
  }

  private static void requireApart(
      Descriptor source, long sourceOffset, long length, Descriptor target, long targetOffset)
      throws ErrnoException {
    FileStatus from = source.calls().fstat(source.fd());
    FileStatus to = target.calls().fstat(target.fd());
    boolean sameFile = from.device() == to.device() && from.inode() == to.inode();
    if (sameFile && Math.abs(targetOffset - sourceOffset) < length) {
      throw new IllegalArgumentException(
          source.path() + " and " + target.path() + " are one file, and the ranges overlap");
    }
  }
}
