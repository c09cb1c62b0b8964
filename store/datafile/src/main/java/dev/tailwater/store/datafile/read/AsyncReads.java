package dev.tailwater.store.datafile.read;

import dev.tailwater.io.async.ReadRequest;
import dev.tailwater.io.async.ReadResult;
import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.format.RecordBytes;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads of records that hold no thread while they wait for the disk. A read that takes no system
 * call is done in the calling thread; the others are started, {@value #MAX_BEGUN} at a time, and
 * finished in the common pool. Thread-safe.
 */
final class AsyncReads {
  /** More than the disk's queue depth, so that the disk never waits for us. */
  private static final int MAX_BEGUN = 2 * DiskReads.DEPTH;

  private final KeyLookup lookup;
  private final StoreReader reader;
  private final ReaderGate gate;
  private final ReadBufferPool buffers;
  private final Executor finisher = ForkJoinPool.commonPool();
  private final ConcurrentLinkedQueue<Pending<?>> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger begun = new AtomicInteger();

  AsyncReads(ReadAccess access) {
    this.lookup = access.lookup();
    this.reader = access.reader();
    this.gate = access.gate();
    this.buffers = access.buffers();
  }

  /**
   * Reads the record of a key.
   *
   * @param key must not change before the future is done
   * @param result makes the result from a record in a buffer; empty: treated as missing
   * @return fails with what {@link KeyLookup#find} throws
   */
  <T> CompletableFuture<Optional<T>> read(byte[] key, Function<ReadBuffer, Optional<T>> result) {
    int inside = gate.enter();
    boolean pending = false;
    ReadBuffer buffer = buffers.take();
    try {
      KeyLookup.Found found = lookup.findQuickly(key, buffer);
      if (found == KeyLookup.Found.UNREAD) {
        Pending<T> later = new Pending<>(key, buffer.location, result, inside);
        pending = true;
        waiting.add(later);
        beginWaiting();
        return later.future;
      }
      return CompletableFuture.completedFuture(
          found == KeyLookup.Found.YES ? result.apply(buffer) : Optional.empty());
    } catch (IOException failed) {
      return CompletableFuture.failedFuture(failed);
    } finally {
      buffers.giveBack(buffer);
      if (!pending) {
        gate.exit(inside);
      }
    }
  }

  private void beginWaiting() {
    while (!waiting.isEmpty()) {
      if (begun.incrementAndGet() > MAX_BEGUN) {
        if (begun.decrementAndGet() >= MAX_BEGUN) {
          return; // a read that ends starts the next
        }
        continue;
      }
      Pending<?> next = waiting.poll();
      if (next == null) {
        begun.decrementAndGet();
      } else {
        next.begin();
      }
    }
  }

  /** A read that stays in the gate until it is done. */
  private final class Pending<T> {
    private final byte[] key;
    private final long location;
    private final Function<ReadBuffer, Optional<T>> result;
    private final int inside;
    private final CompletableFuture<Optional<T>> future = new CompletableFuture<>();

    Pending(byte[] key, long location, Function<ReadBuffer, Optional<T>> result, int inside) {
      this.key = key;
      this.location = location;
      this.result = result;
      this.inside = inside;
    }

    void begin() {
      ReadBuffer buffer = buffers.take();
      try {
        ReadSource source = reader.sourceOf(lookup.fileAt(location), location);
        if (source == null) {
          finish(() -> end(buffer, null, null));
          return;
        }
        MemorySegment target =
            buffer.ofSize(source.lengthBytes()).memory().asSlice(0, source.lengthBytes());
        ReadRequest request = new ReadRequest(source.from(), source.startBytes(), target);
        CompletableFuture<ReadResult> begun = reader.begin(request);
        var _ = begun.whenComplete((read, thrown) -> finish(() -> end(buffer, source, read)));
      } catch (IOException | RuntimeException | Error failed) {
        // No ring or no thread: then a thread of the pool has to wait for the disk.
        finish(() -> end(buffer, null, null));
      }
    }

    /** Runs the end on the executor, or here when that rejects it: the gate must be left. */
    private void finish(Runnable end) {
      try {
        finisher.execute(end);
      } catch (RuntimeException | Error rejected) {
        end.run();
      }
    }

    /** Ends the read; a read that failed is repeated alone, and throws what is wrong. */
    private void end(ReadBuffer buffer, @Nullable ReadSource source, @Nullable ReadResult read) {
      Runnable completion;
      try {
        boolean isThere =
            wasRead(source, read, buffer)
                ? buffer.bytes().keyIs(0, buffer.header(), key)
                : lookup.find(key, buffer);
        Optional<T> found = isThere ? result.apply(buffer) : Optional.empty();
        completion = () -> future.complete(found);
      } catch (IOException | RuntimeException | Error failed) {
        completion = () -> future.completeExceptionally(failed);
      }
      leave(buffer); // before completing: a dependent of the future may close the store
      completion.run();
    }

    /** Returns whether its record is at the beginning of the buffer. */
    private boolean wasRead(
        @Nullable ReadSource source, @Nullable ReadResult read, ReadBuffer buffer) {
      if (source == null || read == null || read.failure().isPresent()) {
        return false;
      }
      DataFile file = source.file();
      reader.cameFromFile(source, read.bytes());
      RecordBytes bytes = buffer.bytes();
      int length = read.bytes() - source.leadBytes();
      if (length > 0 && source.leadBytes() > 0) {
        MemorySegment.copy(bytes.memory(), source.leadBytes(), bytes.memory(), 0, length);
      }
      if (!RecordFetcher.isWhole(file, location, bytes, 0, length, buffer.header())) {
        return false;
      }
      reader.wasRead(file, location, bytes, 0, buffer.header());
      return true;
    }

    private void leave(ReadBuffer buffer) {
      buffers.giveBack(buffer);
      begun.decrementAndGet();
      gate.exit(inside);
      beginWaiting();
    }
  }
}
