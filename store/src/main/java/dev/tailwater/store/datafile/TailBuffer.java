package dev.tailwater.store.datafile;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.store.files.Transfers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The end of the newest data file, not written yet. One thread at a time appends and writes; any
 * thread may read what was appended, without a lock.
 */
final class TailBuffer implements AutoCloseable {
  static final int CAPACITY_BYTES = 1024 * 1024;

  private static final VarHandle STAMP;

  static {
    try {
      STAMP = MethodHandles.lookup().findVarHandle(TailBuffer.class, "stamp", long.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private final FileCalls calls;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory = arena.allocate(CAPACITY_BYTES, 4096);

  /** Odd while what lies in the buffer is being replaced. */
  @SuppressWarnings("unused") // through the handle
  private long stamp;

  private volatile DataFile file;
  private volatile long startBytes;
  private volatile int filledBytes;

  TailBuffer(FileCalls calls, DataFile file, long startBytes) {
    this.calls = calls;
    this.file = file;
    this.startBytes = startBytes;
  }

  /** Where the next byte will lie in the file. */
  long endBytes() {
    return startBytes + filledBytes;
  }

  boolean isEmpty() {
    return filledBytes == 0;
  }

  /** Adds bytes; writes when there is no room. */
  void append(byte[] bytes, int lengthBytes) throws ErrnoException {
    int done = 0;
    while (done < lengthBytes) {
      if (filledBytes == CAPACITY_BYTES) {
        write();
      }
      int filled = filledBytes;
      int length = Math.min(CAPACITY_BYTES - filled, lengthBytes - done);
      MemorySegment.copy(bytes, done, memory, ValueLayout.JAVA_BYTE, filled, length);
      filledBytes = filled + length;
      done += length;
    }
  }

  /** Hands everything to the kernel. */
  void write() throws ErrnoException {
    int filled = filledBytes;
    if (filled > 0) {
      Transfers.writeAll(calls, file.fd(), memory.asSlice(0, filled), startBytes);
      file.wrote(startBytes + filled);
      replace(file, startBytes + filled);
    }
  }

  /** Goes on in another file; everything has been written. */
  void continueIn(DataFile next, long offsetBytes) {
    replace(next, offsetBytes);
  }

  private void replace(DataFile next, long offsetBytes) {
    long before = (long) STAMP.getOpaque(this);
    STAMP.setOpaque(this, before + 1);
    VarHandle.storeStoreFence(); // the odd stamp is seen before any change is
    file = next;
    startBytes = offsetBytes;
    filledBytes = 0;
    STAMP.setRelease(this, before + 2);
  }

  /**
   * Copies what was appended to this file from this offset on, as much as there is and fits.
   *
   * @return number of bytes; -1 when it has been written meanwhile, and is in the file
   */
  int read(DataFile from, long offsetBytes, MemorySegment target) {
    while (true) {
      long before = (long) STAMP.getAcquire(this);
      if ((before & 1) == 0) {
        long at = offsetBytes - startBytes;
        int length = Math.clamp(filledBytes - at, 0, (int) target.byteSize());
        boolean there = file == from && at >= 0 && length > 0;
        if (there) {
          MemorySegment.copy(memory, at, target, 0, length);
        }
        VarHandle.acquireFence(); // what was copied was copied before the stamp is looked at
        if ((long) STAMP.getOpaque(this) == before) {
          return there ? length : -1;
        }
      }
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
