package dev.tailwater.store.datafile;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.store.ReadStatistics;
import dev.tailwater.store.files.Transfers;
import dev.tailwater.store.index.Location;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * How an open store gets records: from mapped memory what is in the page cache, else from its own
 * cache, else by one pread(2); what is not written yet from the buffer of the writer.
 */
final class StoreReader implements RecordReader {
  /** Copying more at once would hold up safepoints. */
  private static final int MAX_MAPPED_BYTES = 1024 * 1024;

  /** One of so many mapped reads is timed, and shown to the cache. */
  static final int SAMPLED = 16;

  /**
   * What a mapped read takes when it has to wait for a disk. Sometimes one takes as long because
   * its thread was not running; then the chunk is read by calls until the next sweep.
   */
  private static final long SLOW_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  private final FileCalls calls;
  private final TailBuffer tail;
  private final ReadBufferPool buffers;
  private final @Nullable ResidencySweeper sweeper;
  private final @Nullable ValueCache cache;
  private final LongAdder mappedReads = new LongAdder();
  private final LongAdder cachedReads = new LongAdder();
  private final LongAdder memoryReads = new LongAdder();
  private final LongAdder fileReads = new LongAdder();
  private final LongAdder fileReadBytes = new LongAdder();
  private final LongAdder forgottenBytes = new LongAdder();

  /**
   * @param sweeper null: nothing is mapped
   * @param cache null: nothing is cached
   */
  StoreReader(
      FileCalls calls,
      TailBuffer tail,
      ReadBufferPool buffers,
      @Nullable ResidencySweeper sweeper,
      @Nullable ValueCache cache) {
    this.calls = calls;
    this.tail = tail;
    this.buffers = buffers;
    this.sweeper = sweeper;
    this.cache = cache;
  }

  @Override
  public int readQuickly(DataFile file, long location, int lengthBytes, ReadBuffer into) {
    into.isSample = false;
    FileMapping mapping = file.mapping();
    if (mapping != null) {
      long offset = Location.offsetBytes(location);
      int length = (int) Math.min(file.writtenBytes() - offset, lengthBytes);
      if (length > 0 && length <= MAX_MAPPED_BYTES) {
        if (--into.untilSampled == 0) {
          into.untilSampled = SAMPLED;
          return readTimed(mapping, file, location, length, into);
        }
        if (mapping.copy(offset, length, into.ofSize(length).memory())) {
          return length;
        }
        into.untilSampled++;
      }
    }
    return cache == null ? 0 : readCached(file, location, lengthBytes, into);
  }

  private int readTimed(
      FileMapping mapping, DataFile file, long location, int length, ReadBuffer into) {
    MemorySegment target = into.ofSize(length).memory();
    long started = System.nanoTime();
    if (!mapping.copy(Location.offsetBytes(location), length, target)) {
      mappedReads.add(SAMPLED - 1);
      return cache == null ? 0 : readCached(file, location, length, into);
    }
    mappedReads.add(SAMPLED);
    if (System.nanoTime() - started > SLOW_NANOS) {
      mapping.forget(Location.offsetBytes(location));
      forgottenBytes.add(MappedChunk.BYTES);
    }
    if (sweeper != null) {
      sweeper.readersAreThere();
    }
    into.isSample = cache != null;
    return length;
  }

  private int readCached(DataFile file, long location, int lengthBytes, ReadBuffer into) {
    int read = cache == null ? 0 : cache.read(file, location, lengthBytes, into);
    if (read > 0) {
      cachedReads.increment();
    }
    return read;
  }

  @Override
  public void wasRead(DataFile file, long location, ReadBuffer from) {
    if (cache != null) {
      cache.show(file, location, from.header().recordBytes(), from);
    }
  }

  @Override
  public void unreadable(DataFile file, InternalError error) {
    boolean isBadAccess = String.valueOf(error.getMessage()).contains("unsafe memory access");
    if (sweeper == null || !isBadAccess) {
      throw error;
    }
    sweeper.giveUp(file, "its mapped memory cannot be read: it was cut, or its disk failed");
  }

  @Override
  public int read(DataFile file, long offsetBytes, int lengthBytes, ReadBuffer into)
      throws ErrnoException {
    MemorySegment target = into.ofSize(lengthBytes).memory();
    int done = 0;
    while (done < lengthBytes) {
      long at = offsetBytes + done;
      int written = Math.clamp(file.writtenBytes() - at, 0, lengthBytes - done);
      if (written > 0) {
        int read = readFile(file, target.asSlice(done, written), at);
        done += read;
        if (read < written) {
          break; // somebody has cut the file
        }
      } else {
        int copied = tail.read(file, at, target.asSlice(done, lengthBytes - done));
        if (copied >= 0) {
          memoryReads.increment();
          done += copied;
          break;
        }
        if (file.writtenBytes() <= at) {
          break;
        }
      }
    }
    return done;
  }

  private int readFile(DataFile file, MemorySegment target, long offsetBytes)
      throws ErrnoException {
    int read = Transfers.readFully(calls, file.fd(), target, offsetBytes);
    fileReads.increment();
    fileReadBytes.add(read);
    if (sweeper != null) {
      FileMapping mapping = file.mapping();
      if (mapping != null && read > 0) {
        mapping.cameIn(offsetBytes, read);
      }
      sweeper.readersAreThere();
    }
    return read;
  }

  ReadStatistics statistics() {
    return new ReadStatistics(
        mappedReads.sum() + buffers.unsampledReads(),
        cachedReads.sum(),
        memoryReads.sum(),
        fileReads.sum(),
        fileReadBytes.sum(),
        0,
        sweeper == null ? 0 : sweeper.sweeps(),
        forgottenBytes.sum(),
        sweeper == null ? 0 : sweeper.residentBytes(),
        cache == null ? 0 : cache.entries(),
        cache == null ? 0 : cache.sizeBytes(),
        sweeper == null ? Optional.empty() : sweeper.notMapped(),
        Optional.empty());
  }
}
