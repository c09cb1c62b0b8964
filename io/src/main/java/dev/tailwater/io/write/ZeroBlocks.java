package dev.tailwater.io.write;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * Which blocks of a write are nothing but zeros, and so may stay the holes that they are. Where
 * this writer wrote before there is none any more.
 */
final class ZeroBlocks {
  /** Compared with as a whole: a loop over longs takes ten times as long until it is optimized. */
  private static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[4096]).asReadOnly();

  private final WriteGeometry geometry;

  /** Behind the last byte that was ever written, or tried to be. */
  private long writtenEndBytes;

  ZeroBlocks(WriteGeometry geometry) {
    this.geometry = geometry;
  }

  /** How many bytes from the start need no write: whole blocks of zeros. */
  long holeBytes(MemorySegment source, long offsetBytes) {
    long at = 0;
    while (isHole(source, offsetBytes, at)) {
      at += geometry.blockBytes();
    }
    return at;
  }

  /** How many bytes from the start, where there is no hole, one write may take: up to the next. */
  long dataBytes(MemorySegment source, long offsetBytes) {
    long at = geometry.blockEnd(offsetBytes + 1) - offsetBytes;
    while (at < source.byteSize() && !isHole(source, offsetBytes, at)) {
      at += geometry.blockBytes();
    }
    return Math.min(at, source.byteSize());
  }

  /** Before a write of that range, which may come to nothing. */
  void written(long offsetBytes, long lengthBytes) {
    writtenEndBytes = Math.max(writtenEndBytes, offsetBytes + lengthBytes);
  }

  private boolean isHole(MemorySegment source, long offsetBytes, long at) {
    long start = offsetBytes + at;
    return start >= writtenEndBytes
        && geometry.blockStart(start) == start
        && source.byteSize() - at >= geometry.blockBytes()
        && isZero(source, at);
  }

  private boolean isZero(MemorySegment source, long from) {
    if (source.get(JAVA_LONG_UNALIGNED, from) != 0) {
      return false; // As of nearly all data, without a call.
    }
    long end = from + geometry.blockBytes();
    for (long at = from; at < end; at += ZEROS.byteSize()) {
      long lengthBytes = Math.min(ZEROS.byteSize(), end - at);
      if (MemorySegment.mismatch(source, at, at + lengthBytes, ZEROS, 0, lengthBytes) >= 0) {
        return false;
      }
    }
    return true;
  }
}
