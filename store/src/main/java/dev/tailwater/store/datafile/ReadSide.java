package dev.tailwater.store.datafile;

import dev.tailwater.store.Entry;
import dev.tailwater.store.index.Index;
import dev.tailwater.store.segment.RecordData;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.LongStream;

/** The calls of an open store that read. Thread-safe; none takes a lock. */
final class ReadSide {
  private final StoreParts parts;
  private final ReaderGate gate;
  private final ReadBufferPool buffers;
  private final InstantSource clock;

  ReadSide(StoreParts parts, ReaderGate gate, ReadBufferPool buffers, InstantSource clock) {
    this.parts = parts;
    this.gate = gate;
    this.buffers = buffers;
    this.clock = clock;
  }

  Optional<byte[]> get(byte[] key) throws IOException {
    return read(key, buffer -> buffer.bytes().value(0, buffer.header()));
  }

  Optional<Entry> find(byte[] key) throws IOException {
    return read(
        key, buffer -> buffer.bytes().data(0, buffer.header()).toEntry(buffer.header().sequence()));
  }

  private <T> Optional<T> read(byte[] key, Function<ReadBuffer, T> result) throws IOException {
    int inside = gate.enter();
    ReadBuffer buffer = buffers.take();
    try {
      if (!parts.lookup().find(key, buffer) || isExpired(buffer)) {
        return Optional.empty();
      }
      return Optional.of(result.apply(buffer));
    } finally {
      buffers.giveBack(buffer);
      gate.exit(inside);
    }
  }

  private boolean isExpired(ReadBuffer buffer) {
    long expiresAtMillis = buffer.bytes().expiresAtMillis(0, buffer.header());
    return expiresAtMillis != 0 && expiresAtMillis <= clock.millis();
  }

  void forEach(byte[] keyPrefix, BiConsumer<byte[], byte[]> action) throws IOException {
    byte[] prefix = keyPrefix.clone();
    for (int partition = 0; partition < Index.PARTITIONS; partition++) {
      int next = 0;
      long[] slots = locked(partition);
      while (next < slots.length) {
        Optional<Entry> entry = entryAt(slots[next], slots[next + 1], prefix);
        entry.ifPresent(found -> action.accept(found.key(), found.value()));
        next += 2;
      }
    }
  }

  /** Hashes and locations of a partition, in turns. */
  private long[] locked(int partition) {
    int inside = gate.enter();
    try {
      LongStream.Builder slots = LongStream.builder();
      parts.index().forEach(partition, (hash, location) -> slots.add(hash).add(location));
      return slots.build().toArray();
    } finally {
      gate.exit(inside);
    }
  }

  private Optional<Entry> entryAt(long hash, long location, byte[] prefix) throws IOException {
    int inside = gate.enter();
    ReadBuffer buffer = buffers.take();
    try {
      boolean wanted = parts.lookup().fetch(hash, location, buffer) && !isExpired(buffer);
      if (!wanted || !buffer.bytes().keyStartsWith(0, buffer.header(), prefix)) {
        return Optional.empty();
      }
      RecordData data = buffer.bytes().data(0, buffer.header());
      return Optional.of(data.toEntry(buffer.header().sequence()));
    } finally {
      buffers.giveBack(buffer);
      gate.exit(inside);
    }
  }
}
