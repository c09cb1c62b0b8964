package dev.tailwater.io.read;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileRange;
import dev.tailwater.io.NotARegularFileException;
import dev.tailwater.io.buffer.ByteSource;
import dev.tailwater.io.buffer.PooledBuffer;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A file to read from, by the method that suits each range: {@link ReadMethod#CRITICAL} straight
 * into the array what is resident on a local file system, {@link ReadMethod#POOLED} through native
 * memory what may have to wait, {@link ReadMethod#MAPPED} for {@linkplain #view views} of large
 * ranges. {@link #methodFor} says which and why; {@link ReadOptions} and the calls with a method
 * say otherwise.
 *
 * <pre>{@code
 * try (ReadableFile file = ReadableFile.open(Path.of("/var/log/syslog"))) {
 *   byte[] block = new byte[1 << 20];
 *   int count = file.read(offsetBytes, block, 0, block.length);
 *   System.out.println(file.methodFor(new FileRange(offsetBytes, block.length)));
 * }
 * }</pre>
 *
 * <p>No method holds up the garbage collector for longer than memory is copied: a critical call is
 * made only for pages that are in the page cache of a local file system, whatever was asked for. A
 * page that is evicted between the question and the call, microseconds later, delays a collection
 * by one read of the local disk of at most 256 KiB.
 *
 * <p>Thread-safe: positions are arguments. {@link #close} waits for nobody; a read that is under
 * way ends as if nothing had happened, and so do views.
 */
public final class ReadableFile implements AutoCloseable {
  /** A source says in an int how much it read. */
  private static final long MAX_SOURCE_BYTES = 1 << 30;

  private final OpenFile file;
  private final ReadOptions options;
  private final RangeReads reads;

  private ReadableFile(OpenFile file, ReadOptions options) {
    this.file = file;
    this.options = options;
    this.reads = new RangeReads(file);
  }

  /** Opens a file by a path of the JVM; see {@link #open(FileCalls, PosixPath, ReadOptions)}. */
  public static ReadableFile open(Path path) throws IOException {
    return open(LinuxFileCalls.create(), PosixPath.of(path), ReadOptions.defaults());
  }

  /**
   * Opens a file.
   *
   * @throws NotARegularFileException for a directory, FIFO, socket, device, or a file of /proc;
   *     does not wait for the other end of a FIFO
   * @throws ErrnoException as open(2): ENOENT, EACCES, ENOTDIR, ELOOP, EMFILE...
   */
  public static ReadableFile open(FileCalls calls, PosixPath path, ReadOptions options)
      throws IOException {
    Descriptor descriptor = Descriptor.openRegularFile(calls, FileCalls.AT_FDCWD, path, Set.of());
    try {
      return new ReadableFile(OpenFile.of(descriptor, true, options.buffers()), options);
    } catch (IOException | RuntimeException e) {
      descriptor.close();
      throw e;
    }
  }

  /**
   * Reads from a descriptor that is open for reading and stays its owner's, who closes it after
   * this.
   *
   * @throws NotARegularFileException for anything but a regular file
   * @throws ErrnoException as fstat(2) and statfs(2)
   */
  public static ReadableFile of(Descriptor descriptor, ReadOptions options) throws IOException {
    return new ReadableFile(OpenFile.of(descriptor, false, options.buffers()), options);
  }

  /** As {@link #of(Descriptor, ReadOptions)} with defaults. */
  public static ReadableFile of(Descriptor descriptor) throws IOException {
    return of(descriptor, ReadOptions.defaults());
  }

  /** What it was opened by. */
  public PosixPath path() {
    return file.path();
  }

  /** Where the end is now. One fstat. */
  public long sizeBytes() throws IOException {
    file.uses().enter();
    try {
      return file.sizeBytes();
    } finally {
      file.uses().exit();
    }
  }

  /**
   * Fills as much of the array as the file has.
   *
   * @param offsetBytes in the file, 0 or more
   * @param from index in {@code target} of the first byte
   * @return bytes read: fewer than asked for only at the end of the file, and 0 behind it
   * @throws IndexOutOfBoundsException when the array does not have that range
   * @throws IllegalArgumentException for a negative offset
   * @throws IllegalStateException after close
   * @throws ErrnoException as pread(2): EIO, ESTALE. Bytes before the failure are not counted
   */
  public int read(long offsetBytes, byte[] target, int from, int lengthBytes) throws IOException {
    return read(offsetBytes, target, from, lengthBytes, options.method());
  }

  /** As {@link #read(long, byte[], int, int)}, by another method wherever it may be. */
  public int read(long offsetBytes, byte[] target, int from, int lengthBytes, ReadMethod method)
      throws IOException {
    return read(offsetBytes, target, from, lengthBytes, Optional.of(method));
  }

  private int read(
      long offsetBytes, byte[] target, int from, int lengthBytes, Optional<ReadMethod> wish)
      throws IOException {
    Objects.checkFromIndexSize(from, lengthBytes, target.length);
    checkRange(offsetBytes, lengthBytes);
    file.uses().enter();
    try {
      return reads.intoArray(offsetBytes, target, from, lengthBytes, wish);
    } finally {
      file.uses().exit();
    }
  }

  /**
   * Fills as much of a segment as the file has. Native memory is filled straight, whatever the
   * method; a segment of a byte array as the array is; other heap memory through a buffer.
   *
   * @param offsetBytes in the file, 0 or more
   * @return bytes read: fewer than fit only at the end of the file, and 0 behind it
   * @throws IllegalArgumentException for a negative offset, or a segment that is read only
   * @throws IllegalStateException after close
   * @throws ErrnoException as pread(2)
   */
  public long read(long offsetBytes, MemorySegment target) throws IOException {
    checkRange(offsetBytes, target.byteSize());
    if (target.isReadOnly()) {
      throw new IllegalArgumentException("read " + path() + " into a segment that is read only");
    }
    if (target.heapBase().orElse("") instanceof byte[] array) {
      return read(offsetBytes, array, (int) target.address(), (int) target.byteSize());
    }
    file.uses().enter();
    try {
      return reads.intoSegment(offsetBytes, target);
    } finally {
      file.uses().exit();
    }
  }

  /**
   * All bytes of a range.
   *
   * @throws RangeBeyondEndException when the file does not have them all
   * @throws FileTooLargeException for a range longer than an array
   * @throws ErrnoException as pread(2)
   */
  public byte[] read(FileRange range) throws IOException {
    int lengthBytes = FileTooLargeException.arrayLength(path(), range.lengthBytes());
    RangeBeyondEndException.check(path(), range, sizeBytes()); // before the array is made
    byte[] bytes = new byte[lengthBytes];
    int count = read(range.offsetBytes(), bytes, 0, lengthBytes);
    if (count < lengthBytes) {
      throw new FileShrunkException(path(), range.toString(), range.endBytes(), sizeBytes());
    }
    return bytes;
  }

  /**
   * The whole file, as long as it is when this starts.
   *
   * @throws FileTooLargeException for a file longer than an array: 2 GiB
   * @throws FileShrunkException when it is truncated meanwhile
   * @throws ErrnoException as pread(2)
   */
  public byte[] readAll() throws IOException {
    return read(new FileRange(0, sizeBytes()));
  }

  /**
   * How {@link #read(long, byte[], int, int)} would read a range now, and why. The first 1 MiB may
   * be resident when not all of it is; a read decides anew for each 1 MiB.
   */
  public ReadChoice methodFor(FileRange range) throws IOException {
    file.uses().enter();
    try {
      long endBytes = Math.min(range.endBytes(), file.sizeBytes());
      FileRange there = FileRange.between(Math.min(range.offsetBytes(), endBytes), endBytes);
      return ReadPolicy.forArray(
          file.kind(), options.method(), range.lengthBytes(), PageCache.of(file).residency(there));
    } finally {
      file.uses().exit();
    }
  }

  /** How {@link #view} would give a range, and why. */
  public ReadChoice methodForView(FileRange range) {
    return ReadPolicy.forView(file.kind(), options.method(), range.lengthBytes(), false);
  }

  /**
   * A range to look at in any order; mapped from 64 KiB on, on local file systems. For the calling
   * thread alone, which also closes it: that costs no handshake.
   *
   * @throws RangeBeyondEndException when the file does not have the range
   * @throws IllegalArgumentException for a range that cannot be mapped and is larger than the pool
   * @throws IllegalStateException after close
   * @throws ErrnoException as mmap(2): ENOMEM (vm.max_map_count), ENODEV; as pread(2)
   */
  public FileView view(FileRange range) throws IOException {
    return view(range, options.method(), false);
  }

  /** As {@link #view(FileRange)}, by another method wherever it may be. */
  public FileView view(FileRange range, ReadMethod method) throws IOException {
    return view(range, Optional.of(method), false);
  }

  /**
   * As {@link #view(FileRange)}, for all threads; mapped from 1 MiB on. To unmap it takes a
   * handshake with every thread of the JVM: 10 µs on an idle machine, more where more threads
   * compute than there are processors.
   */
  public FileView sharedView(FileRange range) throws IOException {
    return view(range, options.method(), true);
  }

  private FileView view(FileRange range, Optional<ReadMethod> wish, boolean shared)
      throws IOException {
    file.uses().enter();
    try {
      RangeBeyondEndException.check(path(), range, file.sizeBytes());
      ReadChoice choice = ReadPolicy.forView(file.kind(), wish, range.lengthBytes(), shared);
      return choice.method() == ReadMethod.MAPPED
          ? MappedView.of(file, range, choice, shared ? Arena.ofShared() : Arena.ofConfined())
          : copied(range, choice, shared);
    } finally {
      file.uses().exit();
    }
  }

  private FileView copied(FileRange range, ReadChoice choice, boolean shared) throws IOException {
    PooledBuffer buffer = file.buffer(Math.max(1, range.lengthBytes()));
    try {
      MemorySegment target = buffer.segment().asSlice(0, range.lengthBytes());
      if (reads.intoSegment(range.offsetBytes(), target) < range.lengthBytes()) {
        throw new FileShrunkException(path(), range.toString(), range.endBytes(), file.sizeBytes());
      }
      if (shared) {
        buffer.share();
      }
      file.uses().enter(); // left when the view is closed
    } catch (IOException | RuntimeException e) {
      buffer.close();
      throw e;
    }
    return new CopiedView(file, range, choice, buffer);
  }

  /**
   * The bytes from the start to wherever the end is by then, one after the other. Closing the
   * stream does nothing, and several can be read at once.
   */
  public InputStream asInputStream() {
    return new FileInput(this);
  }

  /**
   * The bytes from an offset on, for the typed readers of {@link dev.tailwater.io.buffer}. Native
   * targets are read into without a copy. For one thread at a time; several sources can be read at
   * once.
   *
   * @throws IllegalArgumentException for a negative offset
   */
  public ByteSource asSource(long offsetBytes) {
    checkRange(offsetBytes, 0);
    return new ByteSource() {
      private long nextBytes = offsetBytes;

      @Override
      public int read(MemorySegment target) throws IOException {
        MemorySegment room = target.asSlice(0, Math.min(target.byteSize(), MAX_SOURCE_BYTES));
        int count = (int) ReadableFile.this.read(nextBytes, room);
        nextBytes += count;
        return count > 0 ? count : END;
      }
    };
  }

  /** What the page cache holds of the file. For as long as this is open. */
  public PageCache pageCache() throws IOException {
    return PageCache.of(file);
  }

  private static void checkRange(long offsetBytes, long lengthBytes) {
    if (offsetBytes < 0 || offsetBytes + lengthBytes < 0) {
      throw new IllegalArgumentException(
          "no range of a file: %d bytes from offset %d on".formatted(lengthBytes, offsetBytes));
    }
  }

  /**
   * Closes the file, behind the last read that is under way and the last view that is open.
   *
   * @throws IllegalStateException the second time
   */
  @Override
  public void close() throws IOException {
    file.uses().close();
  }

  @Override
  public String toString() {
    return "reader of " + path();
  }
}
