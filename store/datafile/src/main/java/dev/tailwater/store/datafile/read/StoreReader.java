package dev.tailwater.store.datafile.read;

import dev.tailwater.io.async.RandomFile;
import dev.tailwater.io.async.ReadRequest;
import dev.tailwater.io.async.ReadResult;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.ReadFlag;
import dev.tailwater.store.ReadStatistics;
import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.file.FileMapping;
import dev.tailwater.store.datafile.file.MappedChunk;
import dev.tailwater.store.datafile.file.TailBuffer;
import dev.tailwater.store.datafile.format.RecordBytes;
import dev.tailwater.store.datafile.format.RecordHeader;
import dev.tailwater.store.datafile.index.Location;
import dev.tailwater.store.files.Transfers;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The reader of records of an open store: from mapped memory if they are in the page cache, else
 * from the store's own cache, else by one pread(2). Records that are not written yet come from the
 * writer's buffer.
 */
public final class StoreReader implements RecordReader {
  /** Shortest time of a mapped read that has to wait for a disk. */
  private static final long SLOW_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  private static final Set<ReadFlag> NO_WAIT = EnumSet.of(ReadFlag.NO_WAIT);

  private final FileCalls calls;
  private final TailBuffer tail;
  private final ReadBufferPool buffers;
  private final ReadSources sources;
  private final DiskReads disk;
  private final @Nullable ResidencySweeper sweeper;
  private final @Nullable ValueCache cache;
  private final LongAdder mappedReads = new LongAdder();
  private final LongAdder cachedReads = new LongAdder();
  private final LongAdder memoryReads = new LongAdder();
  private final LongAdder fileReads = new LongAdder();
  private final LongAdder fileReadBytes = new LongAdder();
  private final LongAdder directReads = new LongAdder();

  /**
   * Reads from the files of one store.
   *
   * @param sweeper null: nothing is mapped
   * @param cache null: nothing is cached
   */
  public StoreReader(
      FileCalls calls,
      TailBuffer tail,
      ReadBufferPool buffers,
      ReadSources sources,
      DiskReads disk,
      @Nullable ResidencySweeper sweeper,
      @Nullable ValueCache cache) {
    this.calls = calls;
    this.tail = tail;
    this.buffers = buffers;
    this.sources = sources;
    this.disk = disk;
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
      if (length > 0 && length <= MappedChunk.MAX_READ_BYTES) {
        if (into.samples.isNext()) {
          return readTimed(mapping, file, location, length, into);
        }
        if (mapping.copy(offset, length, into.ofSize(length).memory())) {
          into.samples.readOther();
          return length;
        }
      }
    }
    return cache == null ? 0 : readCached(file, location, lengthBytes, into);
  }

  @Override
  public byte @Nullable [] mappedValue(DataFile file, long location, byte[] key, ReadBuffer into) {
    FileMapping mapping = file.mapping();
    if (mapping == null) {
      return null;
    }
    long offset = Location.offsetBytes(location);
    int length = (int) Math.min(file.writtenBytes() - offset, Location.maxLengthBytes(location));
    if (length < RecordHeader.LENGTH_BYTES || length > MappedChunk.MAX_READ_BYTES) {
      return null;
    }
    MappedChunk chunk = mapping.resident(offset, length);
    if (chunk == null) {
      return null;
    }
    if (into.samples.isNext()) {
      return sampledValue(mapping, chunk, file, location, length, key, into);
    }
    byte @Nullable [] value = value(chunk, file, offset, length, key, into);
    if (value != null) {
      into.samples.readOther();
    }
    return value;
  }

  private static byte @Nullable [] value(
      MappedChunk chunk, DataFile file, long offset, int length, byte[] key, ReadBuffer into) {
    int from = FileMapping.inChunk(offset);
    return into.values().value(chunk.memory(), from, length, file.salt(), offset, key);
  }

  private byte @Nullable [] sampledValue(
      FileMapping mapping,
      MappedChunk chunk,
      DataFile file,
      long location,
      int length,
      byte[] key,
      ReadBuffer into) {
    if (cache != null && cache.wasReadRecently(file, location)) {
      return null; // the cache wants the whole record, which goes through the buffer
    }
    long offset = Location.offsetBytes(location);
    long started = System.nanoTime();
    byte @Nullable [] value = value(chunk, file, offset, length, key, into);
    if (value != null) {
      sampled(mapping, offset, started, into);
    }
    return value;
  }

  private void sampled(FileMapping mapping, long offsetBytes, long startedNanos, ReadBuffer into) {
    mappedReads.add(into.samples.readSample());
    if (sweeper != null) {
      if (System.nanoTime() - startedNanos > SLOW_NANOS) {
        sweeper.suspect(mapping, offsetBytes);
      }
      sweeper.onRead();
    }
  }

  private int readTimed(
      FileMapping mapping, DataFile file, long location, int length, ReadBuffer into) {
    MemorySegment target = into.ofSize(length).memory();
    long started = System.nanoTime();
    if (!mapping.copy(Location.offsetBytes(location), length, target)) {
      return cache == null ? 0 : readCached(file, location, length, into);
    }
    sampled(mapping, Location.offsetBytes(location), started, into);
    into.isSample = cache != null;
    return length;
  }

  private int readCached(DataFile file, long location, int lengthBytes, ReadBuffer into) {
    int read = cache == null ? 0 : cache.read(file, location, lengthBytes, into);
    if (read > 0) {
      cachedReads.increment();
      if (sweeper != null) {
        sweeper.onRead(); // the record may be in mapped memory again
      }
    }
    return read;
  }

  @Override
  public void wasRead(
      DataFile file, long location, RecordBytes bytes, int from, RecordHeader header) {
    if (cache != null && cache.wasReadRecently(file, location)) {
      cache.show(file, location, bytes.memory(), from, header.recordBytes());
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
      throws IOException {
    if (sources.wantsDirect() && offsetBytes + lengthBytes <= file.writtenBytes()) {
      return readFromSource(sources.of(file, offsetBytes, lengthBytes), lengthBytes, into);
    }
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

  private int readFromSource(ReadSource source, int lengthBytes, ReadBuffer into)
      throws IOException {
    MemorySegment memory = into.ofSize(source.lengthBytes()).memory();
    MemorySegment target = memory.asSlice(0, source.lengthBytes());
    int read =
        Thread.currentThread().isVirtual()
            ? readAside(source.from(), target, source.startBytes())
            : -1;
    if (read < 0) {
      read = Transfers.readFully(calls, source.fd(), target, source.startBytes());
    }
    cameFromFile(source, read);
    int length = Math.clamp(read - source.leadBytes(), 0, lengthBytes);
    if (source.leadBytes() > 0) {
      MemorySegment.copy(memory, source.leadBytes(), memory, 0, length);
    }
    return length;
  }

  private int readFile(DataFile file, MemorySegment target, long offsetBytes) throws IOException {
    int read = Thread.currentThread().isVirtual() ? readNow(file, target, offsetBytes) : -1;
    if (read < 0 && Thread.currentThread().isVirtual()) {
      read = readAside(file.randomFile(), target, offsetBytes);
    }
    if (read < 0) {
      read = Transfers.readFully(calls, file.fd(), target, offsetBytes);
    }
    cameFromFile(file, offsetBytes, read, false);
    return read;
  }

  /**
   * Reads what is in the page cache, so that a virtual thread need not be woken by another; returns
   * -1 when it takes the disk.
   */
  private int readNow(DataFile file, MemorySegment target, long offsetBytes) {
    try {
      int read = calls.preadv2(file.fd(), target, offsetBytes, NO_WAIT);
      return read == target.byteSize() ? read : -1;
    } catch (ErrnoException notAtOnce) {
      return -1; // if it is worse than that, it comes again
    }
  }

  /**
   * Reads in another thread, so that a virtual one does not pin its carrier; returns -1 when no
   * ring or thread can be made. A failure of the read itself will come again.
   */
  private int readAside(RandomFile from, MemorySegment target, long offsetBytes) {
    try {
      return readAll(List.of(new ReadRequest(from, offsetBytes, target))).getFirst().bytesOrThrow();
    } catch (ErrnoException noRing) {
      return -1;
    }
  }

  /**
   * Makes all reads; each succeeds or fails on its own.
   *
   * @throws ErrnoException when no ring can be made, for example EMFILE or ENOMEM
   */
  List<ReadResult> readAll(List<ReadRequest> requests) throws ErrnoException {
    return disk.reads().readAll(requests);
  }

  /** Starts a read. */
  CompletableFuture<ReadResult> begin(ReadRequest request) throws IOException {
    return disk.reads().read(request);
  }

  /** Returns the read of a record among others; null when it has to be read alone. */
  @Nullable ReadSource sourceOf(@Nullable DataFile file, long location) throws IOException {
    int length = Location.maxLengthBytes(location);
    if (file == null || length == 0) {
      return null;
    }
    long offset = Location.offsetBytes(location);
    long written = file.writtenBytes();
    boolean isWritten =
        offset + length <= written
            || (written > offset && written - offset > length - Location.LENGTH_UNIT_BYTES);
    return isWritten ? sources.of(file, offset, (int) Math.min(length, written - offset)) : null;
  }

  /** Counts bytes that were read from a file. */
  void cameFromFile(ReadSource source, int readBytes) {
    cameFromFile(source.file(), source.startBytes(), readBytes, source.direct());
  }

  private void cameFromFile(DataFile file, long offsetBytes, int readBytes, boolean direct) {
    fileReads.increment();
    fileReadBytes.add(readBytes);
    if (direct) {
      directReads.increment();
    } else if (sweeper != null && readBytes > 0) {
      FileMapping mapping = file.mapping();
      if (mapping != null) {
        mapping.markResident(offsetBytes, readBytes);
      }
      sweeper.onRead();
    }
  }

  /** Forgets the cached records of a file that is gone. */
  public void forget(DataFile file) {
    if (cache != null) {
      cache.forget(file);
    }
  }

  public ReadStatistics statistics() {
    return new ReadStatistics(
        mappedReads.sum() + buffers.unsampledReads(),
        cachedReads.sum(),
        memoryReads.sum(),
        fileReads.sum(),
        fileReadBytes.sum(),
        directReads.sum(),
        sweeper == null ? 0 : sweeper.sweeps(),
        sweeper == null ? 0 : sweeper.forgottenBytes(),
        sweeper == null ? 0 : sweeper.residentBytes(),
        cache == null ? 0 : cache.entries(),
        cache == null ? 0 : cache.sizeBytes(),
        sweeper == null ? Optional.empty() : sweeper.notMapped(),
        sources.notDirect());
  }
}
