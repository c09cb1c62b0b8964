package dev.tailwater.store.datafile.read;

import dev.tailwater.store.datafile.file.DirectFile;
import dev.tailwater.store.datafile.format.RecordBytes;
import dev.tailwater.store.datafile.format.RecordHeader;
import dev.tailwater.store.datafile.format.ValueReader;
import dev.tailwater.store.datafile.index.Index;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Native memory that one read uses at a time, and what it found there. Records that are longer than
 * what is kept get memory of their own until {@link #release()}.
 */
public final class ReadBuffer {
  static final int KEPT_BYTES = 64 * 1024;

  private final RecordBytes none = new RecordBytes(MemorySegment.NULL);

  /** Collected with this object, and free of charge to use from any thread. */
  private @Nullable RecordBytes kept;

  private final RecordHeader header = new RecordHeader();
  private final ValueReader values = new ValueReader();
  private @Nullable Arena arena;
  private RecordBytes bytes = none;
  long[] locations = new long[4];

  /** What the index had for a key that was looked for; {@link Index#SEVERAL}: ask again. */
  long location;

  final Samples samples = new Samples();

  /** Whether what is in the buffer is to be shown to the cache, if it is a whole record. */
  boolean isSample;

  /** Memory for so many bytes; what was there may be gone. */
  RecordBytes ofSize(int lengthBytes) {
    if (lengthBytes > bytes.memory().byteSize()) {
      release();
      if (lengthBytes <= KEPT_BYTES) {
        bytes = kept();
      } else {
        arena = Arena.ofShared();
        bytes = new RecordBytes(arena.allocate(lengthBytes, DirectFile.MAX_BLOCK_BYTES));
      }
    }
    return bytes;
  }

  private RecordBytes kept() {
    if (kept == null) {
      kept = new RecordBytes(Arena.ofAuto().allocate(KEPT_BYTES, DirectFile.MAX_BLOCK_BYTES));
    }
    return kept;
  }

  public RecordBytes bytes() {
    return bytes;
  }

  public RecordHeader header() {
    return header;
  }

  /** For values that are taken from mapped memory, and do not come through this buffer. */
  ValueReader values() {
    return values;
  }

  /** Whether the record at the beginning of the buffer has ended. */
  boolean isExpired(InstantSource clock) {
    long expiresAtMillis = bytes.expiresAtMillis(0, header);
    return expiresAtMillis != 0 && expiresAtMillis <= clock.millis();
  }

  public void release() {
    if (arena != null) {
      bytes = none;
      arena.close();
      arena = null;
    }
  }
}
