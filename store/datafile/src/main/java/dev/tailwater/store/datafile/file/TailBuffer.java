package dev.tailwater.store.datafile.file;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.store.files.Transfers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The buffer of the end of the newest data file. One thread at a time appends, with the store's
 * append lock held; meanwhile another may write what was appended before, without that lock. Any
 * thread may read what is not written yet, without a lock.
 */
public final class TailBuffer implements AutoCloseable {
  public static final int CAPACITY_BYTES = 1024 * 1024;

  private static final int ZEROS_BYTES = 64 * 1024;
  private static final VarHandle STAMP = handle("stamp", long.class);
  private static final VarHandle FILLED = handle("filledBytes", int.class);

  private final FileCalls calls;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory = arena.allocate(CAPACITY_BYTES, 4096);
  private final MemorySegment zeros = arena.allocate(ZEROS_BYTES, 4096);

  /** Held while writing to the file; taken after the append lock, or without it. */
  private final ReentrantLock writing = new ReentrantLock();

  /** Odd while the contents of the buffer are being replaced. */
  @SuppressWarnings("unused") // through the handle
  private long stamp;

  // Replaced with both locks held.
  private volatile DataFile file;
  private volatile long startBytes;

  /** Plain for the thread that appends; released to those that read and write. */
  private int filledBytes;

  /** The file has zeros from the end of what is written up to here. */
  @GuardedBy("writing")
  private long zeroedBytes;

  public TailBuffer(FileCalls calls, DataFile file, long startBytes) {
    this.calls = calls;
    this.file = file;
    this.startBytes = startBytes;
    this.zeroedBytes = startBytes;
  }

  private static VarHandle handle(String field, Class<?> type) {
    try {
      return MethodHandles.lookup().findVarHandle(TailBuffer.class, field, type);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  /** Returns the offset in the file of the next byte. */
  public long endBytes() {
    return startBytes + filledBytes;
  }

  /** Appends bytes; writes to the file when the buffer is full. */
  public void append(byte[] bytes, int lengthBytes) throws ErrnoException {
    int done = 0;
    while (done < lengthBytes) {
      if (filledBytes == CAPACITY_BYTES) {
        makeRoom();
      }
      int filled = filledBytes;
      int length = Math.min(CAPACITY_BYTES - filled, lengthBytes - done);
      MemorySegment.copy(bytes, done, memory, ValueLayout.JAVA_BYTE, filled, length);
      FILLED.setRelease(this, filled + length);
      done += length;
    }
  }

  /** Appends the parts of a record, and makes them readable together. */
  public void append(byte[] head, int headBytes, byte[] key, byte[] tags, byte[] value)
      throws ErrnoException {
    long length = (long) headBytes + key.length + tags.length + value.length;
    if (length > CAPACITY_BYTES - filledBytes) {
      if (length > CAPACITY_BYTES) {
        append(head, headBytes);
        append(key, key.length);
        append(tags, tags.length);
        append(value, value.length);
        return;
      }
      makeRoom();
    }
    int at = filledBytes;
    MemorySegment.copy(head, 0, memory, ValueLayout.JAVA_BYTE, at, headBytes);
    at += headBytes;
    MemorySegment.copy(key, 0, memory, ValueLayout.JAVA_BYTE, at, key.length);
    at += key.length;
    if (tags.length > 0) {
      MemorySegment.copy(tags, 0, memory, ValueLayout.JAVA_BYTE, at, tags.length);
      at += tags.length;
    }
    MemorySegment.copy(value, 0, memory, ValueLayout.JAVA_BYTE, at, value.length);
    FILLED.setRelease(this, at + value.length);
  }

  /**
   * Takes back what was appended last, which nobody knows of and of which nothing has been written.
   *
   * @param endBytes its offset, not below the beginning of the buffer
   */
  public void takeBackTo(long endBytes) {
    FILLED.setRelease(this, Math.toIntExact(endBytes - startBytes));
  }

  private void makeRoom() throws ErrnoException {
    write(file, endBytes(), 0);
    replace(file, endBytes());
  }

  /**
   * Writes everything up to an offset to the file, unless that has been done.
   *
   * @param to the file that was the newest when the caller got the offset
   * @param zeroEndBytes offset up to which it is to be filled with zeros; 0: not
   * @return false when there was no space for the zeros, which does no harm
   */
  public boolean write(DataFile to, long endBytes, long zeroEndBytes) throws ErrnoException {
    writing.lock();
    try {
      if (to != file) {
        return true; // sealed since, and so all of it is written
      }
      long from = to.writtenBytes();
      if (from < endBytes) {
        MemorySegment bytes = memory.asSlice(from - startBytes, endBytes - from);
        Transfers.writeAll(calls, to.fd(), bytes, from);
        to.wrote(endBytes);
      }
      return fill(to, zeroEndBytes);
    } finally {
      writing.unlock();
    }
  }

  @GuardedBy("writing")
  private boolean fill(DataFile to, long zeroEndBytes) throws ErrnoException {
    long at = Math.max(to.writtenBytes(), zeroedBytes);
    while (at < zeroEndBytes) {
      long length = Math.min(ZEROS_BYTES, zeroEndBytes - at);
      try {
        Transfers.writeAll(calls, to.fd(), zeros.asSlice(0, length), at);
      } catch (ErrnoException failed) {
        zeroedBytes = at + length; // some of them may be there
        if (isNoSpace(failed)) {
          return false;
        }
        throw failed;
      }
      at += length;
      zeroedBytes = at;
    }
    return true;
  }

  private static boolean isNoSpace(ErrnoException failed) {
    return switch (failed.errno()) {
      case ENOSPC, EDQUOT, EFBIG -> true;
      default -> false;
    };
  }

  /**
   * Stops filling this file with zeros, even by a caller that was told to before; until the next
   * file.
   */
  public void endFilling() {
    writing.lock();
    try {
      zeroedBytes = Long.MAX_VALUE;
    } finally {
      writing.unlock();
    }
  }

  /** Continues in another file; everything has been written. */
  public void continueIn(DataFile next, long offsetBytes) {
    writing.lock();
    try {
      replace(next, offsetBytes);
      zeroedBytes = offsetBytes;
    } finally {
      writing.unlock();
    }
  }

  private void replace(DataFile next, long offsetBytes) {
    writing.lock();
    try {
      long before = (long) STAMP.getOpaque(this);
      STAMP.setOpaque(this, before + 1);
      VarHandle.storeStoreFence(); // the odd stamp is visible before any change
      file = next;
      startBytes = offsetBytes;
      filledBytes = 0;
      STAMP.setRelease(this, before + 2);
    } finally {
      writing.unlock();
    }
  }

  /**
   * Copies what was appended to this file from this offset on, as much as fits.
   *
   * @return number of bytes; -1 when it has been written to the file meanwhile
   */
  public int read(DataFile from, long offsetBytes, MemorySegment target) {
    while (true) {
      long before = (long) STAMP.getAcquire(this);
      if ((before & 1) == 0) {
        long at = offsetBytes - startBytes;
        int length = Math.clamp((int) FILLED.getAcquire(this) - at, 0, (int) target.byteSize());
        boolean there = file == from && at >= 0 && length > 0;
        if (there) {
          MemorySegment.copy(memory, at, target, 0, length);
        }
        VarHandle.acquireFence(); // the copy is complete before the stamp is read again
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
