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
 * A buffer of native memory for one read at a time, and what the read found. Records that are too
 * long for it get memory of their own until {@link #release()}.
 */
public final class ReadBuffer {
  static final int KEPT_BYTES = 64 * 1024;

  private final RecordBytes none = new RecordBytes(MemorySegment.NULL);

  /** Freed by the garbage collector with this object; any thread may use it. */
  private @Nullable RecordBytes kept;

  private final RecordHeader header = new RecordHeader();
  private final ValueReader values = new ValueReader();
  private @Nullable Arena arena;
  private RecordBytes bytes = none;
  long[] locations = new long[4];

  /** The location that the index had for the last key; {@link Index#SEVERAL}: several. */
  long location;

  final Samples samples = new Samples();

  /** Whether the record in the buffer is to be offered to the cache, if it is whole. */
  boolean isSample;

  /** Returns memory for this many bytes; earlier contents may be lost. */
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

  /** Returns the reader of values that are taken from mapped memory, without this buffer. */
  ValueReader values() {
    return values;
  }

  /** Returns whether the record at the beginning of the buffer has expired. */
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
