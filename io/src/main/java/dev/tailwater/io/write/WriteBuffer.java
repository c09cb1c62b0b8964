package dev.tailwater.io.write;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.tailwater.io.PageSize;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Page-aligned native memory of one window of the file: a byte of the file always lies at its
 * offset from the start of the window, so that what is aligned in the file is aligned in memory.
 */
final class WriteBuffer implements AutoCloseable {
  private final int sizeBytes;
  private final int pageBytes;

  /** Shared: a writer may be handed from one thread to another. Made with the memory. */
  private Optional<Arena> own = Optional.empty();

  private MemorySegment memory;

  private WriteBuffer(int sizeBytes, int pageBytes, MemorySegment memory) {
    this.sizeBytes = sizeBytes;
    this.pageBytes = pageBytes;
    this.memory = memory;
  }

  /** Memory of its own, allocated when the first byte is put in. */
  static WriteBuffer own(int sizeBytes) {
    return new WriteBuffer(sizeBytes, PageSize.bytes(), MemorySegment.NULL);
  }

  /** Memory that is lent, and stays the lender's. */
  static WriteBuffer lent(MemorySegment memory, int sizeBytes) {
    int pageBytes = PageSize.bytes();
    if (!memory.isNative() || memory.address() % pageBytes != 0 || memory.byteSize() < sizeBytes) {
      throw new IllegalArgumentException(
          "a buffer must be native memory at a multiple of "
              + pageBytes
              + " and hold a block of "
              + sizeBytes
              + " bytes: "
              + memory);
    }
    return new WriteBuffer(sizeBytes, pageBytes, memory);
  }

  /** Copies a part of {@code source} to an offset within the window. */
  void put(MemorySegment source, long from, long atBytes, long lengthBytes) {
    MemorySegment.copy(source, from, memory(), atBytes, lengthBytes);
  }

  /** Copies a part of an array to an offset within the window. */
  void put(byte[] source, int from, long atBytes, int lengthBytes) {
    MemorySegment.copy(source, from, memory(), JAVA_BYTE, atBytes, lengthBytes);
  }

  private MemorySegment memory() {
    if (memory.byteSize() == 0) {
      Arena arena = Arena.ofShared();
      own = Optional.of(arena);
      memory = arena.allocate(sizeBytes, pageBytes);
    }
    return memory;
  }

  MemorySegment slice(long fromBytes, long endBytes) {
    return memory.asSlice(fromBytes, endBytes - fromBytes);
  }

  @Override
  public void close() {
    own.ifPresent(Arena::close);
  }
}
