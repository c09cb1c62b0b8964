package dev.tailwater.bench.stores;

import dev.tailwater.lab.store.StoreRecords;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksObject;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * RocksDB through rocksdbjni. Settings, and why:
 *
 * <ul>
 *   <li>no compression: no other engine here compresses, and the values are random;
 *   <li>a bloom filter of 10 bits a key, as its tuning guide advises for gets;
 *   <li>a block cache of 64 MiB: what the comparison of resident memory allows for a cache;
 *   <li>two background jobs, as many as processors;
 *   <li>the log on, always: without it a killed process loses what the other engines keep;
 *   <li>loading in batches of 1000 records, then a flush, and a sync of the log: cheaper than
 *       single puts, and afterwards everything is on disk, as with the others;
 *   <li>checksums of blocks verified at each read, which is the default, and random access
 *       announced to the kernel when files are opened, which is the default too;
 *   <li>a durable put has {@code sync=true}; threads that wait together share one fdatasync of the
 *       log.
 * </ul>
 */
final class RocksDbEngine implements Engine, Engine.Session {
  private static final long BLOCK_CACHE_BYTES = 64L << 20;
  private static final int BITS_PER_KEY = 10;
  private static final int BATCH_RECORDS = 1_000;
  private static final int POLL_MILLIS = 20;
  private static final String[] WORK = {
    "rocksdb.mem-table-flush-pending",
    "rocksdb.num-running-flushes",
    "rocksdb.compaction-pending",
    "rocksdb.num-running-compactions"
  };

  static {
    RocksDB.loadLibrary();
  }

  private final Deque<RocksObject> owned = new ArrayDeque<>();
  private final RocksDB database;
  private final ReadOptions reading = own(new ReadOptions());
  private final WriteOptions durable = own(new WriteOptions().setSync(true));
  private final WriteOptions unsynced = own(new WriteOptions().setSync(false));

  RocksDbEngine(Path directory) throws RocksDBException {
    BlockBasedTableConfig table =
        new BlockBasedTableConfig()
            .setBlockCache(own(new LRUCache(BLOCK_CACHE_BYTES)))
            .setFilterPolicy(own(new BloomFilter(BITS_PER_KEY)));
    Options options =
        own(new Options())
            .setCreateIfMissing(true)
            .setCompressionType(CompressionType.NO_COMPRESSION)
            .setMaxBackgroundJobs(Runtime.getRuntime().availableProcessors())
            .setTableFormatConfig(table);
    database = RocksDB.open(options, directory.toString());
  }

  private <T extends RocksObject> T own(T object) {
    owned.push(object);
    return object;
  }

  @Override
  public Session session(int thread) {
    return this;
  }

  @Override
  public Optional<byte[]> get(byte[] key) throws RocksDBException {
    return Optional.ofNullable(database.get(reading, key));
  }

  @Override
  public void putDurably(byte[] key, byte[] value) throws RocksDBException {
    database.put(durable, key, value);
  }

  @Override
  public void put(byte[] key, byte[] value) throws RocksDBException {
    database.put(unsynced, key, value);
  }

  @Override
  public void load(StoreRecords records, long count) throws RocksDBException {
    try (WriteBatch batch = new WriteBatch();
        FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
      for (long number = 0; number < count; number++) {
        batch.put(records.key(number), records.value(number, 0));
        if (batch.count() == BATCH_RECORDS) {
          database.write(unsynced, batch);
          batch.clear();
        }
      }
      database.write(unsynced, batch);
      database.syncWal();
      database.flush(flush);
    }
  }

  @Override
  public void settle() throws RocksDBException, InterruptedException {
    boolean busy = true;
    while (busy) {
      busy = false;
      for (String property : WORK) {
        busy |= database.getLongProperty(property) > 0;
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  @Override
  public void close() {
    database.close();
    owned.forEach(RocksObject::close);
  }
}
