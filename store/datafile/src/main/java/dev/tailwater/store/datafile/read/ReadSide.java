package dev.tailwater.store.datafile.read;

import dev.tailwater.store.Entry;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The reading calls of an open store. Thread-safe; none takes a lock. */
public final class ReadSide {
  private final KeyLookup lookup;
  private final ReaderGate gate;
  private final ReadBufferPool buffers;
  private final InstantSource clock;
  private final BatchReads many;
  private final AsyncReads async;

  public ReadSide(ReadAccess access, InstantSource clock) {
    this.lookup = access.lookup();
    this.gate = access.gate();
    this.buffers = access.buffers();
    this.clock = clock;
    this.many = new BatchReads(access, clock);
    this.async = new AsyncReads(access);
  }

  public Optional<byte[]> get(byte[] key) throws IOException {
    int seat = gate.takeSeat();
    if (seat < 0) {
      return getWithoutSeat(key);
    }
    ReadBuffer buffer = buffers.ofSeat(seat);
    try {
      return Optional.ofNullable(lookup.value(key, buffer, clock));
    } finally {
      buffer.release();
      gate.leaveSeat(seat);
    }
  }

  private Optional<byte[]> getWithoutSeat(byte[] key) throws IOException {
    int inside = gate.enter();
    ReadBuffer buffer = buffers.take();
    try {
      return Optional.ofNullable(lookup.value(key, buffer, clock));
    } finally {
      buffers.giveBack(buffer);
      gate.exit(inside);
    }
  }

  public Optional<Entry> find(byte[] key) throws IOException {
    return read(
        key, buffer -> buffer.bytes().data(0, buffer.header()).toEntry(buffer.header().sequence()));
  }

  public List<Optional<byte[]>> getAll(List<byte[]> keys) throws IOException {
    return many.getAll(keys);
  }

  /** As {@link #get}, without a thread that waits; the key must not change before it is done. */
  public CompletableFuture<Optional<byte[]>> getAsync(byte[] key) {
    return async.read(
        key,
        buffer ->
            buffer.isExpired(clock)
                ? Optional.empty()
                : Optional.of(buffer.bytes().value(0, buffer.header())));
  }

  /** As {@link #find}, without a thread that waits; the key must not change before it is done. */
  public CompletableFuture<Optional<Entry>> findAsync(byte[] key) {
    return async.read(
        key,
        buffer ->
            buffer.isExpired(clock)
                ? Optional.empty()
                : Optional.of(
                    buffer.bytes().data(0, buffer.header()).toEntry(buffer.header().sequence())));
  }

  private <T> Optional<T> read(byte[] key, Function<ReadBuffer, T> result) throws IOException {
    int inside = gate.enter();
    ReadBuffer buffer = buffers.take();
    try {
      if (!lookup.find(key, buffer) || buffer.isExpired(clock)) {
        return Optional.empty();
      }
      return Optional.of(result.apply(buffer));
    } finally {
      buffers.giveBack(buffer);
      gate.exit(inside);
    }
  }
}
