package dev.tailwater.delivery.checkpoint;

import dev.tailwater.io.FileIdentity;
import dev.tailwater.store.Durability;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * Which name led to which file, of those that left memory and are not open, in the store of the
 * table of files. The key is {@code name/} and a hash of the name. Only the run that wrote a row
 * reads it: the next start removes it, and finds its files by a scan. So nothing waits until a row
 * is on the disk. Should the store fail before that, a file is found at its name as one that came
 * back, and goes on in its stream. Thread-safe.
 */
public final class NameTable {
  /** How what only this run reads is written. */
  static final WriteOptions FOR_THIS_RUN = WriteOptions.defaults().withDurability(Durability.NONE);

  private static final byte[] PREFIX = CheckpointStore.ascii("name/");

  private final TableStore store;

  NameTable(TableStore store) {
    this.store = store;
  }

  /**
   * A file that left memory.
   *
   * @param arrivalNanos when it came to its path
   */
  public record Named(FileIdentity identity, long arrivalNanos) {}

  /** Returns the file to which the name led. */
  public Optional<Named> find(long nameHash) throws IOException {
    byte[] key = key(nameHash);
    return store.read(table -> table.get(key)).map(NameTable::decode);
  }

  /** Adds files by the hashes of their names, all or none. */
  public void add(Map<Long, Named> files) throws IOException {
    WriteBatch batch = new WriteBatch();
    files.forEach((nameHash, file) -> batch.put(key(nameHash), encode(file)));
    store.apply(batch, FOR_THIS_RUN);
  }

  /** Returns whether a key of the store is one of a name. */
  static boolean isName(byte[] key) {
    return key.length == PREFIX.length + Long.BYTES
        && Arrays.equals(key, 0, PREFIX.length, PREFIX, 0, PREFIX.length);
  }

  private static byte[] key(long nameHash) {
    return ByteBuffer.allocate(PREFIX.length + Long.BYTES).put(PREFIX).putLong(nameHash).array();
  }

  private static byte[] encode(Named file) {
    byte[] identity = file.identity().toBytes();
    return ByteBuffer.allocate(Long.BYTES + identity.length)
        .putLong(file.arrivalNanos())
        .put(identity)
        .array();
  }

  private static Named decode(byte[] value) {
    ByteBuffer from = ByteBuffer.wrap(value);
    long arrivalNanos = from.getLong();
    byte[] identity = new byte[from.remaining()];
    from.get(identity);
    return new Named(FileIdentity.fromBytes(identity), arrivalNanos);
  }
}
