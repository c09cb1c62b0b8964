package dev.tailwater.delivery.seal;

import dev.tailwater.io.Marker;
import dev.tailwater.io.read.TailReader;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.value.FileStatus;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads a stream block by block, and notices when the file is truncated meanwhile, even if it has
 * grown beyond the position again: after each block it reads the bytes before the block again. If
 * they are unchanged, the block was read before any truncation. Belongs to one worker.
 */
final class VerifiedReader {
  /** How many bytes before the position are compared. */
  private static final int CARRY_BYTES = 256;

  /** How many bytes behind the position are read with them: all that is new in many files. */
  private static final int AHEAD_BYTES = 4096;

  /** Another way to notice truncations. */
  @FunctionalInterface
  interface Look {
    /** Returns whether the file is shorter than it was once seen in its present stream. */
    boolean isShrunk() throws ErrnoException;
  }

  private final TailReader reader;
  private byte[] window;
  private final byte[] again = new byte[CARRY_BYTES];
  private int fd = -1;
  private Optional<FileStatus> seen = Optional.empty();
  private long positionBytes;
  private int carryBytes;

  /** How many bytes behind the position are in the window, read with those before it. */
  private int aheadBytes;

  private boolean lookedAfterReading;

  VerifiedReader(TailReader reader, int blockBytes) {
    this.reader = reader;
    this.window = new byte[CARRY_BYTES + blockBytes];
  }

  /**
   * Begins at a position; false when the bytes before it are not those of the marker.
   *
   * @param seen the file as it was seen: what was written to it since is not read
   */
  boolean begin(int fd, FileStatus seen, long positionBytes, Marker marker) throws ErrnoException {
    this.fd = fd;
    this.seen = Optional.of(seen);
    this.positionBytes = positionBytes;
    this.carryBytes = (int) Math.min(CARRY_BYTES, positionBytes);
    this.aheadBytes = 0;
    if (carryBytes == 0) {
      return true;
    }
    int from = CARRY_BYTES - carryBytes;
    int most = carryBytes + Math.min(AHEAD_BYTES, window.length - CARRY_BYTES);
    int read = read(positionBytes - carryBytes, window, from, most);
    if (read < carryBytes) {
      return false;
    }
    aheadBytes = read - carryBytes;
    return marker.lengthBytes() == 0 || marker.equals(Marker.of(window, from, CARRY_BYTES));
  }

  /**
   * Reads the next block, of at most the block size. Where there are no bytes before it to compare,
   * or it is shorter than expected, the size tells whether it belongs to the stream whose size was
   * seen, or to one that followed.
   *
   * @param wantedBytes no more than the file has
   * @return its length; 0 at the end of the file; -1 when the file was truncated and the block is
   *     not to be used
   */
  int next(int wantedBytes, Look look) throws ErrnoException {
    boolean isRead = aheadBytes >= wantedBytes;
    int read = isRead ? wantedBytes : read(positionBytes, window, CARRY_BYTES, wantedBytes);
    aheadBytes = 0;
    boolean unproven = carryBytes == 0 || read < wantedBytes;
    lookedAfterReading = unproven;
    // In this order: bytes that are unchanged after the look were read before what the look saw.
    return (unproven && look.isShrunk()) || !isUnchanged(read, isRead) ? -1 : read;
  }

  /**
   * Skips a hole in the file.
   *
   * @param lengthBytes its length, at least 256
   * @return false when the file was truncated, and the hole may be another stream's
   */
  boolean skipZeros(long lengthBytes, Look look) throws ErrnoException {
    if (look.isShrunk() || !isUnchanged(0, false)) {
      return false;
    }
    aheadBytes = 0;
    Arrays.fill(window, 0, CARRY_BYTES, (byte) 0);
    carryBytes = CARRY_BYTES;
    positionBytes += lengthBytes;
    return true;
  }

  /**
   * Returns whether the bytes before the block, or the first ones of a file, are as they were read.
   *
   * @param areReadTogether whether the last read was of the block and the bytes before it
   */
  private boolean isUnchanged(int read, boolean areReadTogether) throws ErrnoException {
    boolean first = carryBytes == 0;
    int from = first ? CARRY_BYTES : CARRY_BYTES - carryBytes;
    int length = first ? Math.min(CARRY_BYTES, read) : carryBytes;
    int count =
        (first || areReadTogether) && length > 0
            ? reader.readAgain(fd, positionBytes - carryBytes, again, 0, length)
            : read(positionBytes - carryBytes, again, 0, length);
    return count == length && Arrays.equals(window, from, from + length, again, 0, length);
  }

  private int read(long offsetBytes, byte[] target, int from, int lengthBytes)
      throws ErrnoException {
    return reader.read(fd, seen.orElseThrow(), offsetBytes, target, from, lengthBytes);
  }

  /** Returns whether the last block was followed by a look at the file. */
  boolean hasLookedAfterReading() {
    return lookedAfterReading;
  }

  /** Returns where the block begins in {@link #array()}. */
  int from() {
    return CARRY_BYTES;
  }

  byte[] array() {
    return window;
  }

  /**
   * Moves on behind the block.
   *
   * @param next the array for the blocks that follow, as long as {@link #array()}: it, or another
   *     one if the caller keeps it
   */
  void advance(int lengthBytes, byte[] next) {
    int known = Math.min(CARRY_BYTES, carryBytes + lengthBytes);
    int end = CARRY_BYTES + lengthBytes;
    System.arraycopy(window, end - known, next, CARRY_BYTES - known, known);
    window = next;
    carryBytes = known;
    positionBytes += lengthBytes;
  }

  long positionBytes() {
    return positionBytes;
  }

  /** Returns the checksum of the bytes before the position. */
  Marker marker() {
    return Marker.of(window, CARRY_BYTES - carryBytes, CARRY_BYTES);
  }
}
