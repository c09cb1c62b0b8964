package dev.tailwater.store.files;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A reader of a file through a window of native memory, so that small frames do not cost a system
 * call each. Neither owns the descriptor nor changes the file. Used by one thread.
 */
public final class StoreFileReader implements AutoCloseable {
  private static final int WINDOW_BYTES = 256 * 1024;

  private final FileCalls calls;
  private final int fd;
  private final PosixPath file;
  private final long sizeBytes;
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment window;
  private long windowStartBytes;
  private int windowLengthBytes;

  public StoreFileReader(FileCalls calls, int fd, PosixPath file) throws IOException {
    this.calls = calls;
    this.fd = fd;
    this.file = file;
    this.sizeBytes = calls.fstat(fd).sizeBytes();
    this.window = arena.allocate(WINDOW_BYTES);
  }

  public PosixPath file() {
    return file;
  }

  /** Length of the file when it was opened. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /** Reads exactly this range, which must lie within the file. */
  public byte[] read(long offsetBytes, int lengthBytes) throws IOException {
    if (offsetBytes < 0 || lengthBytes > sizeBytes - offsetBytes) {
      throw new EOFException(file + " ends before offset " + (offsetBytes + lengthBytes));
    }
    byte[] target = new byte[lengthBytes];
    int done = 0;
    while (done < lengthBytes) {
      long at = offsetBytes + done;
      if (at < windowStartBytes || at >= windowStartBytes + windowLengthBytes) {
        fill(at);
      }
      int from = (int) (at - windowStartBytes);
      int length = Math.min(windowLengthBytes - from, lengthBytes - done);
      MemorySegment.copy(window, ValueLayout.JAVA_BYTE, from, target, done, length);
      done += length;
    }
    return target;
  }

  private void fill(long offsetBytes) throws IOException {
    windowLengthBytes = 0;
    int length = calls.pread(fd, window, offsetBytes);
    if (length == 0) {
      throw new EOFException(
          file + " became shorter than " + sizeBytes + " bytes while it was read");
    }
    windowStartBytes = offsetBytes;
    windowLengthBytes = length;
  }

  @Override
  public void close() {
    arena.close();
  }
}
