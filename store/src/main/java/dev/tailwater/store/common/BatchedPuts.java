package dev.tailwater.store.common;

import dev.tailwater.store.BulkPut;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import java.io.IOException;
import java.util.Iterator;

/** Many puts, made as batches of bounded length. */
public final class BatchedPuts {
  private static final int MAX_CHANGES = 4096;
  private static final long FULL_BYTES = 1024 * 1024;

  private BatchedPuts() {}

  /** Puts all of them; others see some before the rest. */
  public static void putAll(KeyValueStore store, Iterator<BulkPut> puts, WriteOptions options)
      throws IOException {
    boolean first = true;
    while (puts.hasNext() || first) {
      first = false; // an empty batch says that the store is closed
      WriteBatch batch = new WriteBatch();
      while (puts.hasNext() && batch.size() < MAX_CHANGES && batch.sizeBytes() < FULL_BYTES) {
        BulkPut put = puts.next();
        batch.put(put.key(), put.value(), put.options());
      }
      store.apply(batch, options);
    }
  }
}
