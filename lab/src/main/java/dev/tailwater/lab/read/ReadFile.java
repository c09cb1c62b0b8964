package dev.tailwater.lab.read;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.read.PageCache;
import dev.tailwater.io.read.ReadOptions;
import dev.tailwater.io.read.ReadableFile;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.Advice;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Set;

/**
 * A file that is read as a whole again and again, and is open for each of the ways. One thread at a
 * time may use a way.
 */
final class ReadFile implements AutoCloseable {
  private static final int DROP_ATTEMPTS = 20;

  private final Descriptor descriptor;
  private final ReadableFile readable;
  private final FileInputStream stream;
  private final FileChannel channel;
  private final byte[] array;
  private final ByteBuffer direct;
  private final Arena arena = Arena.ofShared();

  private ReadFile(
      Descriptor descriptor,
      ReadableFile readable,
      FileInputStream stream,
      FileChannel channel,
      int sizeBytes) {
    this.descriptor = descriptor;
    this.readable = readable;
    this.stream = stream;
    this.channel = channel;
    this.array = new byte[sizeBytes];
    this.direct = arena.allocate(sizeBytes).asByteBuffer();
  }

  /** Opens a file of the given size. */
  @SuppressWarnings("MustBeClosedChecker") // closed by close()
  static ReadFile open(FileCalls calls, Path path, int sizeBytes) throws IOException {
    Descriptor descriptor =
        Descriptor.openRegularFile(calls, FileCalls.AT_FDCWD, PosixPath.of(path), Set.of());
    try {
      ReadableFile readable = ReadableFile.of(descriptor, ReadOptions.defaults());
      FileInputStream stream = new FileInputStream(path.toFile());
      try {
        return new ReadFile(descriptor, readable, stream, FileChannel.open(path), sizeBytes);
      } catch (IOException e) {
        stream.close();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      descriptor.close();
      throw e;
    }
  }

  int sizeBytes() {
    return array.length;
  }

  FileCalls calls() {
    return descriptor.calls();
  }

  int fd() {
    return descriptor.fd();
  }

  ReadableFile readable() {
    return readable;
  }

  /** Returns the channel, at the beginning of the file. */
  FileInputStream stream() throws IOException {
    stream.getChannel().position(0);
    return stream;
  }

  FileChannel channel() {
    return channel;
  }

  /** Returns the array for the bytes, which is as long as the file. */
  byte[] array() {
    return array;
  }

  /** The same memory as {@link #array}, empty. */
  ByteBuffer heap() {
    return ByteBuffer.wrap(array);
  }

  /** Returns an empty buffer as long as the file. */
  ByteBuffer direct() {
    return direct.clear();
  }

  /** Returns a mapping of the whole file, which stays until this is closed. */
  MemorySegment map() throws IOException {
    return calls().map(fd(), 0, sizeBytes(), arena);
  }

  /** Drops the file from the page cache; returns false if that cannot be done. */
  boolean drop() throws IOException {
    calls().fsync(fd());
    PageCache cache = PageCache.of(descriptor);
    for (int attempt = 0; attempt < DROP_ATTEMPTS; attempt++) {
      calls().fadvise(fd(), 0, 0, Advice.DONT_NEED);
      if (cache.residency(cache.wholeFile()).none()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() throws IOException {
    arena.close();
    channel.close();
    stream.close();
    readable.close();
    descriptor.close();
  }
}
