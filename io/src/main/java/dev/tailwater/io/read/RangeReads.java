package dev.tailwater.io.read;

import dev.tailwater.io.FileRange;
import dev.tailwater.io.buffer.PooledBuffer;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.ReadCalls;
import dev.tailwater.posix.value.ReadFlag;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Reads ranges of one open file by the methods there are. A read is short only at the end of the
 * file. Thread-safe.
 */
final class RangeReads {
  private static final int PIECE_BYTES = ReadCalls.MAX_CRITICAL_BYTES;
  private static final int STRIDE_BYTES = 1 << 20;
  private static final Set<ReadFlag> NO_WAIT = EnumSet.of(ReadFlag.NO_WAIT);

  private final OpenFile file;

  /** One byte that is read and never looked at; freed with this object. */
  private final MemorySegment probe = Arena.ofAuto().allocate(1);

  private volatile boolean noWait = true;

  RangeReads(OpenFile file) {
    this.file = file;
  }

  /** Into an array, by the method that suits, or as requested where that is allowed. */
  int intoArray(
      long offsetBytes, byte[] target, int from, int lengthBytes, Optional<ReadMethod> requested)
      throws IOException {
    if (ReadPolicy.mapped(file.kind(), requested, lengthBytes)) {
      return mapped(offsetBytes, target, from, lengthBytes);
    }
    if (!ReadPolicy.criticalIfResident(file.kind(), requested, lengthBytes)) {
      return (int) pooled(offsetBytes, MemorySegment.ofArray(target), from, lengthBytes);
    }
    long there = Math.max(0, file.sizeBytes() - offsetBytes);
    int wanted = (int) Math.min(lengthBytes, there);
    int done = 0;
    while (done < wanted) {
      int stride = Math.min(STRIDE_BYTES, wanted - done);
      long at = offsetBytes + done;
      int count =
          file.residency().all(file.fd(), at, at + stride)
              ? critical(at, target, from + done, stride)
              : (int) pooled(at, MemorySegment.ofArray(target), from + done, stride);
      done += count;
      if (count < stride) {
        break;
      }
    }
    return done;
  }

  /** Into native memory: straight, since nothing is better; into other heap memory by a buffer. */
  long intoSegment(long offsetBytes, MemorySegment target) throws IOException {
    if (!target.isNative()) {
      return pooled(offsetBytes, target, 0, target.byteSize());
    }
    long done = 0;
    while (done < target.byteSize()) {
      int count = file.calls().pread(file.fd(), target.asSlice(done), offsetBytes + done);
      if (count <= 0) {
        break;
      }
      done += count;
    }
    return done;
  }

  private int critical(long offsetBytes, byte[] target, int from, int lengthBytes)
      throws IOException {
    int done = 0;
    while (done < lengthBytes) {
      int piece = Math.min(PIECE_BYTES, lengthBytes - done);
      long at = offsetBytes + done;
      int count =
          isUpToDate(at + piece - 1)
              ? file.calls().preadCritical(file.fd(), target, from + done, piece, at)
              : (int) pooled(at, MemorySegment.ofArray(target), from + done, piece);
      if (count <= 0) {
        break;
      }
      done += count;
    }
    return done;
  }

  /**
   * Whether a page that is in the page cache has its bytes, too: cachestat counts those whose read
   * is under way, and read-ahead comes in from the front.
   */
  private boolean isUpToDate(long offsetBytes) throws ErrnoException {
    if (!noWait) {
      return true;
    }
    try {
      file.calls().preadv2(file.fd(), probe, offsetBytes, NO_WAIT);
      return true;
    } catch (ErrnoException e) {
      if (e.errno() == Errno.EAGAIN) {
        return false;
      }
      if (e.errno() == Errno.EOPNOTSUPP || e.errno() == Errno.ENOSYS) {
        noWait = false;
        return true;
      }
      throw e;
    }
  }

  private long pooled(long offsetBytes, MemorySegment target, long from, long lengthBytes)
      throws IOException {
    if (lengthBytes == 0) {
      return 0;
    }
    try (PooledBuffer buffer = file.buffer(Math.min(PIECE_BYTES, lengthBytes))) {
      MemorySegment memory = buffer.segment();
      long done = 0;
      while (done < lengthBytes) {
        long room = Math.min(memory.byteSize(), lengthBytes - done);
        MemorySegment piece = room == memory.byteSize() ? memory : memory.asSlice(0, room);
        int count = file.calls().pread(file.fd(), piece, offsetBytes + done);
        if (count <= 0) {
          break;
        }
        MemorySegment.copy(
            memory, ValueLayout.JAVA_BYTE, 0, target, ValueLayout.JAVA_BYTE, from + done, count);
        done += count;
      }
      return done;
    }
  }

  private int mapped(long offsetBytes, byte[] target, int from, int lengthBytes)
      throws IOException {
    long there = Math.max(0, file.sizeBytes() - offsetBytes);
    int wanted = (int) Math.min(lengthBytes, there);
    if (wanted == 0) {
      return 0;
    }
    ReadChoice asked = new ReadChoice(ReadMethod.MAPPED, "it was asked for");
    try (MappedView view =
        MappedView.of(file, new FileRange(offsetBytes, wanted), asked, Arena.ofConfined())) {
      view.copyTo(0, target, from, wanted);
      return wanted;
    }
  }
}
