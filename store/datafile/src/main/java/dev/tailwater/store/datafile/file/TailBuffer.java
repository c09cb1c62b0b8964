package dev.tailwater.store.datafile.file;

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
 * The end of the newest data file. One thread at a time appends, with the store's append lock held;
 * another may write what was appended before meanwhile, without it; any thread may read what was
 * appended and is not written yet, without a lock.
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

  /** Whoever holds it may write to the file; taken behind the append lock, or without it. */
  private final ReentrantLock writing = new ReentrantLock();

  /** Odd while what lies in the buffer is being replaced. */
  @SuppressWarnings("unused") // through the handle
  private long stamp;

  // Replaced with both locks held.
  private volatile DataFile file;
  private volatile long startBytes;

  /** Plain to the one who appends; released to those who read and write. */
  private int filledBytes;

  /** There are zeros from the end of what is written up to here; guarded by {@link #writing}. */
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

  /** Where the next byte will lie in the file. */
  public long endBytes() {
    return startBytes + filledBytes;
  }

  /** Adds bytes; writes when there is no room. */
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

  /** Adds the parts of a record, and makes them readable at once. */
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
   * Takes back what was appended last, of which nobody knows and nothing has been written.
   *
   * @param endBytes where it began; at least where the buffer begins
   */
  public void takeBackTo(long endBytes) {
    FILLED.setRelease(this, Math.toIntExact(endBytes - startBytes));
  }

  private void makeRoom() throws ErrnoException {
    write(file, endBytes(), 0);
    replace(file, endBytes());
  }

  /**
   * Hands everything up to an offset to the kernel, unless that has been done.
   *
   * @param to the file that was the newest when the caller knew the offset
   * @param zeroEndBytes up to where it is to be filled with zeros; 0: not
   * @return false when there was no space for the zeros, which is no harm
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

  /** Nobody fills this file any more, also not who was told to before; until the next file. */
  public void endFilling() {
    writing.lock();
    try {
      zeroedBytes = Long.MAX_VALUE;
    } finally {
      writing.unlock();
    }
  }

  /** Goes on in another file; everything has been written. */
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
      VarHandle.storeStoreFence(); // the odd stamp is seen before any change is
      file = next;
      startBytes = offsetBytes;
      filledBytes = 0;
      STAMP.setRelease(this, before + 2);
    } finally {
      writing.unlock();
    }
  }

  /**
   * Copies what was appended to this file from this offset on, as much as there is and fits.
   *
   * @return number of bytes; -1 when it has been written meanwhile, and is in the file
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
