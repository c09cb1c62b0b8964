package dev.tailwater.store.datafile;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.store.files.Transfers;
import java.lang.foreign.MemorySegment;

/** One pread(2) for each record; what is not written yet comes from memory. */
final class PreadRecordReader implements RecordReader {
  private final FileCalls calls;
  private final TailBuffer tail;

  PreadRecordReader(FileCalls calls, TailBuffer tail) {
    this.calls = calls;
    this.tail = tail;
  }

  @Override
  public int read(DataFile file, long offsetBytes, int lengthBytes, ReadBuffer into)
      throws ErrnoException {
    MemorySegment target = into.ofSize(lengthBytes).memory();
    int done = 0;
    while (done < lengthBytes) {
      long at = offsetBytes + done;
      int written = Math.clamp(file.writtenBytes() - at, 0, lengthBytes - done);
      if (written > 0) {
        int read = Transfers.readFully(calls, file.fd(), target.asSlice(done, written), at);
        done += read;
        if (read < written) {
          break; // somebody has cut the file
        }
      } else {
        int copied = tail.read(file, at, target.asSlice(done, lengthBytes - done));
        if (copied >= 0) {
          done += copied;
          break;
        }
        if (file.writtenBytes() <= at) {
          break;
        }
      }
    }
    return done;
  }
}
