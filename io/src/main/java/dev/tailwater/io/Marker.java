package dev.tailwater.io;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A checksum of the bytes just before a position. On resume, and before every read, it shows
 * whether the file is still the same: a file that was truncated and grew again beyond the position
 * has the same inode and a larger size, and only its bytes differ.
 *
 * @param lengthBytes how many bytes it covers: 0 to {@value #MAX_BYTES}
 * @param crc32c CRC-32C (RFC 3720) of those bytes; 0 for none
 */
public record Marker(int lengthBytes, int crc32c) {
  public static final int MAX_BYTES = 256;

  /** The marker of position 0. */
  public static final Marker NONE = new Marker(0, 0);

  public Marker {
    if (lengthBytes < 0 || lengthBytes > MAX_BYTES) {
      throw new IllegalArgumentException("a marker of " + lengthBytes + " bytes");
    }
  }

  /** Covers up to {@value #MAX_BYTES} bytes of {@code data} before index {@code end}. */
  public static Marker of(byte[] data, int end) {
    return of(data, 0, end);
  }

  /**
   * Covers up to {@value #MAX_BYTES} bytes before the end, none of them before the other index.
   *
   * @throws IndexOutOfBoundsException if they are not all in the array
   */
  public static Marker of(byte[] data, int from, int end) {
    int lengthBytes = Math.min(MAX_BYTES, end - from);
    CRC32C crc = new CRC32C();
    crc.update(data, end - lengthBytes, lengthBytes);
    return new Marker(lengthBytes, (int) crc.getValue());
  }

  /**
   * Covers up to {@value #MAX_BYTES} bytes of the file before the offset. One ordinary read.
   *
   * @throws EOFException when the file is shorter than the offset
   * @throws ErrnoException as pread(2)
   */
  public static Marker before(FileCalls calls, int fd, long offsetBytes) throws IOException {
    int lengthBytes = (int) Math.min(MAX_BYTES, offsetBytes);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(MAX_BYTES);
      if (!fill(calls, fd, offsetBytes - lengthBytes, bytes, lengthBytes)) {
        throw new EOFException("fd " + fd + " ends before offset " + offsetBytes);
      }
      return new Marker(lengthBytes, checksum(bytes, lengthBytes));
    }
  }

  /**
   * Whether the file still has these bytes before the offset; false when it is shorter.
   *
   * @throws ErrnoException as pread(2) and fstat(2)
   */
  public boolean matches(FileCalls calls, int fd, long offsetBytes) throws ErrnoException {
    if (offsetBytes < lengthBytes) {
      return false;
    }
    if (lengthBytes == 0) {
      return offsetBytes == 0 || calls.fstat(fd).sizeBytes() >= offsetBytes;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(MAX_BYTES);
      return fill(calls, fd, offsetBytes - lengthBytes, bytes, lengthBytes)
          && checksum(bytes, lengthBytes) == crc32c;
    }
  }

  private static boolean fill(
      FileCalls calls, int fd, long offsetBytes, MemorySegment target, int lengthBytes)
      throws ErrnoException {
    int done = 0;
    while (done < lengthBytes) {
      int count = calls.pread(fd, target.asSlice(done, lengthBytes - done), offsetBytes + done);
      if (count <= 0) {
        return false;
      }
      done += count;
    }
    return true;
  }

  private static int checksum(MemorySegment bytes, int lengthBytes) {
    ByteBuffer buffer = bytes.asSlice(0, lengthBytes).asByteBuffer();
    CRC32C crc = new CRC32C();
    crc.update(buffer);
    return (int) crc.getValue();
  }
}
