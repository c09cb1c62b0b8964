package dev.tailwater.bench.stores;

import dev.tailwater.lab.store.StoreRecords;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.Durability;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.datafile.DataFileOptions;
import dev.tailwater.store.datafile.DataFileStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The data-file store of this project, with {@link DataFileOptions#defaults()} but for what the
 * variant is named after. Loading is by one {@code putAll} that is durable when it returns.
 */
final class TailwaterEngine implements Engine, Engine.Session {
  private static final WriteOptions DURABLE =
      WriteOptions.defaults().withDurability(Durability.GROUP);
  private static final WriteOptions UNSYNCED =
      WriteOptions.defaults().withDurability(Durability.NONE);

  private final DataFileStore store;

  TailwaterEngine(Path directory, DataFileOptions options) throws IOException {
    store = DataFileStore.open(LinuxFileCalls.create(), PosixPath.of(directory), options);
  }

  @Override
  public Session session(int thread) {
    return this;
  }

  @Override
  public Optional<byte[]> get(byte[] key) throws IOException {
    return store.get(key);
  }

  @Override
  public void putDurably(byte[] key, byte[] value) throws IOException {
    store.put(key, value, DURABLE);
  }

  @Override
  public void put(byte[] key, byte[] value) throws IOException {
    store.put(key, value, UNSYNCED);
  }

  @Override
  public void load(StoreRecords records, long count) throws IOException {
    store.putAll(records.puts(count), DURABLE);
  }

  @Override
  public void settle() {
    // Hints are made in the background; nothing that is measured waits for them.
  }

  @Override
  public void close() throws IOException {
    store.close();
  }
}
