package dev.tailwater.io.write;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Page-aligned native memory of one window of the file: a byte of the file always lies at its
 * offset from the start of the window, so that what is aligned in the file is aligned in memory.
 * Allocated when the first byte is put in.
 */
final class WriteBuffer implements AutoCloseable {
  private final int sizeBytes;
  private final int pageBytes;

  /** Shared: a writer may be handed from one thread to another. */
  private final Arena arena = Arena.ofShared();

  private MemorySegment memory = MemorySegment.NULL;

  WriteBuffer(int sizeBytes, int pageBytes) {
    this.sizeBytes = sizeBytes;
    this.pageBytes = pageBytes;
  }

  /** Copies a part of {@code source} to an offset within the window. */
  void put(MemorySegment source, long from, long atBytes, long lengthBytes) {
    if (memory.byteSize() == 0) {
      memory = arena.allocate(sizeBytes, pageBytes);
    }
    MemorySegment.copy(source, from, memory, atBytes, lengthBytes);
  }

  MemorySegment slice(long fromBytes, long endBytes) {
    return memory.asSlice(fromBytes, endBytes - fromBytes);
  }

  @Override
  public void close() {
    arena.close();
  }
}
