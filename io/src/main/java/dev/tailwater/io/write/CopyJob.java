package dev.tailwater.io.write;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.mount.FileSystemKind;
import dev.tailwater.io.mount.MountInfo;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileAdvice;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.Advice;
import dev.tailwater.posix.value.AllocateFlag;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One {@link FileCopy}. Offsets are those of the source; the target's are {@code shiftBytes} more.
 */
final class CopyJob implements AutoCloseable {
  /** Bounds the time of one call. */
  private static final long MAX_KERNEL_COPY_BYTES = 1L << 30;

  /** After these failures, reading and writing may still succeed. */
  private static final Set<Errno> CANNOT_COPY =
      EnumSet.of(
          Errno.EXDEV, Errno.EOPNOTSUPP, Errno.EINVAL, Errno.ENOSYS, Errno.EPERM, Errno.ETXTBSY);

  private static final Set<Errno> CANNOT_PUNCH = EnumSet.of(Errno.EOPNOTSUPP, Errno.ENOSYS);

  private final Descriptor source;
  private final Descriptor target;
  private final FileCalls calls;
  private final FileCopyOptions options;
  private final long shiftBytes;
  private final BlockWriterOptions writing;
  private final long targetSizeBefore;
  private CopyMethod method;
  private Optional<BlockCopier> blocks = Optional.empty();
  private long kernelCopies;
  private long holeBytes;

  private CopyJob(
      Descriptor source,
      Descriptor target,
      FileCopyOptions options,
      long shiftBytes,
      MountInfo mount,
      CopyMethod method)
      throws ErrnoException {
    this.source = source;
    this.target = target;
    this.calls = target.calls();
    this.options = options;
    this.shiftBytes = shiftBytes;
    this.method = method;
    BlockWriterOptions ofMount = BlockWriterOptions.of(mount);
    writing = options.writeBytes() > 0 ? ofMount.withWriteBytes(options.writeBytes()) : ofMount;
    targetSizeBefore = calls.fstat(target.fd()).sizeBytes();
  }

  static CopyJob of(Descriptor source, Descriptor target, FileCopyOptions options, long shiftBytes)
      throws ErrnoException {
    MountInfo mount = MountInfo.of(target.calls(), target.fd());
    CopyMethod method =
        options.method().isPresent() ? options.method().get() : preferred(source, target, mount);
    if (method == CopyMethod.BLOCK_WRITES) {
      FileAdvice.give(source.calls(), source.fd(), 0, 0, Advice.SEQUENTIAL); // reads ahead further
    }
    return new CopyJob(source, target, options, shiftBytes, mount, method);
  }

  private static CopyMethod preferred(Descriptor source, Descriptor target, MountInfo mount)
      throws ErrnoException {
    boolean local =
        mount.kind() == FileSystemKind.LOCAL
            && FileSystemKind.of(source.calls(), source.fd()) == FileSystemKind.LOCAL;
    boolean waitsForEachWrite =
        mount.synchronous() || target.calls().openFlags(target.fd()).contains(OpenFlag.DATA_SYNC);
    return local && !waitsForEachWrite ? CopyMethod.IN_KERNEL : CopyMethod.BLOCK_WRITES;
  }

  /** Copies up to {@code to} or the end of the source, and returns which of them it was. */
  long copy(long from, long to) throws IOException {
    if (!options.keepHoles()) {
      return data(from, to);
    }
    long at = from;
    while (at < to) {
      // Before the search for data, so that the size does not include bytes appended after it.
      long size = sourceSize();
      OptionalLong data = seek(at, true);
      long holeEnd = Math.min(to, data.orElse(Math.max(at, size)));
      hole(at, holeEnd);
      if (data.isEmpty() || holeEnd == to) {
        return holeEnd;
      }
      long dataEnd = Math.min(to, seek(holeEnd, false).orElse(holeEnd));
      at = data(holeEnd, dataEnd);
      if (at < dataEnd || at == holeEnd) { // the source was cut meanwhile
        return Math.min(at, sourceSize());
      }
    }
    return at;
  }

  private long sourceSize() throws ErrnoException {
    return source.calls().fstat(source.fd()).sizeBytes();
  }

  private OptionalLong seek(long at, boolean forData) throws ErrnoException {
    try {
      return forData
          ? source.calls().seekData(source.fd(), at)
          : source.calls().seekHole(source.fd(), at);
    } catch (ErrnoException e) {
      throw told(e, at);
    }
  }

  private long data(long from, long to) throws IOException {
    long at = from;
    while (method == CopyMethod.IN_KERNEL && at < to) {
      long copied = inKernel(at, Math.min(to - at, MAX_KERNEL_COPY_BYTES));
      at += copied;
      if (copied == 0 && method == CopyMethod.IN_KERNEL && isEnd(at)) {
        return at;
      }
    }
    return at < to ? blocks().copy(at, to) : at;
  }

  private long inKernel(long at, long lengthBytes) throws ErrnoException {
    try {
      long copied = calls.copyFileRange(source.fd(), at, target.fd(), at + shiftBytes, lengthBytes);
      kernelCopies++;
      return copied;
    } catch (ErrnoException e) {
      if (!CANNOT_COPY.contains(e.errno())) {
        throw told(e, at);
      }
      method = CopyMethod.BLOCK_WRITES;
      return 0;
    }
  }

  /** Checks for the end by a read, since some file systems copy 0 bytes although there are more. */
  private boolean isEnd(long at) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      if (source.calls().pread(source.fd(), arena.allocate(1), at) == 0) {
        return true;
      }
    } catch (ErrnoException e) {
      throw told(e, at);
    }
    method = CopyMethod.BLOCK_WRITES;
    return false;
  }

  /** Punches a hole into the target, except after its end. */
  private void hole(long from, long to) throws IOException {
    holeBytes += to - from;
    long usedTo = Math.min(to, targetSizeBefore - shiftBytes);
    if (from >= usedTo) {
      return;
    }
    try {
      calls.fallocate(
          target.fd(),
          EnumSet.of(AllocateFlag.PUNCH_HOLE, AllocateFlag.KEEP_SIZE),
          from + shiftBytes,
          usedTo - from);
    } catch (ErrnoException e) {
      if (!CANNOT_PUNCH.contains(e.errno())) {
        throw told(e, from);
      }
      holeBytes -= usedTo - from;
      blocks().zeros(from, usedTo);
    }
  }

  private BlockCopier blocks() throws IOException {
    if (blocks.isEmpty()) {
      blocks =
          Optional.of(new BlockCopier(source, BlockWriter.over(target, 0, writing), shiftBytes));
    }
    return blocks.get();
  }

  /**
   * Writes everything, and sets the size for a copy that reaches to {@code end}.
   *
   * @param cut whether to truncate the target there
   */
  void finish(long end, boolean cut) throws ErrnoException {
    if (blocks.isPresent()) {
      blocks.get().flush();
    }
    try {
      long size = calls.fstat(target.fd()).sizeBytes();
      long wanted = end + shiftBytes;
      if (size < wanted || (cut && size > wanted)) {
        calls.truncate(target.fd(), wanted);
      }
      if (options.sync()) {
        calls.fdatasync(target.fd());
      }
    } catch (ErrnoException e) {
      throw told(e, end);
    }
  }

  FileCopyResult result(long bytes) {
    long writes = blocks.map(BlockCopier::kernelWrites).orElse(0L);
    return new FileCopyResult(bytes, holeBytes, method, kernelCopies + writes);
  }

  private ErrnoException told(ErrnoException e, long at) {
    return new ErrnoException(
        e.operation(),
        source.path() + " -> " + target.path(),
        e.errnoNumber(),
        e.errno().text() + "; the copy got to offset " + at + " of the source");
  }

  /** Frees the resources. Bytes may be missing unless {@link #finish} was called. */
  @Override
  public void close() throws ErrnoException {
    if (blocks.isPresent()) {
      blocks.get().close();
    }
  }
}
