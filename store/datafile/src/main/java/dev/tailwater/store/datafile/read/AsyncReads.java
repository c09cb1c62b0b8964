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
 * Gets records without a thread that waits for the disk. What takes no system call is done at once,
 * on the calling thread; the rest is begun, {@value #MAX_BEGUN} at a time, and finished in the
 * common pool. Thread-safe.
 */
final class AsyncReads {
  /** More than the disk is asked for at once, so that it never waits for us. */
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
   * Gets what there is of a key.
   *
   * @param key not changed before the future is done
   * @param result makes it from a record in a buffer; empty: as if it were not there
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
          return; // who ends one begins the next
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

  /** A read that is in the gate until it is done. */
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
        // No ring, no thread...: then one of the pool has to wait for the disk.
        finish(() -> end(buffer, null, null));
      }
    }

    /** Here, when the executor does not take it: who is in the gate must get out. */
    private void finish(Runnable end) {
      try {
        finisher.execute(end);
      } catch (RuntimeException | Error rejected) {
        end.run();
      }
    }

    /** Whatever was wrong with the read comes again, and is thrown, when it is made alone. */
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
      leave(buffer); // first: what the future starts may close the store
      completion.run();
    }

    /** Whether its record is at the beginning of the buffer. */
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
