package dev.tailwater.bench.stores;

import dev.tailwater.lab.store.StoreRecords;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;

/**
 * The least that a durable put can be: one thread writes as many bytes as a record has behind the
 * last ones, and calls fdatasync(2) each time.
 */
final class RawAppends {
  private static final long PREALLOCATED_BYTES = 64L << 20;
  private static final int ZEROS_BYTES = 1 << 20;

  private final Path file;
  private final byte[] record;

  RawAppends(Path file, int valueBytes) {
    this.file = file;
    this.record = new byte[StoreRecords.KEY_BYTES + valueBytes];
  }

  /**
   * Appends a second, of the mean.
   *
   * @param preallocated whether the bytes are written over zeros that are on disk already, so that
   *     the file does not grow and has no blocks to be given; else it grows
   */
  double run(boolean preallocated, int millis) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      if (preallocated) {
        ByteBuffer zeros = ByteBuffer.allocate(ZEROS_BYTES);
        for (long offset = 0; offset < PREALLOCATED_BYTES; ) {
          offset += channel.write(zeros.clear(), offset);
        }
      }
      channel.force(true);
      return append(channel, preallocated ? PREALLOCATED_BYTES : Long.MAX_VALUE, millis);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private double append(FileChannel channel, long limitBytes, int millis) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocateDirect(record.length).put(record);
    long startNanos = System.nanoTime();
    long endNanos = startNanos + TimeUnit.MILLISECONDS.toNanos(millis);
    long offset = 0;
    long appends = 0;
    while (System.nanoTime() < endNanos && offset + record.length <= limitBytes) {
      channel.write(bytes.clear(), offset);
      channel.force(false);
      offset += record.length;
      appends++;
    }
    return appends * 1e9 / (System.nanoTime() - startNanos);
  }
}
