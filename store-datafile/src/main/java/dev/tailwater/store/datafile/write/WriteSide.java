package dev.tailwater.store.datafile.write;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.BulkPut;
import dev.tailwater.store.Durability;
import dev.tailwater.store.Limits;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.Update;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.datafile.DataFileOptions;
import dev.tailwater.store.datafile.StoreParts;
import dev.tailwater.store.datafile.format.RecordData;
import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.index.Location;
import dev.tailwater.store.datafile.read.KeyLookup;
import dev.tailwater.store.datafile.read.KeyState;
import dev.tailwater.store.datafile.read.ReadBuffer;
import dev.tailwater.store.datafile.read.ReadBufferPool;
import dev.tailwater.store.datafile.read.ReaderGate;
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
public final class WriteSide {
  private final PosixPath directory;
  private final Durability durability;
  private final RecordMaker maker;
  private final ReaderGate gate;
  private final ReadBufferPool buffers;
  private final Index index;
  private final KeyLookup lookup;
  private final Writer writer;
  private final Committer committer;

  public WriteSide(
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
    this.index = parts.index();
    this.lookup = parts.lookup();
    this.writer = parts.writer();
    this.committer = parts.committer();
  }

  /** A key to be changed, and how. */
  @SuppressWarnings("ArrayRecordComponent") // carried, never compared
  private record Wanted(byte[] key, Decider decider) {}

  /** Changes that are made as one. */
  private record Wish(List<Wanted> wanted, boolean needsCurrent, Durability durability) {}

  public long put(byte[] key, byte[] value, WriteOptions options) throws IOException {
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
  private Writer.@Nullable PlannedPut plan(RecordData data) throws IOException {
    long hash = lookup.hash(data.key());
    long from = lookup.own(data.key(), hash, buffers);
    return from == Index.SEVERAL ? null : new Writer.PlannedPut(data, hash, from);
  }

  /** Removes the key if it still has this version, and has expired; says whether it did. */
  public boolean removeExpired(byte[] key, long version) throws IOException {
    Decider decider =
        (current, sequence) ->
            current != null && sequence == version && maker.isExpired(current)
                ? RecordData.remove(key)
                : null;
    return write(new Wish(List.of(new Wanted(key, decider)), true, Durability.NONE)) != 0;
  }

  public OptionalLong update(byte[] key, Update update, WriteOptions options) throws IOException {
    long version = write(updateWish(key, update, options));
    return version == 0 ? OptionalLong.empty() : OptionalLong.of(version);
  }

  private Wish updateWish(byte[] key, Update update, WriteOptions options) {
    Limits.checkKey(key);
    Decider decider = (current, sequence) -> maker.decide(key, current, sequence, update, options);
    return new Wish(List.of(new Wanted(key, decider)), true, durabilityOf(options));
  }

  public void apply(WriteBatch batch, WriteOptions options) throws IOException {
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
  public CompletableFuture<Long> putAsync(byte[] key, byte[] value, WriteOptions options)
      throws IOException {
    Limits.checkKey(key);
    Limits.checkValue(value);
    return async(putWish(maker.putOf(key, value, options), durabilityOf(options)));
  }

  /** As {@link #update}, 0 for empty; see {@link #async}. */
  public CompletableFuture<Long> updateAsync(byte[] key, Update update, WriteOptions options)
      throws IOException {
    return async(updateWish(key, update, options));
  }

  /** As {@link #apply}; see {@link #async}. */
  public CompletableFuture<Long> applyAsync(WriteBatch batch, WriteOptions options) throws IOException {
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

  private void await(@Nullable Commit commit) throws StoreFailedException {
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

  /** Has all that was appended synced by somebody else. */
  CompletableFuture<Optional<Throwable>> beginSync() {
    int inside = gate.enter();
    try {
      return committer.future(writer.commit());
    } finally {
      gate.exit(inside);
    }
  }

  /** Waits until all that was appended is durable. */
  void sync() throws StoreFailedException {
    int inside = gate.enter();
    try {
      await(writer.commit());
    } finally {
      gate.exit(inside);
    }
  }

  long hash(byte[] key) {
    return lookup.hash(key);
  }

  /** Appends puts, each for itself. */
  void append(BulkPlan plan, Durability wanted) throws IOException {
    int inside = gate.enter();
    try {
      lookUp(plan);
      int done = 0;
      while (done < plan.size()) {
        Writer.AppendedPuts appended = writer.putAll(plan, done, wanted);
        if (appended.refused() != null) {
          throw appended.refused();
        }
        done += appended.count();
        if (done < plan.size()) { // one that has to be looked at more closely
          append(putWish(plan.record(done), wanted));
          done++;
        }
      }
    } finally {
      gate.exit(inside);
    }
  }

  private void lookUp(BulkPlan plan) throws IOException {
    plan.lookedUpAfter(writer.indexChanges());
    index.findEach(plan.places());
    for (int i = 0; i < plan.size(); i++) {
      long found = plan.from(i);
      if (found != Location.NONE) {
        plan.setFrom(i, lookup.ownAt(found, plan.record(i).key(), buffers));
      }
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

  public void putAll(Iterable<BulkPut> puts, WriteOptions options) throws IOException {
    gate.exit(gate.enter()); // says that the store is closed
    try (BulkWriter bulk = new BulkWriter(this, durabilityOf(options))) {
      for (BulkPut put : puts) {
        bulk.add(maker.putOf(put.key(), put.value(), put.options()));
      }
      bulk.flush();
    }
  }
}
