package dev.tailwater.bench.stores;

import dev.tailwater.lab.store.StoreRecords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.map.ChronicleMapBuilder;

/**
 * Chronicle Map, persisted to a file that it maps. Settings, and why:
 *
 * <ul>
 *   <li>the number of entries and the sizes of keys and values are told exactly, as it wants them:
 *       the file has its place for each entry from the beginning, and a tenth more for the puts of
 *       the mix;
 *   <li>checksums of entries on, as the default for a persisted map: without them it cannot recover
 *       after a kill;
 *   <li>its {@code get} into a new array, as the other engines return one;
 *   <li>it has no durable put: what is in the map is in the page cache, and the kernel writes it
 *       back when it likes. So it has no part in the comparison of durable puts, and the end of its
 *       loading is not on disk.
 * </ul>
 *
 * <p>It opens a file after a kill by its {@code recoverPersistedTo}, which looks at every entry.
 */
final class ChronicleMapEngine implements Engine, Engine.Session {
  private static final double SPARE = 1.1;

  private final ChronicleMap<byte[], byte[]> map;

  /**
   * @param entries of the data set
   * @param killed whether the process that had it open last was killed
   */
  ChronicleMapEngine(Path directory, long entries, int valueBytes, boolean killed)
      throws IOException {
    Files.createDirectories(directory);
    ChronicleMapBuilder<byte[], byte[]> builder =
        ChronicleMapBuilder.of(byte[].class, byte[].class)
            .name("records")
            .entries((long) (entries * SPARE))
            .constantKeySizeBySample(new byte[StoreRecords.KEY_BYTES])
            .constantValueSizeBySample(new byte[valueBytes]);
    Path file = directory.resolve("map");
    map =
        killed
            ? builder.recoverPersistedTo(file.toFile(), true)
            : builder.createPersistedTo(file.toFile());
  }

  @Override
  public Session session(int thread) {
    return this;
  }

  @Override
  public Optional<byte[]> get(byte[] key) {
    return Optional.ofNullable(map.get(key));
  }

  @Override
  public void putDurably(byte[] key, byte[] value) {
    throw new IllegalStateException("Chronicle Map has no durable put");
  }

  @Override
  public void put(byte[] key, byte[] value) {
    map.put(key, value);
  }

  @Override
  public void load(StoreRecords records, long count) {
    for (long number = 0; number < count; number++) {
      map.put(records.key(number), records.value(number, 0));
    }
  }

  @Override
  public void settle() {
    // It does nothing in the background.
  }

  @Override
  public void close() {
    map.close();
  }
}
