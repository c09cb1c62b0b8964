package dev.tailwater.store.datafile;

import dev.tailwater.store.Durability;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.segment.RecordData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Collects puts until it is worth taking the append lock for them. Those that have to be durable
 * are synced while more are collected. Used by one thread.
 */
final class BulkWriter implements AutoCloseable {
  private static final int MAX_PUTS = 256;
  private static final long FULL_BYTES = 64 * 1024;

  /** So much may be on its way to the disk, and so much more be collected meanwhile. */
  private static final long MAX_WAITING_BYTES = 4 * 1024 * 1024;

  private final WriteSide writes;
  private final Durability durability;
  private final List<RecordData> puts = new ArrayList<>(MAX_PUTS);
  private long collectedBytes;
  private long waitingBytes;

  @SuppressWarnings("unused") // written only
  private long kept;

  private @Nullable Commit commit;
  private @Nullable CompletableFuture<Optional<Throwable>> syncing;

  BulkWriter(WriteSide writes, Durability durability) {
    this.writes = writes;
    this.durability = durability;
  }

  void add(RecordData data) throws IOException {
    puts.add(data);
    collectedBytes += data.key().length + data.value().length;
    if (puts.size() == MAX_PUTS || collectedBytes >= FULL_BYTES) {
      flush();
    }
  }

  /** Appends what was collected. */
  void flush() throws IOException {
    int done = 0;
    while (done < puts.size()) {
      done += writes.append(puts.subList(done, puts.size()), durability, this);
    }
    puts.clear();
    waitingBytes += collectedBytes;
    collectedBytes = 0;
    if (waitingBytes >= MAX_WAITING_BYTES) {
      syncWhileMoreIsCollected();
    }
  }

  /** To be durable before the caller is told. */
  void appended(Commit last) {
    commit = last;
  }

  /** So that it is read: see {@link dev.tailwater.store.index.Locations#bringNear}. */
  void keep(long word) {
    kept = word;
  }

  /** Waits for what was on its way before, so that the next comes behind it on the disk. */
  private void syncWhileMoreIsCollected() throws StoreFailedException {
    awaitSyncing();
    Commit last = commit;
    commit = null;
    waitingBytes = 0;
    if (last != null) {
      syncing = writes.begin(last);
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
   * Waits until what was appended is durable; also when a put was refused, because until then
   * others may build on the caller's arrays.
   */
  @Override
  public void close() throws StoreFailedException {
    try {
      awaitSyncing();
    } finally {
      writes.await(commit);
    }
  }
}
