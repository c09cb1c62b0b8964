package dev.tailwater.io.write;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.NotARegularFileException;
import dev.tailwater.io.PageSize;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.WriteFlag;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Kernel writes to a file: chooses the descriptor and the flags, and falls back if one of them is
 * refused.
 */
final class KernelFile implements AutoCloseable {
  private final Descriptor file;
  private final FileCalls calls;
  private final WriteGeometry geometry;
  private final Fallbacks fallbacks;
  private final int memoryAlignmentBytes;
  private final DropBehind dropBehind;
  private final EnumSet<WriteFlag> flags = EnumSet.noneOf(WriteFlag.class);
  private final boolean durableWrites;
  private final Optional<ZeroBlocks> zeroBlocks;
  private Optional<Descriptor> direct = Optional.empty();
  private boolean syncsEachWrite;

  /**
   * Where the file ended when an unaligned run began. A partial block before that is written by
   * itself: with a longer write, xfs would read all of the large folio that the block lies in.
   */
  private long existingEndBytes;

  private boolean dropsByAdvice;
  private long writes;

  private KernelFile(
      Descriptor file,
      WriteGeometry geometry,
      Fallbacks fallbacks,
      boolean durableWrites,
      boolean sparse) {
    this.file = file;
    this.calls = file.calls();
    this.geometry = geometry;
    this.fallbacks = fallbacks;
    this.durableWrites = durableWrites;
    this.zeroBlocks = sparse ? Optional.of(new ZeroBlocks(geometry)) : Optional.empty();
    this.memoryAlignmentBytes = Math.min(PageSize.bytes(), geometry.blockBytes());
    this.dropBehind = new DropBehind(file);
  }

  static KernelFile of(
      Descriptor file, WriteGeometry geometry, BlockWriterOptions options, Fallbacks fallbacks)
      throws IOException {
    Set<OpenFlag> open = openFlags(file, options);
    boolean durableAnyway =
        open.contains(OpenFlag.DATA_SYNC) || options.has(WriteTrait.SYNCHRONOUS_MOUNT);
    boolean durableWrites = options.has(WriteTrait.DURABLE_WRITES);
    KernelFile kernel =
        new KernelFile(
            file,
            geometry,
            fallbacks,
            durableAnyway || durableWrites,
            options.has(WriteTrait.SPARSE));
    if (durableWrites && !durableAnyway) {
      kernel.flags.add(WriteFlag.DATA_SYNC);
    }
    if (options.has(WriteTrait.DROP_BEHIND)) {
      kernel.flags.add(WriteFlag.DONT_CACHE);
    }
    if (options.has(WriteTrait.DIRECT)) {
      kernel.direct =
          DirectFile.open(
              file, open, geometry.blockBytes(), kernel.memoryAlignmentBytes, fallbacks);
    }
    return kernel;
  }

  /** Returns the open flags; empty, without a system call, if nobody needs them. */
  private static Set<OpenFlag> openFlags(Descriptor file, BlockWriterOptions options)
      throws IOException {
    boolean known = options.has(WriteTrait.KNOWN_FILE);
    if (!known) {
      NotARegularFileException.check(file.calls(), file.fd(), file.path());
    }
    if (known && !options.has(WriteTrait.DIRECT)) {
      return Set.of();
    }
    Set<OpenFlag> open = file.calls().openFlags(file.fd());
    requireUsable(file, open);
    return open;
  }

  static void requireUsable(Descriptor file, Set<OpenFlag> open) {
    String why = "";
    if (!open.contains(OpenFlag.WRITE_ONLY) && !open.contains(OpenFlag.READ_WRITE)) {
      why = "is not open for writing: open it with WRITE_ONLY or READ_WRITE";
    } else if (open.contains(OpenFlag.APPEND)) {
      why = "is open with APPEND, with which Linux ignores offsets: open it without";
    } else if (open.contains(OpenFlag.DIRECT)) {
      why = "is open with DIRECT: open it without, and ask for WriteTrait.DIRECT";
    }
    if (!why.isEmpty()) {
      throw new IllegalArgumentException(file.path() + " " + why);
    }
  }

  /** Returns whether a write is durable when it returns. */
  boolean durableWrites() {
    return durableWrites;
  }

  /**
   * Returns whether the content of the disk is unknown after this failure: of a sync, which reports
   * an error only once (the pages may be clean and dropped), or of a write that had to be durable.
   */
  boolean isFinal(ErrnoException e) {
    return e.operation().equals("fdatasync") || (durableWrites && e.errno() == Errno.EIO);
  }

  /**
   * Writes the bytes, or the first part of them that can be written in one call; writes nothing for
   * blocks that stay holes.
   *
   * @return how many bytes are done
   */
  int write(MemorySegment source, long offsetBytes) throws ErrnoException {
    if (zeroBlocks.isEmpty()) {
      return writeData(source, offsetBytes);
    }
    ZeroBlocks blocks = zeroBlocks.get();
    long hole = blocks.holeBytes(source, offsetBytes);
    if (hole > 0) {
      return (int) hole;
    }
    long length = blocks.dataBytes(source, offsetBytes);
    blocks.written(offsetBytes, length);
    return writeData(source.asSlice(0, length), offsetBytes);
  }

  private int writeData(MemorySegment source, long offsetBytes) throws ErrnoException {
    while (true) {
      long toBlockEnd = geometry.blockEnd(offsetBytes) - offsetBytes;
      boolean straight = direct.isPresent() && toBlockEnd == 0 && isDirectMemory(source);
      long size = source.byteSize();
      if (straight) {
        size = geometry.blockStart(size);
      } else if (toBlockEnd > 0 && (direct.isPresent() || offsetBytes < existingEndBytes)) {
        size = Math.min(size, toBlockEnd);
      }
      try {
        int written = write(straight, source.asSlice(0, size), offsetBytes);
        if (written <= 0) {
          // write(2) does not exclude this, and callers would loop forever.
          throw new ErrnoException(
              "pwrite", "fd " + file.fd(), Errno.EIO.number(), "nothing was written");
        }
        if (syncsEachWrite) {
          calls.fdatasync(file.fd());
        }
        return written;
      } catch (ErrnoException e) {
        if (!fallBack(straight, e)) {
          throw e;
        }
      }
    }
  }

  private boolean isDirectMemory(MemorySegment source) {
    return source.byteSize() >= geometry.blockBytes()
        && source.address() % memoryAlignmentBytes == 0;
  }

  /** Returns whether memory at this address can be written without a copy to the buffer. */
  boolean takesMemoryAt(long address) {
    return direct.isEmpty() || address % memoryAlignmentBytes == 0;
  }

  private int write(boolean straight, MemorySegment source, long offsetBytes)
      throws ErrnoException {
    int fd = straight ? direct.orElseThrow().fd() : file.fd();
    writes++;
    return flags.isEmpty()
        ? calls.pwrite(fd, source, offsetBytes)
        : calls.pwritev2(fd, source, offsetBytes, flags);
  }

  /** Returns the number of kernel writes, including failed ones. */
  long writes() {
    return writes;
  }

  /** Switches off a refused feature; returns false if there is none. */
  private boolean fallBack(boolean straight, ErrnoException e) throws ErrnoException {
    if (e.operation().equals("fdatasync")) {
      return false; // reported only once: another attempt would hide it
    }
    if (straight && e.errno() == Errno.EINVAL) {
      fallbacks.add("written through the page cache, not with O_DIRECT", e);
      close();
      return true;
    }
    if (e.errno() != Errno.EOPNOTSUPP && e.errno() != Errno.ENOSYS) {
      return false;
    }
    if (flags.remove(WriteFlag.DONT_CACHE)) {
      fallbacks.add("written pages are dropped by fadvise, not with RWF_DONTCACHE", e);
      dropsByAdvice = true;
      return true;
    }
    if (flags.remove(WriteFlag.DATA_SYNC)) {
      fallbacks.add("an fdatasync after each write, not RWF_DSYNC", e);
      syncsEachWrite = true;
      return true;
    }
    return false;
  }

  /** Begins a new run of writes. */
  void begin(long offsetBytes) throws ErrnoException {
    boolean nothingToRead =
        zeroBlocks.isPresent() || geometry.blockStart(offsetBytes) == offsetBytes;
    existingEndBytes = nothingToRead ? 0 : calls.fstat(file.fd()).sizeBytes();
    dropBehind.begin(offsetBytes);
  }

  /** Records that the kernel has everything before an offset. */
  void writtenTo(long offsetBytes) throws ErrnoException {
    if (dropsByAdvice) {
      dropBehind.writtenTo(offsetBytes);
    }
  }

  /** Makes all writes durable, after which the run's pages before the offset are clean. */
  void sync(long offsetBytes) throws ErrnoException {
    calls.fdatasync(file.fd());
    if (dropsByAdvice) {
      dropBehind.syncedTo(offsetBytes);
    }
  }

  /** Closes the second descriptor, if there is one. */
  @Override
  public void close() throws ErrnoException {
    Optional<Descriptor> second = direct;
    direct = Optional.empty();
    if (second.isPresent()) {
      second.get().close();
    }
  }
}
