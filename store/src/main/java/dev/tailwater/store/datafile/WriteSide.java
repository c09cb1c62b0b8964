package dev.tailwater.store.datafile;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.Durability;
import dev.tailwater.store.Limits;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.Update;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.segment.RecordData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** The calls of an open store that write. Thread-safe. */
final class WriteSide {
  private final PosixPath directory;
  private final StoreParts parts;
  private final ReaderGate gate;
  private final ReadBufferPool buffers;
  private final Durability durability;
  private final RecordMaker maker;

  WriteSide(
      PosixPath directory,
      StoreParts parts,
      ReaderGate gate,
      ReadBufferPool buffers,
      DataFileOptions options) {
    this.directory = directory;
    this.parts = parts;
    this.gate = gate;
    this.buffers = buffers;
    this.durability = options.durability();
    this.maker = new RecordMaker(options.clock());
  }

  long put(byte[] key, byte[] value, WriteOptions options) throws IOException {
    Limits.checkKey(key);
    Limits.checkValue(value);
    RecordData data = maker.putOf(key, value, options);
    return write(List.of(new Wanted(key, (current, sequence) -> data)), false, options);
  }

  OptionalLong update(byte[] key, Update update, WriteOptions options) throws IOException {
    Limits.checkKey(key);
    Decider decider = (current, sequence) -> maker.decide(key, current, sequence, update, options);
    long version = write(List.of(new Wanted(key, decider)), true, options);
    return version == 0 ? OptionalLong.empty() : OptionalLong.of(version);
  }

  void apply(WriteBatch batch, WriteOptions options) throws IOException {
    List<Wanted> wanted =
        batch.changes().stream()
            .map(
                change -> {
                  RecordData data = maker.recordOf(change);
                  return new Wanted(change.key(), (current, sequence) -> data);
                })
            .toList();
    if (wanted.isEmpty()) {
      gate.exit(gate.enter()); // says that the store is closed
    } else {
      write(wanted, false, options);
    }
  }

  /** A key to be changed, and how. */
  @SuppressWarnings("ArrayRecordComponent") // carried, never compared
  private record Wanted(byte[] key, Decider decider) {}

  private long write(List<Wanted> wanted, boolean needsCurrent, WriteOptions options)
      throws IOException {
    Writer.Appended appended = append(wanted, needsCurrent, options);
    CompletableFuture<Optional<Throwable>> durable = appended.durable();
    if (durable != null) {
      Optional<Throwable> failed = durable.join();
      if (failed.isPresent()) {
        // Each writer throws an exception of its own: theirs are the stack traces.
        throw new StoreFailedException(directory, failed.get());
      }
    }
    return appended.sequence();
  }

  private Writer.Appended append(List<Wanted> wanted, boolean needsCurrent, WriteOptions options)
      throws IOException {
    int inside = gate.enter();
    ReadBuffer buffer = buffers.take();
    try {
      while (true) {
        List<Writer.Planned> planned = new ArrayList<>(wanted.size());
        for (Wanted change : wanted) {
          KeyState state =
              parts
                  .lookup()
                  .state(change.key(), parts.lookup().hash(change.key()), needsCurrent, buffer);
          planned.add(new Writer.Planned(state, change.decider()));
        }
        Writer.Appended appended =
            parts.writer().append(planned, options.durability().orElse(durability));
        if (appended != null) {
          return appended;
        }
      }
    } finally {
      buffers.giveBack(buffer);
      gate.exit(inside);
    }
  }
}
