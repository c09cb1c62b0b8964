package dev.tailwater.store.datafile.read;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.io.PageSize;
import dev.tailwater.io.mount.FileSystemKind;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.CacheStatistics;
import dev.tailwater.store.common.Threads;
import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.file.DataFiles;
import dev.tailwater.store.datafile.file.FileMapping;
import dev.tailwater.store.datafile.file.MappedChunk;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that maps the data files and, while anybody reads, keeps track of which of their pages
 * are resident. A sweep costs one cachestat(2) for each chunk that is resident completely or not at
 * all, or of which nothing was evicted; otherwise a mincore(2). It pauses fifty times as long as it
 * ran, so it takes at most 2 % of one processor, and notices an evicted page within that time; it
 * pauses only four times as long when readers have waited for the disk meanwhile. Time spent
 * waiting for a processor does not count, or sweeps would become rare when they are needed most.
 *
 * <p>A reader of an evicted page that was not noticed yet waits for the disk, as for any page fault
 * in Java code. Readers time some of their reads, and {@linkplain FileMapping#forget forget} what
 * is known of a chunk when one was slow.
 */
public final class ResidencySweeper implements AutoCloseable {
  private static final long MIN_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final int PAUSE_TO_COST = 50;

  /** As above, when readers have waited for the disk since the last sweep. */
  private static final long MIN_SHORT_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private static final int SHORT_PAUSE_TO_COST = 4;

  /** A mincore pays when more than one page of this many is resident without being known to be. */
  private static final int WORTH_A_LOOK = 64;

  private final FileCalls calls;
  private final DataFiles files;
  private final ReaderGate gate;
  private final int pageBytes = PageSize.bytes();
  private final Thread thread;
  private final LongAdder sweeps = new LongAdder();
  private final LongAdder forgottenBytes = new LongAdder();
  private final MajorFaults faults = new MajorFaults();
  private final ThreadCpuTime runTime = new ThreadCpuTime();
  private final AtomicReference<@Nullable Suspect> suspect = new AtomicReference<>();

  @GuardedBy("this")
  private boolean started;

  private boolean usesCachestat = true;
  private volatile boolean wanted;
  private volatile boolean closed;
  private volatile Optional<String> notMapped = Optional.empty();

  public ResidencySweeper(FileCalls calls, DataFiles files, ReaderGate gate) {
    this.calls = calls;
    this.files = files;
    this.gate = gate;
    this.thread =
        Thread.ofPlatform().daemon().name("tailwater-store-residency").unstarted(this::run);
  }

  /** Called for reads, so that another sweep pays. */
  void onRead() {
    if (!wanted) {
      wake();
    }
  }

  private record Suspect(FileMapping mapping, long offsetBytes) {}

  /** Called after a slow read of mapped memory, which may have waited for the disk. */
  void suspect(FileMapping mapping, long offsetBytes) {
    if (suspect.compareAndSet(null, new Suspect(mapping, offsetBytes))) {
      wake();
    }
  }

  /**
   * Returns whether a slow read really waited for the disk, and not for a processor or the garbage
   * collector; then forgets what is known of its chunk.
   */
  private boolean foundEvicted() {
    Suspect found = suspect.getAndSet(null);
    if (found == null || !faults.grew()) {
      return false;
    }
    found.mapping().forget(found.offsetBytes());
    forgottenBytes.add(MappedChunk.BYTES);
    return true;
  }

  private synchronized void wake() {
    wanted = true;
    if (!started && !closed) {
      started = true;
      thread.start();
    }
    LockSupport.unpark(thread);
  }

  /** Returns the number of sweeps. */
  long sweeps() {
    return sweeps.sum();
  }

  /** Returns the mapped bytes that were found not to be resident any more. */
  long forgottenBytes() {
    return forgottenBytes.sum();
  }

  /** Returns why not everything is mapped. */
  Optional<String> notMapped() {
    return notMapped;
  }

  /** Returns the bytes that are read from mapped memory now. */
  long residentBytes() {
    long bytes = 0;
    for (DataFile file : files.inOrder()) {
      FileMapping mapping = file.mapping();
      bytes += mapping == null ? 0 : mapping.residentBytes();
    }
    return bytes;
  }

  /** Stops mapped reads of a file. */
  void giveUp(DataFile file, String why) {
    FileMapping mapping = file.mapping();
    if (mapping != null) {
      mapping.giveUp();
    }
    notMapped = Optional.of(file.path() + ": " + why);
  }

  private void run() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment answer = arena.allocate(MappedChunk.BYTES / pageBytes);
      while (!closed) {
        boolean _ = foundEvicted();
        if (!wanted) {
          LockSupport.park(this);
          continue;
        }
        wanted = false;
        long started = runTime.nanos();
        boolean _ = faults.grew(); // from here on it counts
        sweep(answer);
        sweeps.increment();
        pause(runTime.nanos() - started);
      }
    } catch (Throwable failed) {
      // Without this thread nobody would notice evicted pages.
      for (DataFile file : files.inOrder()) {
        giveUp(file, failed.toString());
      }
    }
  }

  private void pause(long costNanos) {
    long now = System.nanoTime();
    long until = now + Math.max(MIN_PAUSE_NANOS, PAUSE_TO_COST * costNanos);
    long untilIfEvicted = now + Math.max(MIN_SHORT_PAUSE_NANOS, SHORT_PAUSE_TO_COST * costNanos);
    while (until - now > 0 && !closed) {
      LockSupport.parkNanos(this, until - now);
      if (foundEvicted()) {
        until = untilIfEvicted; // where one page was evicted, others were
      }
      now = System.nanoTime();
    }
  }

  private void sweep(MemorySegment answer) {
    for (DataFile file : files.inOrder()) {
      int inside;
      try {
        inside = gate.enter();
      } catch (IllegalStateException storeIsClosed) {
        return;
      }
      try {
        // A thread that retires the file from now on waits for this one to leave the gate before it
        // closes the file. A file that was retired before may be closed by its last holder any
        // time.
        if (!closed && !file.isRetired()) {
          sweep(file, answer);
        }
      } finally {
        gate.exit(inside);
      }
    }
  }

  private void sweep(DataFile file, MemorySegment answer) {
    try {
      FileMapping mapping = mappingOf(file);
      if (mapping == null || mapping.isGivenUp()) {
        return;
      }
      long endBytes = file.writtenBytes();
      if (calls.fstat(file.fd()).sizeBytes() < endBytes) {
        giveUp(file, "somebody has cut the file");
        return;
      }
      @Nullable MappedChunk[] chunks = mapping.mapUpTo(endBytes);
      for (int i = 0; i < chunks.length; i++) {
        MappedChunk chunk = chunks[i];
        if (chunk != null) {
          long startBytes = (long) i * MappedChunk.BYTES;
          look(
              file.fd(),
              chunk,
              startBytes,
              Math.min(MappedChunk.BYTES, endBytes - startBytes),
              answer);
        }
      }
    } catch (ErrnoException failed) {
      giveUp(file, String.valueOf(failed.getMessage()));
    }
  }

  private @Nullable FileMapping mappingOf(DataFile file) throws ErrnoException {
    FileMapping mapping = file.mapping();
    if (mapping == null) {
      mapping = new FileMapping(calls, file.fd(), pageBytes);
      file.map(mapping);
      if (FileSystemKind.of(calls, file.fd()) != FileSystemKind.LOCAL) {
        giveUp(file, "not on a local file system");
      }
    }
    return mapping;
  }

  private void look(
      int fd, MappedChunk chunk, long startBytes, long lengthBytes, MemorySegment answer)
      throws ErrnoException {
    if (lengthBytes <= 0) {
      return;
    }
    int pages = (int) ((lengthBytes + pageBytes - 1) / pageBytes);
    CacheStatistics said = statistics(fd, startBytes, lengthBytes);
    if (said != null) {
      boolean evicted = said.evictedPages() > chunk.evictedPages();
      chunk.evictedPages(said.evictedPages());
      if (said.cachedPages() >= pages) {
        chunk.allResident(pages);
        return;
      }
      if (said.cachedPages() == 0) {
        chunk.forget();
        return;
      }
      long unknown = said.cachedPages() - chunk.residentPages();
      if (!evicted && unknown >= 0 && unknown <= pages / WORTH_A_LOOK) {
        return;
      }
    }
    calls.mincore(chunk.memory().asSlice(0, (long) pages * pageBytes), answer);
    chunk.take(answer, pages);
  }

  private @Nullable CacheStatistics statistics(int fd, long startBytes, long lengthBytes)
      throws ErrnoException {
    if (!usesCachestat) {
      return null;
    }
    try {
      return calls.cachestat(fd, startBytes, lengthBytes);
    } catch (ErrnoException failed) {
      Errno errno = failed.errno();
      if (errno != Errno.ENOSYS && errno != Errno.EOPNOTSUPP && errno != Errno.EPERM) {
        throw failed;
      }
      usesCachestat = false; // each look takes longer
      return null;
    }
  }

  /** Returns when its thread has ended. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      if (!started) {
        return;
      }
    }
    LockSupport.unpark(thread);
    Threads.joinUninterruptibly(thread);
  }
}
