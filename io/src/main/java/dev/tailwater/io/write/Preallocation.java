package dev.tailwater.io.write;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.value.AllocateFlag;
import java.util.EnumSet;

/**
 * Space that is preallocated for a growing file, in steps, so that the file has few extents and a
 * full disk is noticed early. Does not change the size of the file.
 */
final class Preallocation implements AutoCloseable {
  private static final int UNKNOWN = -1;

  private final Descriptor file;
  private final long stepBytes;
  private final Fallbacks fallbacks;
  private long reservedToBytes = UNKNOWN;
  private boolean reserved;
  private boolean refused;

  Preallocation(Descriptor file, long stepBytes, Fallbacks fallbacks) {
    this.file = file;
    this.stepBytes = stepBytes;
    this.fallbacks = fallbacks;
    this.refused = stepBytes == 0;
  }

  /**
   * Preallocates space before a write of a range. A refusal is no failure, since the write itself
   * fails if there is no space.
   */
  void cover(long fromBytes, long endBytes) throws ErrnoException {
    if (refused || endBytes <= reservedToBytes) {
      return;
    }
    if (reservedToBytes == UNKNOWN) {
      reservedToBytes = file.calls().fstat(file.fd()).sizeBytes();
      if (endBytes <= reservedToBytes) {
        return;
      }
    }
    long from = Math.max(fromBytes, reservedToBytes);
    long length = Math.max(stepBytes, endBytes - from);
    try {
      file.calls().fallocate(file.fd(), EnumSet.of(AllocateFlag.KEEP_SIZE), from, length);
      reserved = true;
      reservedToBytes = from + length;
    } catch (ErrnoException e) {
      refused = true;
      // A part of it may be reserved.
      reserved |= e.errno() == Errno.ENOSPC || e.errno() == Errno.EDQUOT;
      reservedToBytes = from + length;
      fallbacks.add("no more space is reserved ahead", e);
    }
  }

  /** Releases the space after the end: one fstat(2) and one ftruncate(2) to the same size. */
  @Override
  public void close() throws ErrnoException {
    if (reserved) {
      long sizeBytes = file.calls().fstat(file.fd()).sizeBytes();
      if (sizeBytes < reservedToBytes) {
        file.calls().truncate(file.fd(), sizeBytes);
      }
      reserved = false;
    }
  }
}
