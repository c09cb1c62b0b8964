package dev.tailwater.io.read;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileRange;
import dev.tailwater.io.NotARegularFileException;
import dev.tailwater.io.PageSize;
import dev.tailwater.io.mount.FileSystemKind;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileAdvice;
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
 * The page cache of one file: queries it, fills it, drops pages, and reads without adding to it.
 *
 * <pre>{@code
 * try (Descriptor file = Descriptor.openRegularFile(calls, FileCalls.AT_FDCWD, path, Set.of())) {
 *   PageCache cache = PageCache.of(file);
 *   if (!cache.residency(index).all()) {
 *     cache.prefetch(index);
 *   }
 *   int count = cache.readWithoutCaching(0, block, 0, block.length);
 * }
 * }</pre>
 *
 * <p>A range that ends after the end of the file causes a {@link RangeBeyondEndException}. The
 * descriptor stays its owner's. Thread-safe; reads without caching run one at a time.
 */
public final class PageCache {
  /**
   * The bytes of one POSIX_FADV_WILLNEED: the kernel silently stops at the device's read-ahead,
   * read_ahead_kb in sysfs, which is 128 by default.
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
   * Returns the page cache of a file.
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

  /** Returns the page cache of a file that was already examined. */
  static PageCache of(OpenFile file) throws IOException {
    Descriptor descriptor = file.descriptor();
    long device = descriptor.calls().fstat(descriptor.fd()).device();
    return new PageCache(descriptor, file.pageBytes(), new MountFacts(device, file.kind()));
  }

  /** Returns the range of the whole file at its current size. One fstat. */
  public FileRange wholeFile() throws ErrnoException {
    return new FileRange(0, calls.fstat(file.fd()).sizeBytes());
  }

  /**
   * Returns how much of a range is resident: by cachestat (one call of about 0.4 µs), else by
   * mincore over a mapping (with one byte of answer per page), else unknown. Waits for no disk and
   * loads nothing.
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
    Optional<CacheStatistics> statistics =
        asked.statistics(file.fd(), range.offsetBytes(), range.endBytes());
    if (statistics.isPresent()) {
      return of(statistics.get(), pages);
    }
    long startBytes = range.offsetBytes() / pageBytes * pageBytes;
    OptionalLong resident =
        Mincore.residentPages(file, startBytes, startBytes + pages * pageBytes, pageBytes);
    return resident.isPresent()
        ? CacheResidency.counted(ResidencySource.MINCORE, pages, resident)
        : CacheResidency.unknown(pages);
  }

  private static CacheResidency of(CacheStatistics statistics, long pages) {
    return new CacheResidency(
        ResidencySource.CACHESTAT,
        pages,
        OptionalLong.of(statistics.cachedPages()),
        OptionalLong.of(statistics.dirtyPages()),
        OptionalLong.of(statistics.writebackPages()),
        OptionalLong.of(statistics.evictedPages()));
  }

  /**
   * Starts reading a range into the page cache without waiting for it, except if the disk's queue
   * is full. Makes one POSIX_FADV_WILLNEED call per 128 KiB, since a call stops at the device's
   * read-ahead; 2 MiB that are already resident cost only one query. readahead(2) does the same
   * inside the kernel and is not used.
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
        FileAdvice.give(calls, file.fd(), piece, lengthBytes, Advice.WILL_NEED);
      }
    }
  }

  /**
   * Drops the clean pages that lie entirely in a range (and the last page of the file). Pages that
   * are dirty, being written, mapped or locked stay; the kernel starts to write the dirty ones to
   * the disk.
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
   * As {@link #drop}, but first writes the dirty pages of the whole file to the disk (fdatasync(2))
   * and waits for it, so that they can be dropped too.
   *
   * @throws RangeBeyondEndException for a range over the end
   * @throws ErrnoException EIO, ENOSPC, EDQUOT: bytes that somebody wrote to the file are lost
   */
  public void writeBackAndDrop(FileRange range) throws IOException {
    check(range);
    calls.fdatasync(file.fd());
    drop(range);
  }

  /**
   * Reads and leaves the page cache as it was: resident pages stay, and no others are added. Uses
   * RWF_DONTCACHE, or drops only the pages that were not resident before. If the kernel has neither
   * RWF_DONTCACHE nor cachestat, the new pages stay, since dropping them could drop pages that
   * others use. A page that the kernel uses at that moment, because it moves memory, stays too.
   * Switches the descriptor's read-ahead off and then back to normal.
   *
   * @param offsetBytes 0 or more
   * @param from index in {@code target} of the first byte
   * @return bytes read: fewer than asked for at the end of the file, and 0 behind it
   * @throws ErrnoException as pread(2)
   */
  public int readWithoutCaching(long offsetBytes, byte[] target, int from, int lengthBytes)
      throws IOException {
    Objects.checkFromIndexSize(from, lengthBytes, target.length);
    MemorySegment part = MemorySegment.ofArray(target).asSlice(from, lengthBytes);
    return (int) readWithoutCaching(offsetBytes, part);
  }

  /**
   * As {@link #readWithoutCaching(long, byte[], int, int)}.
   *
   * @param target native or heap memory, as much as is asked for
   */
  public synchronized long readWithoutCaching(long offsetBytes, MemorySegment target)
      throws IOException {
    FileRange range = new FileRange(offsetBytes, target.byteSize());
    int fd = file.fd();
    UncachedReads reads = new UncachedReads(calls, new Residency(calls, pageBytes));
    FileAdvice.give(calls, fd, 0, 0, Advice.RANDOM);
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
      FileAdvice.give(calls, fd, 0, 0, Advice.NORMAL);
    }
  }

  private void check(FileRange range) throws IOException {
    RangeBeyondEndException.check(file.path(), range, calls.fstat(file.fd()).sizeBytes());
  }
}
