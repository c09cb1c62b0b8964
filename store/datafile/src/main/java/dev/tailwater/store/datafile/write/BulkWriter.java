package dev.tailwater.store.datafile.write;

import dev.tailwater.store.Durability;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.datafile.format.RecordData;
import dev.tailwater.store.datafile.format.RecordEncoder;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A writer of many puts, which collects them until taking the append lock pays. Puts that must be
 * durable are synced while more are collected. Used by one thread.
 */
final class BulkWriter implements AutoCloseable {
  private static final int MAX_PUTS = 1024;
  private static final long FULL_BYTES = 256 * 1024;

  /** Most bytes being synced, and most bytes collected meanwhile. */
  private static final long MAX_WAITING_BYTES = 4 * 1024 * 1024;

  private final WriteExecutor writes;
  private final Durability durability;
  private final BulkPlan plan = new BulkPlan();
  private long collectedBytes;
  private long waitingBytes;

  private @Nullable CompletableFuture<Optional<Throwable>> syncing;

  BulkWriter(WriteExecutor writes, Durability durability) {
    this.writes = writes;
    this.durability = durability;
  }

  void add(RecordData data) throws IOException {
    plan.add(data, writes.hash(data.key()));
    collectedBytes += RecordEncoder.recordBytes(data);
    if (plan.size() == MAX_PUTS || collectedBytes >= FULL_BYTES) {
      flush();
    }
  }

  /** Appends what was collected. */
  void flush() throws IOException {
    waitingBytes += collectedBytes; // also when something fails on the way
    collectedBytes = 0;
    writes.append(plan, durability);
    plan.clear();
    if (waitingBytes >= MAX_WAITING_BYTES) {
      syncWhileMoreIsCollected();
    }
  }

  /** Waits for the sync in progress, then starts the next. */
  private void syncWhileMoreIsCollected() throws StoreFailedException {
    awaitSyncing();
    waitingBytes = 0;
    if (durability instanceof Durability.Group) {
      syncing = writes.beginSync();
    }
  }

  private void awaitSyncing() throws StoreFailedException {
    CompletableFuture<Optional<Throwable>> before = syncing;
    syncing = null;
    if (before != null) {
      writes.check(before.join());
    }
  }

  /**
   * Waits until what was appended is durable, even when a put was refused, because until then other
   * writers may use the caller's arrays.
   */
  @Override
  public void close() throws StoreFailedException {
    try {
      awaitSyncing();
    } finally {
      if (waitingBytes > 0 && durability instanceof Durability.Group) {
        writes.sync();
      }
    }
  }
}
