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
 * A file that is read by the method that suits each range: {@link ReadMethod#CRITICAL} straight
 * into the array if the range is resident on a local file system, {@link ReadMethod#POOLED} through
 * native memory if the read may have to wait, and {@link ReadMethod#MAPPED} for {@linkplain #view
 * views} of large ranges. {@link #methodFor} says which method and why; {@link ReadOptions} and the
 * calls with a method argument choose another one.
 *
 * <pre>{@code
 * try (ReadableFile file = ReadableFile.open(Path.of("/var/log/syslog"))) {
 *   byte[] block = new byte[1 << 20];
 *   int count = file.read(offsetBytes, block, 0, block.length);
 *   System.out.println(file.methodFor(new FileRange(offsetBytes, block.length)));
 * }
 * }</pre>
 *
 * <p>No method delays the garbage collector for longer than it takes to copy memory: a critical
 * call is made only for pages in the page cache of a local file system, even if a caller asks for
 * that method. If a page is evicted in the microseconds between the check and the call, a
 * collection waits for one read of at most 256 KiB from the local disk.
 *
 * <p>Thread-safe: positions are arguments. {@link #close} does not wait; reads in progress and open
 * views are not affected.
 */
public final class ReadableFile implements FileInput.Source, AutoCloseable {
  /** A source returns the number of bytes as an int. */
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
   * Reads from a descriptor that is open for reading. The descriptor stays the caller's, who closes
   * it after this object.
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

  /** Returns the path by which the file was opened. */
  public PosixPath path() {
    return file.path();
  }

  /** Returns the current size of the file. One fstat. */
  @Override
  public long sizeBytes() throws IOException {
    file.uses().enter();
    try {
      return file.sizeBytes();
    } finally {
      file.uses().exit();
    }
  }

  /**
   * Fills the array as far as the file has bytes.
   *
   * @param offsetBytes in the file, 0 or more
   * @param from index in {@code target} of the first byte
   * @return bytes read: fewer than asked for only at the end of the file, 0 after it
   * @throws IndexOutOfBoundsException if the array does not have that range
   * @throws IllegalArgumentException for a negative offset
   * @throws IllegalStateException after close
   * @throws ErrnoException as pread(2): EIO, ESTALE. Bytes before the failure are not counted
   */
  @Override
  public int read(long offsetBytes, byte[] target, int from, int lengthBytes) throws IOException {
    return read(offsetBytes, target, from, lengthBytes, options.method());
  }

  /** As {@link #read(long, byte[], int, int)}, by the given method wherever it is allowed. */
  public int read(long offsetBytes, byte[] target, int from, int lengthBytes, ReadMethod method)
      throws IOException {
    return read(offsetBytes, target, from, lengthBytes, Optional.of(method));
  }

  private int read(
      long offsetBytes, byte[] target, int from, int lengthBytes, Optional<ReadMethod> requested)
      throws IOException {
    Objects.checkFromIndexSize(from, lengthBytes, target.length);
    checkRange(offsetBytes, lengthBytes);
    file.uses().enter();
    try {
      return reads.intoArray(offsetBytes, target, from, lengthBytes, requested);
    } finally {
      file.uses().exit();
    }
  }

  /**
   * Fills a segment as far as the file has bytes. Native memory is filled directly, whatever the
   * method; a segment of a byte array like the array; other heap memory through a buffer.
   *
   * @param offsetBytes in the file, 0 or more
   * @return bytes read: fewer than fit only at the end of the file, 0 after it
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
   * Reads all bytes of a range.
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
   * Reads the whole file, up to the size that it has when this starts.
   *
   * @throws FileTooLargeException for a file longer than an array: 2 GiB
   * @throws FileShrunkException when it is truncated meanwhile
   * @throws ErrnoException as pread(2)
   */
  public byte[] readAll() throws IOException {
    return read(new FileRange(0, sizeBytes()));
  }

  /**
   * Returns how {@link #read(long, byte[], int, int)} would read a range now, and why. A read
   * decides again for each 1 MiB, so it may use several methods where only a part of the range is
   * resident.
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

  /** Returns how {@link #view} would provide a range, and why. */
  public ReadChoice methodForView(FileRange range) {
    return ReadPolicy.forView(file.kind(), options.method(), range.lengthBytes(), false);
  }

  /**
   * Returns a view of a range for access in any order; ranges of 64 KiB and more on local file
   * systems are mapped. Only the calling thread may use and close the view, which therefore needs
   * no handshake.
   *
   * @throws RangeBeyondEndException when the file does not have the range
   * @throws IllegalArgumentException for a range that cannot be mapped and is larger than the pool
   * @throws IllegalStateException after close
   * @throws ErrnoException as mmap(2): ENOMEM (vm.max_map_count), ENODEV; as pread(2)
   */
  public FileView view(FileRange range) throws IOException {
    return view(range, options.method(), false);
  }

  /** As {@link #view(FileRange)}, by the given method wherever it is allowed. */
  public FileView view(FileRange range, ReadMethod method) throws IOException {
    return view(range, Optional.of(method), false);
  }

  /**
   * As {@link #view(FileRange)}, for all threads; ranges of 1 MiB and more are mapped. Unmapping
   * takes a handshake with every thread of the JVM: 10 µs on an idle machine, longer if more
   * threads compute than there are processors.
   */
  public FileView sharedView(FileRange range) throws IOException {
    return view(range, options.method(), true);
  }

  private FileView view(FileRange range, Optional<ReadMethod> requested, boolean shared)
      throws IOException {
    file.uses().enter();
    try {
      RangeBeyondEndException.check(path(), range, file.sizeBytes());
      ReadChoice choice = ReadPolicy.forView(file.kind(), requested, range.lengthBytes(), shared);
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
   * Returns a stream of the bytes from the start to the end that the file has by then. Closing the
   * stream does nothing; several streams can be read at once.
   */
  public InputStream asInputStream() {
    return new FileInput(this);
  }

  /**
   * Returns a source of the bytes from an offset on, for the typed readers of {@link
   * dev.tailwater.io.buffer}. Native targets are filled without a copy. For one thread at a time;
   * several sources can be read at once.
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

  /** Returns the page cache of the file, which is usable while this is open. */
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
   * Closes the file once the last read in progress has ended and the last view is closed.
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
