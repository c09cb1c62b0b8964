package dev.tailwater.store.datafile;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.BulkPut;
import dev.tailwater.store.Durability;
import dev.tailwater.store.Limits;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.Update;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.index.Index;
import dev.tailwater.store.segment.RecordData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The writing calls of a store: prepare records without a lock, have them appended, look again when
 * a key was changed meanwhile, and wait as long as the durability asks for.
 */
final class WriteSide {
  private final PosixPath directory;
  private final Durability durability;
  private final RecordMaker maker;
  private final ReaderGate gate;
  private final ReadBufferPool buffers;
  private final KeyLookup lookup;
  private final Writer writer;
  private final Committer committer;

  WriteSide(
      PosixPath directory,
      StoreParts parts,
      ReaderGate gate,
      ReadBufferPool buffers,
      DataFileOptions options) {
    this.directory = directory;
    this.durability = options.durability();
    this.maker = new RecordMaker(options.clock());
    this.gate = gate;
    this.buffers = buffers;
    this.lookup = parts.lookup();
    this.writer = parts.writer();
    this.committer = parts.committer();
  }

  /** A key to be changed, and how. */
  @SuppressWarnings("ArrayRecordComponent") // carried, never compared
  private record Wanted(byte[] key, Decider decider) {}

  /** Changes that are made as one. */
  private record Wish(List<Wanted> wanted, boolean needsCurrent, Durability durability) {}

  long put(byte[] key, byte[] value, WriteOptions options) throws IOException {
    Limits.checkKey(key);
    Limits.checkValue(value);
    Durability wanted = durabilityOf(options);
    RecordData data = maker.putOf(key, value, options);
    if (!(wanted instanceof Durability.Group)) {
      long sequence = putNow(data, wanted);
      if (sequence != 0) {
        return sequence;
      }
    }
    return write(putWish(data, wanted));
  }

  private Durability durabilityOf(WriteOptions options) {
    return options.durability().orElse(durability);
  }

  private static Wish putWish(RecordData data, Durability durability) {
    Decider decider = (current, sequence) -> data;
    return new Wish(List.of(new Wanted(data.key(), decider)), false, durability);
  }

  /** 0 when that is not so simple. */
  private long putNow(RecordData data, Durability wanted) throws IOException {
    int inside = gate.enter();
    try {
      Writer.PlannedPut planned = plan(data);
      return planned == null ? 0 : writer.put(planned, wanted);
    } finally {
      gate.exit(inside);
    }
  }

  /** Null when another key has the same hash. */
  Writer.@Nullable PlannedPut plan(RecordData data) throws IOException {
    return plan(data, lookup.hash(data.key()));
  }

  private Writer.@Nullable PlannedPut plan(RecordData data, long hash) throws IOException {
    long from = lookup.own(data.key(), hash, buffers);
    return from == Index.SEVERAL ? null : new Writer.PlannedPut(data, hash, from);
  }

  /** Removes the key if it still has this version, and has expired; says whether it did. */
  boolean removeExpired(byte[] key, long version) throws IOException {
    Decider decider =
        (current, sequence) ->
            current != null && sequence == version && maker.isExpired(current)
                ? RecordData.remove(key)
                : null;
    return write(new Wish(List.of(new Wanted(key, decider)), true, Durability.NONE)) != 0;
  }

  OptionalLong update(byte[] key, Update update, WriteOptions options) throws IOException {
    long version = write(updateWish(key, update, options));
    return version == 0 ? OptionalLong.empty() : OptionalLong.of(version);
  }

  private Wish updateWish(byte[] key, Update update, WriteOptions options) {
    Limits.checkKey(key);
    Decider decider = (current, sequence) -> maker.decide(key, current, sequence, update, options);
    return new Wish(List.of(new Wanted(key, decider)), true, durabilityOf(options));
  }

  void apply(WriteBatch batch, WriteOptions options) throws IOException {
    write(batchWish(batch, options));
  }

  private Wish batchWish(WriteBatch batch, WriteOptions options) {
    List<Wanted> wanted =
        batch.changes().stream()
            .map(
                change -> {
                  RecordData data = maker.recordOf(change);
                  return new Wanted(change.key(), (current, sequence) -> data);
                })
            .toList();
    return new Wish(wanted, false, durabilityOf(options));
  }

  /** As {@link #put}; see {@link #async}. */
  CompletableFuture<Long> putAsync(byte[] key, byte[] value, WriteOptions options)
      throws IOException {
    Limits.checkKey(key);
    Limits.checkValue(value);
    return async(putWish(maker.putOf(key, value, options), durabilityOf(options)));
  }

  /** As {@link #update}, 0 for empty; see {@link #async}. */
  CompletableFuture<Long> updateAsync(byte[] key, Update update, WriteOptions options)
      throws IOException {
    return async(updateWish(key, update, options));
  }

  /** As {@link #apply}; see {@link #async}. */
  CompletableFuture<Long> applyAsync(WriteBatch batch, WriteOptions options) throws IOException {
    return async(batchWish(batch, options));
  }

  /**
   * Appends at once, which may read from the disk and throw what the other form throws, and
   * completes with the version when it is durable as asked for, or with a {@link
   * StoreFailedException}. The arrays must stay as they are until then. What depends on it without
   * an executor of its own runs on a thread that other writers wait for.
   */
  private CompletableFuture<Long> async(Wish wish) throws IOException {
    int inside = gate.enter();
    try {
      Writer.Appended appended = append(wish);
      Commit commit = appended.commit();
      if (commit == null) {
        return CompletableFuture.completedFuture(appended.sequence());
      }
      return committer
          .future(commit)
          .thenApply(
              failed -> {
                if (failed.isPresent()) {
                  throw new CompletionException(new StoreFailedException(directory, failed.get()));
                }
                return appended.sequence();
              });
    } finally {
      gate.exit(inside);
    }
  }

  private long write(Wish wish) throws IOException {
    int inside = gate.enter();
    try {
      Writer.Appended appended = append(wish);
      await(appended.commit());
      return appended.sequence();
    } finally {
      gate.exit(inside);
    }
  }

  void await(@Nullable Commit commit) throws StoreFailedException {
    if (commit != null) {
      check(committer.await(commit));
    }
  }

  void check(Optional<Throwable> failed) throws StoreFailedException {
    if (failed.isPresent()) {
      // Each writer throws an exception of its own: theirs are the stack traces.
      throw new StoreFailedException(directory, failed.get());
    }
  }

  /** Has it synced by somebody else. */
  CompletableFuture<Optional<Throwable>> begin(Commit commit) {
    return committer.future(commit);
  }

  /**
   * Appends the first of these puts, at least one, each for itself, and says how many.
   *
   * @param bulk is given what has to be durable before they are told
   */
  int append(List<RecordData> puts, Durability wanted, BulkWriter bulk) throws IOException {
    int inside = gate.enter();
    try {
      List<Writer.PlannedPut> planned = new ArrayList<>(puts.size());
      long near = 0;
      long[] hashes = new long[puts.size()];
      for (int i = 0; i < hashes.length; i++) {
        hashes[i] = lookup.hash(puts.get(i).key());
        near ^= lookup.bringNear(hashes[i]);
      }
      bulk.keep(near);
      for (int i = 0; i < hashes.length; i++) {
        Writer.PlannedPut put = plan(puts.get(i), hashes[i]);
        if (put == null) {
          break;
        }
        planned.add(put);
      }
      Writer.AppendedPuts appended = writer.putAll(planned, wanted);
      Optional.ofNullable(appended.commit()).ifPresent(bulk::appended);
      if (appended.refused() != null) {
        throw appended.refused();
      }
      if (appended.count() > 0) {
        return appended.count();
      }
      // The first of them is one that has to be looked at more closely.
      Writer.Appended single = append(putWish(puts.getFirst(), wanted));
      Optional.ofNullable(single.commit()).ifPresent(bulk::appended);
      return 1;
    } finally {
      gate.exit(inside);
    }
  }

  private Writer.Appended append(Wish wish) throws IOException {
    if (wish.wanted().isEmpty()) {
      return new Writer.Appended(0, null);
    }
    ReadBuffer buffer = buffers.take();
    try {
      while (true) {
        List<Writer.Planned> planned = new ArrayList<>(wish.wanted().size());
        for (Wanted change : wish.wanted()) {
          long hash = lookup.hash(change.key());
          KeyState state = lookup.state(change.key(), hash, wish.needsCurrent(), buffer);
          planned.add(new Writer.Planned(state, change.decider()));
        }
        Writer.Appended appended = writer.append(planned, wish.durability());
        if (appended != null) {
          return appended;
        }
      }
    } finally {
      buffers.giveBack(buffer);
    }
  }

  void putAll(Iterable<BulkPut> puts, WriteOptions options) throws IOException {
    gate.exit(gate.enter()); // says that the store is closed
    try (BulkWriter bulk = new BulkWriter(this, durabilityOf(options))) {
      for (BulkPut put : puts) {
        bulk.add(maker.putOf(put.key(), put.value(), put.options()));
      }
      bulk.flush();
    }
  }
}
