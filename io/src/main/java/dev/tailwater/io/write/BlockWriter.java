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
 * Writes of any size in, kernel writes of the preferred size out, aligned to offsets of the file.
 *
 * <pre>{@code
 * try (Descriptor file = Descriptor.open(calls, AT_FDCWD, path, flags, 0600);
 *     BlockWriter writer = BlockWriter.over(file, 0)) {
 *   writer.write(bytes, 0, bytes.length); // any number of any size
 *   writer.sync(); // durable up to writer.durableOffsetBytes()
 * }
 * }</pre>
 *
 * <p><b>Blocks.</b> A kernel write that covers part of a block which is not in the page cache makes
 * the kernel read that block first. Here only the first write of a run may begin inside a block,
 * and only one that {@link #flush} asked for may end inside one; a block that was flushed in part
 * stays in the buffer and is handed over again whole, so that not even its page has to be there any
 * more.
 *
 * <p><b>Durability.</b> Three offsets tell how far the current run of writes got; a run begins
 * where the writer begins and with each {@link #seek}. Below {@link #writtenOffsetBytes} bytes are
 * accepted, below {@link #flushedOffsetBytes} the kernel has them, below {@link
 * #durableOffsetBytes} a crash of the machine cannot take them. {@link #bytesAtRisk} tells it of
 * all runs. With plain writes on a synchronous mount, or a descriptor with O_SYNC or O_DSYNC, bytes
 * are durable when write(2) returns; a writer gathers them first, so that {@link #write} returning
 * says nothing, and only {@link #flush} returning does: the offsets say so, and {@link
 * BlockWriterOptions#maxUnflushedBytes} bounds the difference. On other mounts only {@link #sync}
 * moves the durable offset. The name of a new file is durable after fsync(2) of its directory,
 * which is the caller's part.
 *
 * <p><b>Failure.</b> A write that fails loses nothing: what was accepted is still in the buffer,
 * the offsets tell the truth, and the next call tries again (after ENOSPC, when there is room). The
 * rest of the failed call is what lies behind {@link #writtenOffsetBytes}. After a failed fdatasync
 * the kernel may have dropped pages that it could not write and calls the others clean, so a second
 * one would succeed without them: the writer has {@linkplain #failure failed} for good, the durable
 * offset stays, and everything behind it must be written again, best into a new file.
 *
 * <p>Copies: one, into the buffer; none for native memory that holds whole kernel writes. Not
 * thread-safe. Several writers may write disjoint ranges of one file.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/pwrite.2.html">pwrite(2)</a>
 * @see <a href="https://man7.org/linux/man-pages/man2/fsync.2.html">fdatasync(2)</a>
 */
public final class BlockWriter implements AutoCloseable {
  private final Descriptor file;
  private final BlockWriterOptions options;
  private final Geometry geometry;
  private final Fallbacks fallbacks = new Fallbacks();
  private final KernelFile kernel;
  private final Preallocation preallocation;
  private final WriteBuffer buffer;

  /** Where the run began; the offsets below are of it, and never decrease within it. */
  private long runStart;

  private long position;

  /** What of the file the buffer stands for, and from which offset on it has the bytes. */
  private long windowStart;

  private long validFrom;
  private long flushedTo;
  private long durableTo;

  /** Of the runs before. */
  private long earlierAtRisk;

  private Optional<ErrnoException> failure = Optional.empty();
  private boolean closed;

  private BlockWriter(
      Descriptor file,
      long offsetBytes,
      BlockWriterOptions options,
      Geometry geometry,
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
   * A writer whose first byte goes to that offset, which need not be aligned. A few system calls.
   * The descriptor stays the caller's, who closes it after the writer.
   *
   * @throws dev.tailwater.io.NotARegularFileException for anything but a regular file
   * @throws IllegalArgumentException when the descriptor is not open for writing, or is open with
   *     APPEND or DIRECT, or the offset is negative
   * @throws ErrnoException as fstat(2), fstatfs(2), statx(2) and fcntl(2) say; what only makes
   *     writing slower when it is refused comes out of {@link #fallbacks} instead
   */
  public static BlockWriter over(Descriptor file, long offsetBytes, BlockWriterOptions options)
      throws IOException {
    Geometry.requireOffset(offsetBytes);
    Geometry geometry = Geometry.of(file, options);
    return new BlockWriter(
        file, offsetBytes, options, geometry, WriteBuffer.own(geometry.windowBytes()));
  }

  /**
   * As {@link #over(Descriptor, long, BlockWriterOptions)}, with a buffer of the caller's, such as
   * one that a {@link dev.tailwater.io.buffer.BufferPool} lends. It is the writer's until close; a
   * small one makes kernel writes smaller.
   *
   * @param buffer native, page-aligned, and of at least one block
   * @throws IllegalArgumentException when it is not
   */
  public static BlockWriter over(
      Descriptor file, long offsetBytes, BlockWriterOptions options, MemorySegment buffer)
      throws IOException {
    Geometry.requireOffset(offsetBytes);
    int bytes = Math.clamp(buffer.byteSize(), 1, options.writeBytes());
    Geometry geometry = Geometry.of(file, options.withWriteBytes(bytes));
    return new BlockWriter(
        file, offsetBytes, options, geometry, WriteBuffer.lent(buffer, geometry.windowBytes()));
  }

  /**
   * As {@link #over(Descriptor, long, BlockWriterOptions)}, with what suits the file's mount. Reads
   * the mount table; for many files of one mount, keep {@link BlockWriterOptions#of}.
   */
  public static BlockWriter over(Descriptor file, long offsetBytes) throws IOException {
    return over(file, offsetBytes, BlockWriterOptions.of(MountInfo.of(file.calls(), file.fd())));
  }

  /** Writes a part of an array; see {@link #write(MemorySegment)}. */
  public void write(byte[] source, int from, int lengthBytes) throws ErrnoException {
    Objects.checkFromIndexSize(from, lengthBytes, source.length);
    if (lengthBytes >= windowEnd() - position) {
      write(MemorySegment.ofArray(source).asSlice(from, lengthBytes));
      return;
    }
    // Small writes are the ones that come often: no segment is made for them.
    requireOpen();
    buffer.put(source, from, position - windowStart, lengthBytes);
    position += lengthBytes;
    keepWithinBound();
  }

  /**
   * Writes what remains in the buffer; its position moves over what was accepted, also when this
   * fails. See {@link #write(MemorySegment)}.
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
   * Accepts all bytes, and hands over each window that is full then. When it fails, those before
   * {@link #writtenOffsetBytes} were accepted, and those behind were not.
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
        handOver(); // what an earlier call could not
      }
      if (mayGoStraight(source, done)) {
        done += writeStraight(source.asSlice(done, geometry.windowBytes()));
      } else {
        long length = Math.min(size - done, windowEnd() - position);
        buffer.put(source, done, position - windowStart, length);
        position += length;
        done += length;
        if (position == windowEnd()) {
          handOver();
        }
      }
    }
    keepWithinBound();
  }

  private void keepWithinBound() throws ErrnoException {
    if (position - flushedTo > options.maxUnflushedBytes()) {
      handOver();
    }
  }

  private boolean mayGoStraight(MemorySegment source, long from) {
    return position == windowStart
        && source.isNative()
        && source.byteSize() - from >= geometry.windowBytes()
        && kernel.takesMemoryAt(source.address() + from);
  }

  /** One window, or what the kernel takes of it, without a copy. */
  private long writeStraight(MemorySegment source) throws ErrnoException {
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
   * Hands everything that was accepted to the kernel. The next bytes may go into the same block,
   * which is then handed over once more.
   *
   * @throws ErrnoException as {@link #write(MemorySegment)}
   */
  public void flush() throws ErrnoException {
    requireOpen();
    handOver();
  }

  private void handOver() throws ErrnoException {
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
   * Makes durable everything that was accepted, of this run and all before: {@link #flush}, and one
   * fdatasync(2) unless nothing is at risk. That covers the size of the file too.
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
   * Lets the next byte go to that offset, and begins a new run there; what was accepted before is
   * handed over first. Does nothing when the next byte goes there anyway.
   *
   * @throws ErrnoException as {@link #flush}; the position stays
   */
  public void seek(long offsetBytes) throws ErrnoException {
    Geometry.requireOffset(offsetBytes);
    requireOpen();
    if (offsetBytes != position) {
      handOver();
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

  /** Where the current run began. */
  public long runStartOffsetBytes() {
    return runStart;
  }

  /** Where the next byte goes: all bytes of the run before it are accepted. */
  public long writtenOffsetBytes() {
    return position;
  }

  /** All bytes of the run before this offset are handed to the kernel: others can read them. */
  public long flushedOffsetBytes() {
    return flushedTo;
  }

  /** All bytes of the run before this offset outlive a crash of the machine. */
  public long durableOffsetBytes() {
    return durableTo;
  }

  /**
   * How many accepted bytes, of this run and all before, are not known to be durable; 0 says that
   * everything is. A byte that was written twice may count twice.
   */
  public long bytesAtRisk() {
    return earlierAtRisk + position - durableTo;
  }

  /** What failed for good; empty while nothing did. Every call but close() then throws it again. */
  public Optional<ErrnoException> failure() {
    return failure;
  }

  /** What was asked for and cannot be had here, each with what is done instead and why. */
  public List<String> fallbacks() {
    return fallbacks.reasons();
  }

  /** How many writes were asked of the kernel so far, those that failed included. */
  public long kernelWrites() {
    return kernel.writes();
  }

  /** The size of a kernel write. */
  public int writeBytes() {
    return geometry.windowBytes();
  }

  /** The size of a block: what kernel writes are aligned to. */
  public int blockBytes() {
    return geometry.blockBytes();
  }

  /** Writes to this writer; its flush() and close() are those of the writer. Not thread-safe. */
  public OutputStream asOutputStream() {
    return new BlockWriterStream(this);
  }

  /**
   * Hands everything over, makes it durable if {@link WriteTrait#SYNC_ON_CLOSE} is set, gives back
   * what was reserved ahead, and frees the memory. Otherwise it does <em>not</em> sync: what {@link
   * #bytesAtRisk} says remains at risk. After a final {@link #failure} it only frees. Does nothing
   * the second time.
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
   * Closes without handing over what is still in the buffer: for a file that is given up. Does
   * nothing after close.
   *
   * @throws ErrnoException when what was reserved ahead could not be given back
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
    ErrnoException told = WriteFailure.of(e, this, file.path(), offsetBytes, last);
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
