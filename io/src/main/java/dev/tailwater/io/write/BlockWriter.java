package dev.tailwater.io.write;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.mount.MountInfo;
import dev.tailwater.posix.ErrnoException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A buffered writer that turns writes of any size into kernel writes of the preferred size, aligned
 * to offsets of the file.
 *
 * <pre>{@code
 * try (Descriptor file = Descriptor.open(calls, AT_FDCWD, path, flags, 0600);
 *     BlockWriter writer = BlockWriter.over(file, 0)) {
 *   writer.write(bytes, 0, bytes.length); // any number of any size
 *   writer.sync(); // durable up to writer.durableOffsetBytes()
 * }
 * }</pre>
 *
 * <p><b>Blocks.</b> A kernel write that covers only part of a block makes the kernel read that
 * block first, unless it is in the page cache. Here only the first write of a run may begin inside
 * a block, and only a write that {@link #flush} causes may end inside one. A partly flushed block
 * stays in the buffer and is later written again as a whole, so that its page need not be in the
 * page cache.
 *
 * <p><b>Durability.</b> Three offsets show the progress of the current run of writes; a run begins
 * where the writer begins and with each {@link #seek}. The writer has accepted the bytes before
 * {@link #writtenOffsetBytes}, the kernel has the bytes before {@link #flushedOffsetBytes}, and the
 * bytes before {@link #durableOffsetBytes} survive a crash of the machine. {@link #bytesAtRisk}
 * covers all runs. On a synchronous mount, or with O_SYNC or O_DSYNC, bytes are durable when
 * write(2) returns. Since the writer buffers bytes, they are durable when {@link #flush} returns,
 * not when {@link #write} does; {@link BlockWriterOptions#maxUnflushedBytes} bounds the difference.
 * On other mounts, only {@link #sync} moves the durable offset. The name of a new file is durable
 * after fsync(2) of its directory, which the caller does.
 *
 * <p><b>Failure.</b> A failed write loses nothing: the accepted bytes are still in the buffer, the
 * offsets are right, and the next call tries again (after ENOSPC, once there is space). The bytes
 * of the failed call after {@link #writtenOffsetBytes} were not accepted. After a failed fdatasync,
 * the kernel may have dropped pages that it could not write, and another fdatasync would succeed
 * without them. So the writer has then {@linkplain #failure failed} permanently, the durable offset
 * stays, and the caller must write everything after it again, preferably into a new file.
 *
 * <p>Copies: one, into the buffer; none for native memory that holds whole kernel writes. Not
 * thread-safe. Several writers may write disjoint ranges of one file.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/pwrite.2.html">pwrite(2)</a>
 * @see <a href="https://man7.org/linux/man-pages/man2/fsync.2.html">fdatasync(2)</a>
 */
public final class BlockWriter implements BlockWriterStream.Target, AutoCloseable {
  private final Descriptor file;
  private final BlockWriterOptions options;
  private final WriteGeometry geometry;
  private final Fallbacks fallbacks = new Fallbacks();
  private final KernelFile kernel;
  private final Preallocation preallocation;
  private final WriteBuffer buffer;

  /** Where the run began. The offsets below belong to the run and never decrease within it. */
  private long runStart;

  private long position;

  /** The offset of the buffer in the file, and the offset from which on it holds bytes. */
  private long windowStart;

  private long validFrom;
  private long flushedTo;
  private long durableTo;

  /** The bytes at risk of earlier runs. */
  private long earlierAtRisk;

  private Optional<ErrnoException> failure = Optional.empty();
  private boolean closed;

  private BlockWriter(
      Descriptor file,
      long offsetBytes,
      BlockWriterOptions options,
      WriteGeometry geometry,
      WriteBuffer buffer)
      throws IOException {
    this.file = file;
    this.options = options;
    this.geometry = geometry;
    this.buffer = buffer;
    this.kernel = KernelFile.of(file, geometry, options, fallbacks);
    this.preallocation = new Preallocation(file, options.preallocateBytes(), fallbacks);
    try {
      begin(offsetBytes);
    } catch (ErrnoException e) {
      kernel.close();
      throw e;
    }
  }

  /**
   * Creates a writer that starts at an offset, which need not be aligned. Makes a few system calls.
   * The descriptor stays the caller's, who closes it after the writer.
   *
   * @throws dev.tailwater.io.NotARegularFileException for anything but a regular file
   * @throws IllegalArgumentException when the descriptor is not open for writing, or is open with
   *     APPEND or DIRECT, or the offset is negative
   * @throws ErrnoException as fstat(2), fstatfs(2), statx(2) and fcntl(2) say; refusals that only
   *     make writing slower are listed by {@link #fallbacks} instead
   */
  public static BlockWriter over(Descriptor file, long offsetBytes, BlockWriterOptions options)
      throws IOException {
    WriteGeometry.requireOffset(offsetBytes);
    WriteGeometry geometry = WriteGeometry.of(file, options.blockBytes(), options.writeBytes());
    return new BlockWriter(
        file, offsetBytes, options, geometry, WriteBuffer.own(geometry.windowBytes()));
  }

  /**
   * As {@link #over(Descriptor, long, BlockWriterOptions)}, with the caller's buffer, for example
   * from a {@link dev.tailwater.io.buffer.BufferPool}. The buffer belongs to the writer until
   * close; a small buffer makes kernel writes smaller.
   *
   * @param buffer native, page-aligned, and of at least one block
   * @throws IllegalArgumentException when it is not
   */
  public static BlockWriter over(
      Descriptor file, long offsetBytes, BlockWriterOptions options, MemorySegment buffer)
      throws IOException {
    WriteGeometry.requireOffset(offsetBytes);
    int bytes = Math.clamp(buffer.byteSize(), 1, options.writeBytes());
    WriteGeometry geometry = WriteGeometry.of(file, options.blockBytes(), bytes);
    return new BlockWriter(
        file, offsetBytes, options, geometry, WriteBuffer.lent(buffer, geometry.windowBytes()));
  }

  /**
   * As {@link #over(Descriptor, long, BlockWriterOptions)}, with options for the file's mount.
   * Reads the mount table; for many files of one mount, reuse the result of {@link
   * BlockWriterOptions#of}.
   */
  public static BlockWriter over(Descriptor file, long offsetBytes) throws IOException {
    return over(file, offsetBytes, BlockWriterOptions.of(MountInfo.of(file.calls(), file.fd())));
  }

  /** Writes a part of an array; see {@link #write(MemorySegment)}. */
  @Override
  public void write(byte[] source, int from, int lengthBytes) throws ErrnoException {
    Objects.checkFromIndexSize(from, lengthBytes, source.length);
    if (lengthBytes >= windowEnd() - position) {
      write(MemorySegment.ofArray(source).asSlice(from, lengthBytes));
      return;
    }
    // Small writes are frequent, so they create no segment.
    requireOpen();
    buffer.put(source, from, position - windowStart, lengthBytes);
    position += lengthBytes;
    flushIfOverBound();
  }

  /**
   * Writes the remaining bytes of a buffer and advances its position by the accepted bytes, even if
   * this fails. See {@link #write(MemorySegment)}.
   */
  public void write(ByteBuffer source) throws ErrnoException {
    long before = position;
    try {
      write(MemorySegment.ofBuffer(source));
    } finally {
      source.position(source.position() + (int) (position - before));
    }
  }

  /**
   * Accepts all bytes and hands each full window to the kernel. If this fails, the bytes before
   * {@link #writtenOffsetBytes} were accepted and the rest were not.
   *
   * @throws ErrnoException as {@link dev.tailwater.posix.WriteCalls#pwrite} says, with the path,
   *     the offset and how far the writer got, and as its cause without; the next call tries again
   * @throws IllegalStateException when the writer is closed
   */
  public void write(MemorySegment source) throws ErrnoException {
    requireOpen();
    long size = source.byteSize();
    long done = 0;
    while (done < size) {
      if (position == windowEnd()) {
        flushBuffer(); // what an earlier call could not
      }
      if (canSkipBuffer(source, done)) {
        done += writeUnbuffered(source.asSlice(done, geometry.windowBytes()));
      } else {
        long length = Math.min(size - done, windowEnd() - position);
        buffer.put(source, done, position - windowStart, length);
        position += length;
        done += length;
        if (position == windowEnd()) {
          flushBuffer();
        }
      }
    }
    flushIfOverBound();
  }

  private void flushIfOverBound() throws ErrnoException {
    if (position - flushedTo > options.maxUnflushedBytes()) {
      flushBuffer();
    }
  }

  private boolean canSkipBuffer(MemorySegment source, long from) {
    return position == windowStart
        && source.isNative()
        && source.byteSize() - from >= geometry.windowBytes()
        && kernel.takesMemoryAt(source.address() + from);
  }

  /** Writes one window, or the part that the kernel takes, without a copy. */
  private long writeUnbuffered(MemorySegment source) throws ErrnoException {
    preallocation.cover(position, position + source.byteSize());
    int written = writeOnce(source, position);
    position += written;
    validFrom = position;
    advance(position);
    if (position == windowEnd()) {
      windowStart = position;
    }
    return written;
  }

  private long windowEnd() {
    return windowStart + geometry.windowBytes();
  }

  /**
   * Hands all accepted bytes to the kernel. If the next bytes belong to the same block, that block
   * is written again.
   *
   * @throws ErrnoException as {@link #write(MemorySegment)}
   */
  @Override
  public void flush() throws ErrnoException {
    requireOpen();
    flushBuffer();
  }

  private void flushBuffer() throws ErrnoException {
    if (flushedTo < position) {
      long at = Math.max(validFrom, geometry.blockStart(flushedTo));
      preallocation.cover(at, position);
      while (at < position) {
        at += writeOnce(buffer.slice(at - windowStart, position - windowStart), at);
        advance(Math.max(flushedTo, at));
      }
    }
    if (position == windowEnd()) {
      windowStart = position;
      validFrom = position;
    }
  }

  private int writeOnce(MemorySegment bytes, long offsetBytes) throws ErrnoException {
    try {
      return kernel.write(bytes, offsetBytes);
    } catch (ErrnoException e) {
      throw refused(e, offsetBytes);
    }
  }

  private void advance(long offsetBytes) throws ErrnoException {
    flushedTo = offsetBytes;
    if (kernel.durableWrites()) {
      durableTo = offsetBytes;
    }
    kernel.writtenTo(offsetBytes);
  }

  /**
   * Makes all accepted bytes of this and earlier runs durable: a {@link #flush}, and one
   * fdatasync(2) unless nothing is at risk. This includes the size of the file.
   *
   * @throws ErrnoException as {@link #flush}; as {@link dev.tailwater.posix.WriteCalls#fdatasync},
   *     and then the writer has failed for good
   */
  public void sync() throws ErrnoException {
    flush();
    if (bytesAtRisk() == 0) {
      return;
    }
    try {
      kernel.sync(position);
    } catch (ErrnoException e) {
      throw refused(e, position);
    }
    durableTo = position;
    earlierAtRisk = 0;
  }

  /**
   * Moves to an offset and begins a new run there, after handing all accepted bytes to the kernel.
   * Does nothing if the writer is already at this offset.
   *
   * @throws ErrnoException as {@link #flush}; the position stays
   */
  public void seek(long offsetBytes) throws ErrnoException {
    WriteGeometry.requireOffset(offsetBytes);
    requireOpen();
    if (offsetBytes != position) {
      flushBuffer();
      long atRisk = bytesAtRisk();
      begin(offsetBytes);
      earlierAtRisk = atRisk;
    }
  }

  private void begin(long offsetBytes) throws ErrnoException {
    kernel.begin(offsetBytes);
    windowStart = geometry.windowStart(offsetBytes);
    validFrom = offsetBytes;
    runStart = offsetBytes;
    position = offsetBytes;
    flushedTo = offsetBytes;
    durableTo = offsetBytes;
  }

  /** Returns the offset at which the current run began. */
  public long runStartOffsetBytes() {
    return runStart;
  }

  /** Returns the offset of the next byte: all bytes of the run before it are accepted. */
  public long writtenOffsetBytes() {
    return position;
  }

  /** Returns the offset before which the kernel has all bytes of the run: others can read them. */
  public long flushedOffsetBytes() {
    return flushedTo;
  }

  /** Returns the offset before which all bytes of the run survive a crash of the machine. */
  public long durableOffsetBytes() {
    return durableTo;
  }

  /**
   * Returns how many accepted bytes of all runs are not known to be durable; 0 if all are. A byte
   * that was written twice may count twice.
   */
  public long bytesAtRisk() {
    return earlierAtRisk + position - durableTo;
  }

  /** Returns the permanent failure, if any. Every call but close() then throws it again. */
  public Optional<ErrnoException> failure() {
    return failure;
  }

  /** Returns the requested features that are not available, each with its substitute and reason. */
  public List<String> fallbacks() {
    return fallbacks.reasons();
  }

  /** Returns the number of kernel writes so far, including failed ones. */
  public long kernelWrites() {
    return kernel.writes();
  }

  /** Returns the size of a kernel write. */
  public int writeBytes() {
    return geometry.windowBytes();
  }

  /** Returns the block size, to which kernel writes are aligned. */
  public int blockBytes() {
    return geometry.blockBytes();
  }

  /** Returns a stream whose write, flush and close call this writer. Not thread-safe. */
  public OutputStream asOutputStream() {
    return new BlockWriterStream(this);
  }

  /**
   * Hands everything to the kernel, makes it durable if {@link WriteTrait#SYNC_ON_CLOSE} is set,
   * releases preallocated space, and frees the memory. Without that trait it does <em>not</em>
   * sync: the {@link #bytesAtRisk} remain at risk. After a permanent {@link #failure} it only frees
   * memory and space. Does nothing the second time.
   *
   * @throws ErrnoException as {@link #sync}; everything is freed nevertheless
   */
  @Override
  public void close() throws ErrnoException {
    if (closed) {
      return;
    }
    try (buffer;
        kernel;
        preallocation) {
      if (failure.isEmpty()) {
        if (options.has(WriteTrait.SYNC_ON_CLOSE)) {
          sync();
        } else {
          flush();
        }
      }
    } finally {
      closed = true;
    }
  }

  /**
   * Closes the writer without writing the rest of the buffer, for a file that is abandoned. Does
   * nothing after close.
   *
   * @throws ErrnoException if preallocated space could not be released
   */
  public void discard() throws ErrnoException {
    if (!closed) {
      closed = true;
      try (buffer;
          kernel;
          preallocation) {} // nothing to do but to close them
    }
  }

  private void requireOpen() throws ErrnoException {
    if (closed) {
      throw new IllegalStateException("the writer of " + file.path() + " is closed");
    }
    if (failure.isPresent()) {
      throw WriteFailure.again(failure.get());
    }
  }

  private ErrnoException refused(ErrnoException e, long offsetBytes) {
    boolean last = kernel.isFinal(e);
    WriteFailure.Progress progress = new WriteFailure.Progress(position, flushedTo, durableTo);
    ErrnoException told = WriteFailure.of(e, progress, file.path(), offsetBytes, last);
    if (last) {
      failure = Optional.of(told);
    }
    return told;
  }

  @Override
  public String toString() {
    return "%s: written %d, flushed %d, durable %d%s"
        .formatted(file.path(), position, flushedTo, durableTo, closed ? " (closed)" : "");
  }
}
