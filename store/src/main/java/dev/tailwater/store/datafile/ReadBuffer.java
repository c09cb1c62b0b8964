package dev.tailwater.store.datafile;

import dev.tailwater.store.index.Index;
import dev.tailwater.store.segment.RecordBytes;
import dev.tailwater.store.segment.RecordHeader;
import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/**
 * Native memory that one read uses at a time, and what it found there. Records that are longer than
 * what is kept get memory of their own until {@link #release()}.
 */
final class ReadBuffer {
  static final int KEPT_BYTES = 64 * 1024;

  /** Collected with this object, and free of charge to use from any thread. */
  private final RecordBytes kept =
      new RecordBytes(Arena.ofAuto().allocate(KEPT_BYTES, DirectFile.MAX_BLOCK_BYTES));

  private final RecordHeader header = new RecordHeader();
  private @Nullable Arena arena;
  private RecordBytes bytes = kept;
  long[] locations = new long[4];

  /** What the index had for a key that was looked for; {@link Index#SEVERAL}: ask again. */
  long location;

  /** So many mapped reads until one is timed. */
  int untilSampled = StoreReader.SAMPLED;

  /** Whether what is in the buffer is to be shown to the cache, if it is a whole record. */
  boolean isSample;

  /** Memory for so many bytes; what was there may be gone. */
  RecordBytes ofSize(int lengthBytes) {
    if (lengthBytes > bytes.memory().byteSize()) {
      release();
      arena = Arena.ofShared();
      bytes = new RecordBytes(arena.allocate(lengthBytes, DirectFile.MAX_BLOCK_BYTES));
    }
    return bytes;
  }

  RecordBytes bytes() {
    return bytes;
  }

  RecordHeader header() {
    return header;
  }

  void release() {
    if (arena != null) {
      bytes = kept;
      arena.close();
      arena = null;
    }
  }
}
