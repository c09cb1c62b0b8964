package dev.tailwater.cli.store;

import dev.tailwater.store.Entry;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import java.io.IOException;
import java.time.Duration;

/** The import of entries into a store, batch by batch. For one thread. */
public final class EntryImport {
  /** The size from which a batch is committed, however few entries it has. */
  private static final long MOST_BATCH_BYTES = 8 * 1024 * 1024;

  private final KeyValueStore store;
  private final int batchEntries;
  private final long nowMillis;
  private WriteBatch batch = new WriteBatch();
  private long imported;
  private long expired;

  /**
   * Creates an import into this store.
   *
   * @param batchEntries entries that share one commit
   * @param nowMillis what the store's clock says, always: so that an entry expires when it did
   */
  public EntryImport(KeyValueStore store, int batchEntries, long nowMillis) {
    this.store = store;
    this.batchEntries = batchEntries;
    this.nowMillis = nowMillis;
  }

  /** Adds an entry; throws {@link IllegalArgumentException} if the store does not take it. */
  public void add(Entry entry) throws IOException {
    if (entry.isExpired(nowMillis)) {
      expired++;
      return;
    }
    WriteOptions options = WriteOptions.defaults().withTags(entry.tags());
    if (entry.expiresAtMillis().isPresent()) {
      long leftMillis = entry.expiresAtMillis().getAsLong() - nowMillis;
      options = options.withTimeToLive(Duration.ofMillis(leftMillis));
    }
    long length = entry.key().length + (long) entry.value().length;
    if (batch.size() >= batchEntries
        || (batch.size() > 0 && batch.sizeBytes() + length > MOST_BATCH_BYTES)) {
      flush();
    }
    batch.put(entry.key(), entry.value(), options);
  }

  /** Commits everything that was added. */
  public void flush() throws IOException {
    if (batch.size() > 0) {
      store.apply(batch);
      imported += batch.size();
      batch = new WriteBatch();
    }
  }

  /** Returns the number of entries that are durable. */
  public long imported() {
    return imported;
  }

  /** Returns the number of entries that were left out because they have expired. */
  public long expired() {
    return expired;
  }
}
