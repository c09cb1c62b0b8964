package dev.tailwater.store.datafile.format;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.files.Transfers;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A window for reading a file sequentially through a piece of native memory, which grows only for a
 * longer record with a valid header. Neither owns the descriptor nor changes the file. Used by one
 * thread.
 */
final class FileWindow implements AutoCloseable {
  private static final int USUAL_BYTES = 1024 * 1024;

  private final FileCalls calls;
  private final int fd;
  private final PosixPath file;
  private final long sizeBytes;
  private Arena arena = Arena.ofShared();
  private RecordBytes bytes;
  private long startBytes;
  private int lengthBytes;

  FileWindow(FileCalls calls, int fd, PosixPath file, long sizeBytes) {
    this.calls = calls;
    this.fd = fd;
    this.file = file;
    this.sizeBytes = sizeBytes;
    this.bytes = new RecordBytes(arena.allocate(Math.clamp(sizeBytes, 1, USUAL_BYTES)));
  }

  /** What is in the window. */
  RecordBytes bytes() {
    return bytes;
  }

  /**
   * Loads this range of the file into the window, and returns where it begins there. The range must
   * lie in the file.
   */
  int load(long offsetBytes, int neededBytes) throws IOException {
    if (offsetBytes >= startBytes && offsetBytes + neededBytes <= startBytes + lengthBytes) {
      return (int) (offsetBytes - startBytes);
    }
    if (neededBytes > bytes.memory().byteSize()) {
      Arena larger = Arena.ofShared();
      bytes = new RecordBytes(larger.allocate(neededBytes));
      arena.close();
      arena = larger;
    }
    fill(offsetBytes, neededBytes);
    return 0;
  }

  private void fill(long offsetBytes, int neededBytes) throws IOException {
    MemorySegment memory = bytes.memory();
    int wanted = (int) Math.min(memory.byteSize(), sizeBytes - offsetBytes);
    startBytes = offsetBytes;
    lengthBytes = 0;
    lengthBytes = Transfers.readFully(calls, fd, memory.asSlice(0, wanted), offsetBytes);
    if (lengthBytes < neededBytes) {
      throw new EOFException(
          file + " became shorter than " + sizeBytes + " bytes while it was read");
    }
  }

  /** How many bytes of the file are in the window from here on. */
  int available(long offsetBytes) {
    return (int) Math.max(0, startBytes + lengthBytes - offsetBytes);
  }

  @Override
  public void close() {
    arena.close();
  }
}
