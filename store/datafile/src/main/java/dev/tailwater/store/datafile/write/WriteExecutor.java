package dev.tailwater.store.datafile.write;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.Durability;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.datafile.format.RecordData;
import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.index.Location;
import dev.tailwater.store.datafile.read.KeyLookup;
import dev.tailwater.store.datafile.read.KeyState;
import dev.tailwater.store.datafile.read.ReadAccess;
import dev.tailwater.store.datafile.read.ReadBuffer;
import dev.tailwater.store.datafile.read.ReadBufferPool;
import dev.tailwater.store.datafile.read.ReaderGate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Makes requested changes: looks keys up without a lock, has records appended, starts over when a
 * key was changed meanwhile, and waits as long as the durability asks for. Thread-safe.
 */
public final class WriteExecutor {
  private final PosixPath directory;
  private final ReaderGate gate;
  private final ReadBufferPool buffers;
  private final KeyLookup lookup;
  private final Index index;
  private final Writer writer;
  private final Committer committer;

  /**
   * Makes changes through this writer.
   *
   * @param directory of the store, for messages
   */
  public WriteExecutor(
      PosixPath directory, ReadAccess access, Index index, Writer writer, Committer committer) {
    this.directory = directory;
    this.gate = access.gate();
    this.buffers = access.buffers();
    this.lookup = access.lookup();
    this.index = index;
    this.writer = writer;
    this.committer = committer;
  }

  /** Throws when the store is closed. */
  void checkOpen() {
    gate.exit(gate.enter());
  }

  long hash(byte[] key) {
    return lookup.hash(key);
  }

  /** Makes the changes and waits; returns the version, or 0 when nothing was changed. */
  long execute(WriteRequest request) throws IOException {
    int inside = gate.enter();
    try {
      Writer.Appended appended = append(request);
      await(appended.commit());
      return appended.sequence();
    } finally {
      gate.exit(inside);
    }
  }

  /**
   * Appends at once, which may read from the disk and throw what the other form throws, and
   * completes with the version when it is durable as asked for, or with a {@link
   * StoreFailedException}. The arrays must stay as they are until then. What depends on it without
   * an executor of its own runs on a thread that other writers wait for.
   */
  CompletableFuture<Long> executeAsync(WriteRequest request) throws IOException {
    int inside = gate.enter();
    try {
      Writer.Appended appended = append(request);
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

  /**
   * Appends a put for which nobody waits, without building a request.
   *
   * @return its version; 0 when it has to be {@linkplain #execute executed}, and nothing was
   *     appended
   */
  long putUnwaited(RecordData data, Durability wanted) throws IOException {
    int inside = gate.enter();
    try {
      long hash = lookup.hash(data.key());
      long from = lookup.own(data.key(), hash, buffers);
      return from == Index.SEVERAL ? 0 : writer.put(new PlannedPut(data, hash, from), wanted);
    } finally {
      gate.exit(inside);
    }
  }

  private void await(@Nullable Commit commit) throws StoreFailedException {
    if (commit != null) {
      check(committer.await(commit));
    }
  }

  /** Throws when a commit has failed. */
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

  /** Appends the puts of a plan, each on its own. */
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
          append(WriteRequest.put(plan.record(done), wanted));
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

  private Writer.Appended append(WriteRequest request) throws IOException {
    if (request.changes().isEmpty()) {
      return new Writer.Appended(0, null);
    }
    ReadBuffer buffer = buffers.take();
    try {
      while (true) {
        List<PlannedChange> planned = new ArrayList<>(request.changes().size());
        for (KeyChange change : request.changes()) {
          long hash = lookup.hash(change.key());
          KeyState state = lookup.state(change.key(), hash, request.needsCurrent(), buffer);
          planned.add(new PlannedChange(state, change.decider()));
        }
        Writer.Appended appended = writer.append(planned, request.durability());
        if (appended != null) {
          return appended;
        }
      }
    } finally {
      buffers.giveBack(buffer);
    }
  }
}
