package dev.tailwater.bench.stores;

import static org.lmdbjava.EnvFlags.MDB_NORDAHEAD;
import static org.lmdbjava.EnvFlags.MDB_NOSYNC;
import static org.lmdbjava.EnvFlags.MDB_NOTLS;

import dev.tailwater.lab.store.StoreRecords;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.lmdbjava.ByteBufferProxy;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.Txn;

/**
 * LMDB through lmdbjava. Settings, and why:
 *
 * <ul>
 *   <li>lmdbjava's fastest buffers, {@code PROXY_OPTIMAL}, and its argument checks off;
 *   <li>{@code MDB_NOTLS}, and one read transaction for each thread, which each get renews and
 *       resets, as LMDB's documentation advises: a get sees what was committed before it, and opens
 *       nothing;
 *   <li>{@code MDB_NORDAHEAD}: gets are random, and the data may be larger than memory. With
 *       read-ahead a cold get reads 128 KiB;
 *   <li>no {@code MDB_WRITEMAP}: a wild store of the JVM cannot damage the data then, which holds
 *       for the other engines too, but for Chronicle Map;
 *   <li>a durable put is a transaction of its own, committed with fdatasync; LMDB has one writer at
 *       a time and no group commit. To join the puts of several threads in one transaction would be
 *       the application's work;
 *   <li>puts that need not be durable are transactions too, in an environment that was opened with
 *       {@code MDB_NOSYNC};
 *   <li>loading is by transactions of 10 000 records with {@code MDB_NOSYNC}, and one sync at the
 *       end. The keys come in no order, as for the others, so there is no {@code MDB_APPEND}.
 * </ul>
 */
final class LmdbEngine implements Engine {
  private static final long MAP_BYTES = 64L << 30;
  private static final int LOAD_RECORDS = 10_000;

  private final Env<ByteBuffer> environment;
  private final Dbi<ByteBuffer> database;
  private final int valueBytes;
  private final boolean syncing;
  private final List<LmdbSession> sessions = new ArrayList<>();

  /**
   * @param syncing whether commits wait for the disk
   */
  LmdbEngine(Path directory, int valueBytes, boolean syncing) {
    this.valueBytes = valueBytes;
    this.syncing = syncing;
    EnumSet<EnvFlags> flags = EnumSet.of(MDB_NOTLS, MDB_NORDAHEAD);
    if (!syncing) {
      flags.add(MDB_NOSYNC);
    }
    environment =
        Env.create(ByteBufferProxy.PROXY_OPTIMAL)
            .setMapSize(MAP_BYTES)
            .setMaxDbs(1)
            .open(directory.toFile(), flags.toArray(EnvFlags[]::new));
    database = environment.openDbi("records", DbiFlags.MDB_CREATE);
  }

  @Override
  public synchronized Session session(int thread) {
    while (sessions.size() <= thread) {
      sessions.add(new LmdbSession());
    }
    return sessions.get(thread);
  }

  private final class LmdbSession implements Session {
    private final Txn<ByteBuffer> reading = environment.txnRead();
    private final ByteBuffer keyBuffer = ByteBuffer.allocateDirect(StoreRecords.KEY_BYTES);
    private final ByteBuffer valueBuffer = ByteBuffer.allocateDirect(valueBytes);

    LmdbSession() {
      reading.reset();
    }

    @Override
    public Optional<byte[]> get(byte[] key) {
      reading.renew();
      try {
        ByteBuffer found = database.get(reading, keyBuffer.clear().put(key).flip());
        if (found == null) {
          return Optional.empty();
        }
        byte[] value = new byte[found.remaining()];
        found.get(value);
        return Optional.of(value);
      } finally {
        reading.reset();
      }
    }

    @Override
    public void putDurably(byte[] key, byte[] value) {
      commit(key, value, true);
    }

    @Override
    public void put(byte[] key, byte[] value) {
      commit(key, value, false);
    }

    private void commit(byte[] key, byte[] value, boolean durably) {
      if (durably != syncing) {
        throw new IllegalStateException("opened with syncing " + syncing);
      }
      try (Txn<ByteBuffer> writing = environment.txnWrite()) {
        store(writing, key, value);
        writing.commit();
      }
    }

    void store(Txn<ByteBuffer> writing, byte[] key, byte[] value) {
      database.put(
          writing, keyBuffer.clear().put(key).flip(), valueBuffer.clear().put(value).flip());
    }
  }

  @Override
  public void load(StoreRecords records, long count) {
    LmdbSession session = new LmdbSession();
    for (long number = 0; number < count; ) {
      try (Txn<ByteBuffer> writing = environment.txnWrite()) {
        long end = Math.min(count, number + LOAD_RECORDS);
        for (; number < end; number++) {
          session.store(writing, records.key(number), records.value(number, 0));
        }
        writing.commit();
      }
    }
    environment.sync(true);
    session.reading.close();
  }

  @Override
  public void settle() {
    // It does nothing in the background.
  }

  @Override
  public void close() {
    sessions.forEach(session -> session.reading.close());
    if (!syncing) {
      environment.sync(true);
    }
    environment.close();
  }
}
