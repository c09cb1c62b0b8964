package dev.tailwater.store;

import java.io.IOException;
import java.util.Iterator;

/** Makes many puts as batches that are not too long. */
final class BulkPuts {
  private static final int MAX_CHANGES = 4096;
  private static final long FULL_BYTES = 1024 * 1024;

  private BulkPuts() {}

  static void putAll(KeyValueStore store, Iterator<BulkPut> puts, WriteOptions options)
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
