package dev.tailwater.store.datafile.vacuum;

import dev.tailwater.store.datafile.index.Location;
import dev.tailwater.store.datafile.write.Writer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * A list of moved records: hash, old location and new offset, 20 bytes each, outside the Java heap.
 * Used by one thread at a time.
 */
final class MoveList implements AutoCloseable {
  private static final int CHUNK_ENTRIES = 32 * 1024;
  private static final int PAIR_BYTES = 2 * Long.BYTES;
  private static final int CHUNK_BYTES = CHUNK_ENTRIES * (PAIR_BYTES + Integer.BYTES);

  /** Stands for a record that was not written; offset 0 is a header in every file. */
  private static final long NOWHERE = 0;

  private final Arena arena = Arena.ofShared();
  private final List<MemorySegment> chunks = new ArrayList<>();
  private int lastEntries = CHUNK_ENTRIES;

  void add(long hash, long from, long toOffsetBytes) {
    if (lastEntries == CHUNK_ENTRIES) {
      chunks.add(arena.allocate(CHUNK_BYTES, Long.BYTES));
      lastEntries = 0;
    }
    MemorySegment chunk = chunks.getLast();
    chunk.set(ValueLayout.JAVA_LONG, (long) lastEntries * PAIR_BYTES, hash);
    chunk.set(ValueLayout.JAVA_LONG, (long) lastEntries * PAIR_BYTES + Long.BYTES, from);
    chunk.set(ValueLayout.JAVA_INT, offsetPlace(lastEntries), (int) toOffsetBytes);
    lastEntries++;
  }

  /** Adds a record that was not written again. */
  void addGone(long hash, long from) {
    add(hash, from, NOWHERE);
  }

  private static long offsetPlace(int entry) {
    return (long) CHUNK_ENTRIES * PAIR_BYTES + (long) entry * Integer.BYTES;
  }

  /** Returns the number of entries. */
  long size() {
    return chunks.isEmpty() ? 0 : (chunks.size() - 1L) * CHUNK_ENTRIES + lastEntries;
  }

  /** Passes some of the entries to the action, in the order in which they were added. */
  void forEach(long fromEntry, long toEntry, int toFile, Writer.Relocation action) {
    for (long i = fromEntry; i < toEntry; i++) {
      MemorySegment chunk = chunks.get((int) (i / CHUNK_ENTRIES));
      int entry = (int) (i % CHUNK_ENTRIES);
      long hash = chunk.get(ValueLayout.JAVA_LONG, (long) entry * PAIR_BYTES);
      long from = chunk.get(ValueLayout.JAVA_LONG, (long) entry * PAIR_BYTES + Long.BYTES);
      long offset = Integer.toUnsignedLong(chunk.get(ValueLayout.JAVA_INT, offsetPlace(entry)));
      long to =
          offset == NOWHERE
              ? Location.NONE
              : Location.of(toFile, offset, Location.maxLengthBytes(from));
      action.moved(hash, from, to);
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
