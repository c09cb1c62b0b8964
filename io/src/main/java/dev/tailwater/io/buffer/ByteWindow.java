package dev.tailwater.io.buffer;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The part of a source that is in memory: from {@link #at} to {@link #limit} in the buffer. Its
 * fields are open to {@link ValueReader}, whose loops work on them.
 */
final class ByteWindow {
  private final Optional<ByteSource> source;
  final MemorySegment buffer;

  /** Where in the buffer the next value starts. */
  long at;

  /** Where in the buffer the bytes end that were read. */
  long limit;

  /** Where in the data the buffer's start lies. */
  private long startBytes;

  /** Fills the buffer from the source. */
  ByteWindow(ByteSource source, MemorySegment buffer) {
    this.source = Optional.of(source);
    this.buffer = buffer;
  }

  /** Creates a window over data that is entirely in memory. */
  ByteWindow(MemorySegment data) {
    this.source = Optional.empty();
    this.buffer = data;
    this.limit = data.byteSize();
  }

  long positionBytes() {
    return startBytes + at;
  }

  /** Waits for another byte; returns whether there is one. */
  boolean hasNext() throws IOException {
    return at < limit || fill(1) > 0;
  }

  /** Loads a value of this size into memory. */
  void require(int valueBytes) throws IOException {
    long left = fill(valueBytes);
    if (left == 0) {
      throw new EOFException("the data ends at offset " + positionBytes());
    }
    if (left < valueBytes) {
      throw new TruncatedValueException(positionBytes(), (int) left, valueBytes);
    }
  }

  /** Moves the rest to the front and reads more; returns the number of bytes in memory. */
  private long fill(int wantedBytes) throws IOException {
    long left = limit - at;
    if (left >= wantedBytes || source.isEmpty()) {
      return left;
    }
    if (at > 0) {
      MemorySegment.copy(buffer, at, buffer, 0, left);
      startBytes += at;
      at = 0;
      limit = left;
    }
    while (limit < wantedBytes) {
      int count = source.get().read(limit == 0 ? buffer : buffer.asSlice(limit));
      if (count == ByteSource.END) {
        break;
      }
      if (count < 1 || count > buffer.byteSize() - limit) {
        throw new IOException(
            "the source says that it read %d bytes where %d fit"
                .formatted(count, buffer.byteSize() - limit));
      }
      limit += count;
    }
    return limit;
  }
}
