package dev.tailwater.io.read;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileRange;
import dev.tailwater.io.NotARegularFileException;
import dev.tailwater.io.PageSize;
import dev.tailwater.io.mount.FileSystemKind;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.Advice;
import dev.tailwater.posix.value.CacheStatistics;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the kernel's page cache holds of one file: asks, fills, empties, and reads past it.
 *
 * <pre>{@code
 * try (Descriptor file = Descriptor.openRegularFile(calls, FileCalls.AT_FDCWD, path, Set.of())) {
 *   PageCache cache = PageCache.of(file);
 *   if (!cache.residency(index).all()) {
 *     cache.prefetch(index);
 *   }
 *   int count = cache.readWithoutTraces(0, block, 0, block.length);
 * }
 * }</pre>
 *
 * <p>A range that ends behind the end of the file is a {@link RangeBeyondEndException}. The
 * descriptor stays its owner's. Thread-safe; reads without traces go one at a time.
 */
public final class PageCache {
  /**
   * What one POSIX_FADV_WILLNEED brings in at least: the kernel silently stops at the device's
   * read-ahead, read_ahead_kb in sysfs, which is 128 unless somebody changed it.
   */
  private static final int WILL_NEED_BYTES = 128 * 1024;

  private static final int QUESTION_BYTES = 2 << 20;
  private static final int READ_BYTES = 256 * 1024;

  private final Descriptor file;
  private final FileCalls calls;
  private final int pageBytes;

  @GuardedBy("this")
  private final MountFacts mount;

  private PageCache(Descriptor file, int pageBytes, MountFacts mount) {
    this.file = file;
    this.calls = file.calls();
    this.pageBytes = pageBytes;
    this.mount = mount;
  }

  /**
   * The page cache as it is about this file.
   *
   * @throws NotARegularFileException for anything but a regular file
   * @throws ErrnoException as fstat(2) and statfs(2)
   */
  public static PageCache of(Descriptor file) throws IOException {
    NotARegularFileException.check(file.calls(), file.fd(), file.path());
    FileSystemKind kind = FileSystemKind.of(file.calls(), file.fd());
    long device = file.calls().fstat(file.fd()).device();
    return new PageCache(file, PageSize.bytes(), new MountFacts(device, kind));
  }

  /** Of a file about which all this is known. */
  static PageCache of(OpenFile file) throws IOException {
    Descriptor descriptor = file.descriptor();
    long device = descriptor.calls().fstat(descriptor.fd()).device();
    return new PageCache(descriptor, file.pageBytes(), new MountFacts(device, file.kind()));
  }

  /** The whole file, as long as it is now. One fstat. */
  public FileRange wholeFile() throws ErrnoException {
    return new FileRange(0, calls.fstat(file.fd()).sizeBytes());
  }

  /**
   * How much of a range is resident. By cachestat (one call of about 0.4 µs), else by mincore over
   * a mapping (a mapping and a byte of answer for each page), else unknown. Waits for no disk, and
   * brings nothing in.
   *
   * @throws RangeBeyondEndException for a range over the end
   * @throws ErrnoException EIO, ESTALE, EBADF
   */
  public CacheResidency residency(FileRange range) throws IOException {
    check(range);
    Residency asked = new Residency(calls, pageBytes);
    long pages = range.isEmpty() ? 0 : asked.pages(range.offsetBytes(), range.endBytes());
    if (pages == 0) {
      return CacheResidency.counted(ResidencySource.CACHESTAT, 0, OptionalLong.of(0));
    }
    Optional<CacheStatistics> said =
        asked.statistics(file.fd(), range.offsetBytes(), range.endBytes());
    if (said.isPresent()) {
      return of(said.get(), pages);
    }
    long startBytes = range.offsetBytes() / pageBytes * pageBytes;
    OptionalLong resident =
        Mincore.residentPages(file, startBytes, startBytes + pages * pageBytes, pageBytes);
    return resident.isPresent()
        ? CacheResidency.counted(ResidencySource.MINCORE, pages, resident)
        : CacheResidency.unknown(pages);
  }

  private static CacheResidency of(CacheStatistics said, long pages) {
    return new CacheResidency(
        ResidencySource.CACHESTAT,
        pages,
        OptionalLong.of(said.cachedPages()),
        OptionalLong.of(said.dirtyPages()),
        OptionalLong.of(said.writebackPages()),
        OptionalLong.of(said.evictedPages()));
  }

  /**
   * Starts reading a range into the page cache and does not wait for it, except where the disk's
   * queue is full. POSIX_FADV_WILLNEED for each 128 KiB, since one call stops at the device's
   * read-ahead whatever it is asked for; 2 MiB that are resident cost one question instead.
   * readahead(2) does the same inside of the kernel, and is not used.
   *
   * @throws RangeBeyondEndException for a range over the end
   * @throws ErrnoException as posix_fadvise(2)
   */
  public void prefetch(FileRange range) throws IOException {
    check(range);
    Residency asked = new Residency(calls, pageBytes);
    for (long at = range.offsetBytes(); at < range.endBytes(); at += QUESTION_BYTES) {
      long endBytes = Math.min(range.endBytes(), at + QUESTION_BYTES);
      if (asked.all(file.fd(), at, endBytes)) {
        continue;
      }
      for (long piece = at; piece < endBytes; piece += WILL_NEED_BYTES) {
        long lengthBytes = Math.min(WILL_NEED_BYTES, endBytes - piece);
        calls.fadvise(file.fd(), piece, lengthBytes, Advice.WILL_NEED);
      }
    }
  }

  /**
   * Gives up the clean pages that lie wholly in a range (and the last of the file). Pages that are
   * changed, being written, mapped by somebody or locked stay, and those that are changed start on
   * their way to the disk.
   *
   * @throws RangeBeyondEndException for a range over the end
   * @throws ErrnoException as posix_fadvise(2)
   */
  public void drop(FileRange range) throws IOException {
    check(range);
    if (!range.isEmpty()) { // 0 would be all up to the end
      calls.fadvise(file.fd(), range.offsetBytes(), range.lengthBytes(), Advice.DONT_NEED);
    }
  }

  /**
   * As {@link #drop}, but writes the file's changed pages to the disk first (fdatasync(2), the
   * whole file) and waits for it, so that they can go too.
   *
   * @throws RangeBeyondEndException for a range over the end
   * @throws ErrnoException EIO, ENOSPC, EDQUOT: what somebody wrote to the file is lost
   */
  public void writeBackAndDrop(FileRange range) throws IOException {
    check(range);
    calls.fdatasync(file.fd());
    drop(range);
  }

  /**
   * Reads, and leaves the page cache as it was: what was resident stays, and what was not is not
   * afterwards. By RWF_DONTCACHE, or by giving up just those pages that were not there before;
   * where the kernel has neither that nor cachestat, pages stay rather than somebody's data be
   * dropped. A page that the kernel itself uses just then, because it moves memory, stays too. Sets
   * the descriptor's read-ahead advice to none and then to normal.
   *
   * @param offsetBytes 0 or more
   * @param from index in {@code target} of the first byte
   * @return bytes read: fewer than asked for at the end of the file, and 0 behind it
   * @throws ErrnoException as pread(2)
   */
  public int readWithoutTraces(long offsetBytes, byte[] target, int from, int lengthBytes)
      throws IOException {
    Objects.checkFromIndexSize(from, lengthBytes, target.length);
    MemorySegment part = MemorySegment.ofArray(target).asSlice(from, lengthBytes);
    return (int) readWithoutTraces(offsetBytes, part);
  }

  /**
   * As {@link #readWithoutTraces(long, byte[], int, int)}.
   *
   * @param target native or heap memory, as much as is asked for
   */
  public synchronized long readWithoutTraces(long offsetBytes, MemorySegment target)
      throws IOException {
    FileRange range = new FileRange(offsetBytes, target.byteSize());
    int fd = file.fd();
    TracelessReads reads = new TracelessReads(calls, new Residency(calls, pageBytes));
    calls.fadvise(fd, 0, 0, Advice.RANDOM);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(Math.min(READ_BYTES, range.lengthBytes()), pageBytes);
      long done = 0;
      while (done < range.lengthBytes()) {
        MemorySegment room =
            buffer.asSlice(0, Math.min(buffer.byteSize(), range.lengthBytes() - done));
        int count = reads.read(mount, fd, room, offsetBytes + done);
        if (count <= 0) {
          break;
        }
        MemorySegment.copy(room, 0, target, done, count);
        done += count;
      }
      return done;
    } finally {
      calls.fadvise(fd, 0, 0, Advice.NORMAL);
    }
  }

  private void check(FileRange range) throws IOException {
    RangeBeyondEndException.check(file.path(), range, calls.fstat(file.fd()).sizeBytes());
  }
}
