package dev.tailwater.lab.read;

import dev.tailwater.posix.MemoryCalls;
import dev.tailwater.posix.ReadCalls;
import dev.tailwater.posix.linux.LinuxMemoryCalls;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A method of reading all bytes of a file into memory, in one call if possible.
 *
 * @param name for people
 */
record ReadWay(String name, Reading reading) {
  static final String STREAM = "InputStream";
  static final String HEAP_CHANNEL = "FileChannel, heap buffer";
  static final String DIRECT_CHANNEL = "FileChannel, direct buffer";
  static final String CRITICAL = "critical read";
  static final String OURS = "ReadableFile (ours)";
  static final String MAPPED = "mmap, copied, munmap";
  static final String MAPPED_STREAMING = "mmap, streaming copy, munmap";
  static final String KEPT_STREAMING = "mmap kept, streaming copy";

  /** A function that reads the whole file. */
  interface Reading {
    void read() throws IOException;
  }

  /** Returns all methods for one file, which is mapped from now on. */
  static List<ReadWay> all(ReadFile file) throws IOException {
    List<ReadWay> ways = withoutMapping(file);
    MemoryCalls memory = LinuxMemoryCalls.create();
    MemorySegment kept = file.map();
    ways.add(
        new ReadWay(
            KEPT_STREAMING, () -> memory.copyStreaming(kept, MemorySegment.ofArray(file.array()))));
    return ways;
  }

  /**
   * Returns the methods that leave no mapping, so that the file can be dropped from the page cache.
   */
  static List<ReadWay> withoutMapping(ReadFile file) {
    List<ReadWay> ways = new ArrayList<>();
    ways.add(new ReadWay(STREAM, () -> stream(file)));
    ways.add(new ReadWay(HEAP_CHANNEL, () -> channel(file, file.heap())));
    ways.add(new ReadWay(DIRECT_CHANNEL, () -> channel(file, file.direct())));
    ways.add(new ReadWay(CRITICAL, () -> critical(file)));
    ways.add(new ReadWay(OURS, () -> ours(file)));
    ways.add(new ReadWay(MAPPED, () -> mapped(file)));
    MemoryCalls memory = LinuxMemoryCalls.create();
    ways.add(new ReadWay(MAPPED_STREAMING, () -> mappedStreaming(file, memory)));
    return ways;
  }

  /**
   * Reads by a FileInputStream, as the article does: a copy through the stack, or through malloc(3)
   * if it is more than 8 KiB.
   */
  private static void stream(ReadFile file) throws IOException {
    require(file, file.stream().readNBytes(file.array(), 0, file.sizeBytes()));
  }

  private static void channel(ReadFile file, ByteBuffer target) throws IOException {
    while (target.hasRemaining()) {
      if (file.channel().read(target, target.position()) < 0) {
        break;
      }
    }
    require(file, target.position());
  }

  /**
   * Reads straight into the array by the article's own method, in pieces, even if the read has to
   * wait for the disk.
   */
  private static void critical(ReadFile file) throws IOException {
    int done = 0;
    int count = 1;
    while (done < file.sizeBytes() && count > 0) {
      int wanted = Math.min(ReadCalls.MAX_CRITICAL_BYTES, file.sizeBytes() - done);
      count = file.calls().preadCritical(file.fd(), file.array(), done, wanted, done);
      done += count;
    }
    require(file, done);
  }

  private static void ours(ReadFile file) throws IOException {
    require(file, file.readable().read(0, file.array(), 0, file.sizeBytes()));
  }

  private static void mapped(ReadFile file) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mapping = file.calls().map(file.fd(), 0, file.sizeBytes(), arena);
      MemorySegment.copy(mapping, ValueLayout.JAVA_BYTE, 0, file.array(), 0, file.sizeBytes());
    }
  }

  /**
   * Copies from a mapping by native code, which is safe only here, since nothing else changes the
   * file.
   */
  private static void mappedStreaming(ReadFile file, MemoryCalls memory) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mapping = file.calls().map(file.fd(), 0, file.sizeBytes(), arena);
      memory.copyStreaming(mapping, MemorySegment.ofArray(file.array()));
    }
  }

  private static void require(ReadFile file, int read) throws IOException {
    if (read != file.sizeBytes()) {
      throw new IOException("only %d of %d bytes were read".formatted(read, file.sizeBytes()));
    }
  }
}
