package dev.tailwater.delivery.checkpoint;

import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.WriteBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * Which file had a name when it left memory, in the store of the table of files: so that it is
 * known what becomes of the file when the name goes. The key is {@code name/} and 64 bits of a hash
 * of the path, the value the file's identity. Of two names with one hash the later counts; what
 * becomes of the other file is then found out at the next start.
 *
 * <p>For one thread; every method that writes returns when the change is durable.
 */
public final class NameTable {
  private static final byte[] PREFIX = CheckpointStore.ascii("name/");
  private static final int AT_ONCE = 4_096;

  private final TableStore store;

  NameTable(TableStore store) {
    this.store = store;
  }

  /** Returns the file that had this name when it left memory. */
  public Optional<FileIdentity> find(PosixPath name) throws IOException {
    byte[] key = key(name);
    return store.read(table -> table.get(key)).map(FileIdentity::fromBytes);
  }

  /** Adds names, and writes those that are not known. */
  public void add(Map<PosixPath, FileIdentity> files) throws IOException {
    WriteBatch batch = new WriteBatch();
    for (Map.Entry<PosixPath, FileIdentity> file : files.entrySet()) {
      byte[] key = key(file.getKey());
      byte[] identity = file.getValue().toBytes();
      Optional<byte[]> known = store.read(table -> table.get(key));
      if (known.isEmpty() || !Arrays.equals(known.get(), identity)) {
        batch.put(key, identity);
      }
      if (batch.size() == AT_ONCE) {
        store.apply(batch);
        batch = new WriteBatch();
      }
    }
    if (batch.size() > 0) {
      store.apply(batch);
    }
  }

  /** Removes a name. */
  public void remove(PosixPath name) throws IOException {
    store.apply(new WriteBatch().remove(key(name)));
  }

  private static byte[] key(PosixPath name) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.toBytes());
      return ByteBuffer.allocate(PREFIX.length + Long.BYTES)
          .put(PREFIX)
          .put(digest, 0, Long.BYTES)
          .array();
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JVM has SHA-256", e);
    }
  }
}
