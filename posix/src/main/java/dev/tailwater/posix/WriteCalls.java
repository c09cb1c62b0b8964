package dev.tailwater.posix;

import java.lang.foreign.MemorySegment;
import java.util.Set;

/** Calls that change bytes or make them durable. */
public interface WriteCalls {
  int pwrite(int fd, MemorySegment source, long offsetBytes) throws ErrnoException;

  void fsync(int fd) throws ErrnoException;

  void fdatasync(int fd) throws ErrnoException;

  void fallocate(int fd, Set<AllocateFlag> flags, long offsetBytes, long lengthBytes)
      throws ErrnoException;

  void truncate(int fd, long sizeBytes) throws ErrnoException;

  void changeMode(int fd, int mode) throws ErrnoException;

  /** Sets the time of last modification; the time of last access stays. */
  void changeModificationTime(int fd, long secondsSinceEpoch, int nanos) throws ErrnoException;
}
