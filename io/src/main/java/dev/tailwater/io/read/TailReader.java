package dev.tailwater.io.read;

import dev.tailwater.io.PageSize;
import dev.tailwater.io.mount.FileSystemKind;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.ReadCalls;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.ReadFlag;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A reader for files that other programs are writing. It neither delays this JVM's garbage
 * collection nor pushes other data out of the page cache.
 *
 * <p>Data that is resident on a {@linkplain FileSystemKind local} file system is read by critical
 * downcalls straight into the caller's array. All other reads may wait for a disk or a server, so
 * they use ordinary downcalls through one direct buffer and leave the page cache as it was: with
 * RWF_DONTCACHE (preadv2(2), Linux 6.14) if the file system supports it, else without read-ahead
 * (POSIX_FADV_RANDOM on the descriptor, permanently) and with POSIX_FADV_DONTNEED on only the pages
 * that were not resident before.
 *
 * <p>Cost of a {@code read} of 1 MiB: resident, 6 system calls (fstat, cachestat, 4 × pread) and no
 * copy; cold with RWF_DONTCACHE, 6 (5 where it goes on after a cold read) and one copy of all
 * bytes; cold without it, 15 (fadvise once, and for each 256 KiB besides the read a cachestat and a
 * fadvise) and one copy. A short tail costs 3. Who has the status of the file already saves the
 * fstat. The reader itself allocates nothing once it has seen the file system.
 *
 * <p>Without cachestat(2) (before Linux 6.5) there are no critical reads: the reader tries
 * RWF_NOWAIT first and treats the rest as cold. It does not know then which pages were resident, so
 * without RWF_DONTCACHE it drops none, since others may use them. If a page is evicted between the
 * check and the critical read, a garbage collection waits for at most one disk read of 256 KiB.
 *
 * <p>Not thread-safe: one reader per thread.
 */
public final class TailReader implements AutoCloseable {
  private static final int BUFFER_BYTES = ReadCalls.MAX_CRITICAL_BYTES;
  private static final int STRIDE_BYTES = 1 << 20;
  private static final Set<ReadFlag> NO_WAIT = EnumSet.of(ReadFlag.NO_WAIT);

  private final FileCalls calls;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment buffer;
  private final Residency residency;
  private final UncachedReads uncached;
  private final ColdStreams coldStreams = new ColdStreams();
  private final MountFacts.Cache mounts = new MountFacts.Cache();
  private boolean noWait = true;

  /** How the last range was read. */
  private Optional<MountFacts> lastMount = Optional.empty();

  private boolean lastResident;
  private long fstatCalls;
  private long criticalCalls;
  private long criticalBytes;
  private long ordinaryCalls;
  private long ordinaryBytes;
  private long coldCalls;
  private long coldBytes;

  /**
   * Creates a reader for any number of files. It takes a direct buffer once it needs one, and frees
   * it with {@link #close}.
   */
  public TailReader(FileCalls calls) {
    this.calls = calls;
    int pageBytes = PageSize.bytes();
    this.buffer = arena.allocate(BUFFER_BYTES, pageBytes);
    this.residency = new Residency(calls, pageBytes);
    this.uncached = new UncachedReads(calls, residency);
  }

  /**
   * Fills the array as far as the file has bytes. Reads fewer bytes only at the end of the file, or
   * if the file is truncated meanwhile.
   *
   * @param offsetBytes where in the file to start
   * @param from index in {@code target} of the first byte
   * @return bytes read; 0 at or after the end
   * @throws ErrnoException as pread(2): EIO, ESTALE, EISDIR, EBADF. Bytes that were read before the
   *     failure are not counted; read again from the same offset
   */
  public int read(int fd, long offsetBytes, byte[] target, int from, int lengthBytes)
      throws ErrnoException {
    check(offsetBytes, target, from, lengthBytes);
    fstatCalls++;
    return read(fd, calls.fstat(fd), offsetBytes, target, from, lengthBytes);
  }

  /**
   * Reads as {@link #read(int, long, byte[], int, int)} does, up to the size that the caller has
   * seen: that costs one system call less.
   *
   * @param seen the status of this descriptor
   * @return bytes read; fewer than wanted if the file is or was shorter
   * @throws ErrnoException as the other method
   */
  public int read(
      int fd, FileStatus seen, long offsetBytes, byte[] target, int from, int lengthBytes)
      throws ErrnoException {
    check(offsetBytes, target, from, lengthBytes);
    MountFacts mount = mounts.of(calls, fd, seen.device());
    long wanted = Math.min(lengthBytes, Math.max(0, seen.sizeBytes() - offsetBytes));
    int done = 0;
    while (done < wanted) {
      int stride = (int) Math.min(STRIDE_BYTES, wanted - done);
      boolean resident = isResident(mount, seen.inode(), fd, offsetBytes + done, stride);
      lastMount = Optional.of(mount);
      lastResident = resident;
      int count = readStride(mount, resident, fd, offsetBytes + done, target, from + done, stride);
      done += count;
      if (!resident) {
        coldStreams.endedAt(mount.device, seen.inode(), offsetBytes + done);
      }
      if (count < stride) {
        break;
      }
    }
    if (offsetBytes + done >= seen.sizeBytes()) {
      coldStreams.caughtUp(mount.device, seen.inode());
    }
    return done;
  }

  private static void check(long offsetBytes, byte[] target, int from, int lengthBytes) {
    Objects.checkFromIndexSize(from, lengthBytes, target.length);
    if (offsetBytes < 0) {
      throw new IllegalArgumentException("offset " + offsetBytes);
    }
  }

  /**
   * Reads again what the last {@link #read} has read of this descriptor, or a part of it, by one
   * system call: neither the size nor what is resident is asked again.
   *
   * @return bytes read; fewer than wanted if the file was truncated meanwhile
   * @throws ErrnoException as pread(2)
   */
  public int readAgain(int fd, long offsetBytes, byte[] target, int from, int lengthBytes)
      throws ErrnoException {
    Objects.checkFromIndexSize(from, lengthBytes, target.length);
    if (lastMount.isEmpty()) {
      return read(fd, offsetBytes, target, from, lengthBytes);
    }
    return readStride(lastMount.get(), lastResident, fd, offsetBytes, target, from, lengthBytes);
  }

  private boolean isResident(
      MountFacts mount, long inode, int fd, long offsetBytes, int lengthBytes)
      throws ErrnoException {
    if (mount.dropsBehind && coldStreams.continues(mount.device, inode, offsetBytes)) {
      return false;
    }
    return residency.all(fd, offsetBytes, offsetBytes + lengthBytes);
  }

  private int readStride(
      MountFacts mount,
      boolean resident,
      int fd,
      long offsetBytes,
      byte[] target,
      int from,
      int lengthBytes)
      throws ErrnoException {
    if (!resident) {
      uncached.prepare(mount, fd);
    }
    int done = 0;
    while (done < lengthBytes) {
      long at = offsetBytes + done;
      int room = Math.min(BUFFER_BYTES - (int) (at % BUFFER_BYTES), lengthBytes - done);
      int count;
      if (!resident) {
        count = readUncertain(mount, fd, at, room);
      } else if (mount.kind.allowsCriticalReads()) {
        room = Math.min(BUFFER_BYTES, lengthBytes - done);
        count = readCritical(fd, at, target, from + done, room);
      } else {
        count = readOrdinary(fd, at, room);
      }
      if (count <= 0) {
        break;
      }
      if (!resident || !mount.kind.allowsCriticalReads()) {
        MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, target, from + done, count);
      }
      done += count;
    }
    return done;
  }

  private int readCritical(int fd, long offsetBytes, byte[] target, int from, int lengthBytes)
      throws ErrnoException {
    int count = calls.preadCritical(fd, target, from, lengthBytes, offsetBytes);
    criticalCalls++;
    criticalBytes += Math.max(0, count);
    return count;
  }

  private int readOrdinary(int fd, long offsetBytes, int lengthBytes) throws ErrnoException {
    int count = calls.pread(fd, room(lengthBytes), offsetBytes);
    ordinaryCalls++;
    ordinaryBytes += Math.max(0, count);
    return count;
  }

  private int readUncertain(MountFacts mount, int fd, long offsetBytes, int lengthBytes)
      throws ErrnoException {
    if (!residency.known() && noWait) {
      int count = readWithoutWaiting(fd, offsetBytes, lengthBytes);
      if (count >= 0) {
        return count;
      }
    }
    int count = uncached.read(mount, fd, room(lengthBytes), offsetBytes);
    coldCalls++;
    coldBytes += Math.max(0, count);
    return count;
  }

  /** Reads what is resident at the offset; returns -1 if nothing is or the kernel cannot say. */
  private int readWithoutWaiting(int fd, long offsetBytes, int lengthBytes) throws ErrnoException {
    try {
      ordinaryCalls++;
      int count = calls.preadv2(fd, room(lengthBytes), offsetBytes, NO_WAIT);
      ordinaryBytes += Math.max(0, count);
      return count;
    } catch (ErrnoException e) {
      if (e.errno() == Errno.EAGAIN) {
        return -1;
      }
      if (e.errno() == Errno.EOPNOTSUPP || e.errno() == Errno.ENOSYS) {
        noWait = false;
        return -1;
      }
      throw e;
    }
  }

  private MemorySegment room(int lengthBytes) {
    return lengthBytes == BUFFER_BYTES ? buffer : buffer.asSlice(0, lengthBytes);
  }

  /** Returns a snapshot of the figures so far. */
  public ReadStatistics statistics() {
    return new ReadStatistics(
        criticalCalls,
        criticalBytes,
        ordinaryCalls,
        ordinaryBytes,
        coldCalls,
        coldBytes,
        fstatCalls + mounts.statfsCalls(),
        residency.statCalls(),
        uncached.adviceCalls());
  }

  /** Frees the direct buffer. */
  @Override
  public void close() {
    arena.close();
  }
}
