package dev.tailwater.store.datafile.recovery;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.file.DataFileCreator;
import dev.tailwater.store.datafile.format.RecordScanner;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.files.Transfers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Makes the end of the last data file fit to be appended to. */
final class TailRepair {
  private static final int REWRITE_BYTES = 1024 * 1024;

  private TailRepair() {}

  /**
   * Cuts off a torn tail, and rewrites what is not known to be durable: it may have been read from
   * the page cache after its fdatasync failed, and rewriting it makes its pages dirty, so that the
   * sync here has an effect.
   */
  static void run(StoreDirectory directory, Recovered recovered, boolean hintIsUsed)
      throws IOException {
    FileCalls calls = directory.calls();
    DataFile last = recovered.files().inOrder().getLast();
    RecordScanner.Extent extent = recovered.last();
    boolean changed = false;
    if (recovered.tailBytes() > 0) {
      if (!hintIsUsed) {
        // A hint must not name records that were cut off.
        directory.delete(last.header().name().hintPath());
        directory.sync();
      }
      calls.truncate(last.fd(), extent.endBytes());
      changed = true;
    }
    last.wrote(extent.endBytes());
    if (extent.endBytes() > extent.durableBytes()) { // a seal does not cover itself
      rewrite(calls, last.fd(), extent.durableBytes(), extent.endBytes());
      changed = true;
    }
    if (changed) {
      calls.fsync(last.fd());
    }
    last.synced(extent.endBytes());
    for (DataFile file : recovered.files().inOrder()) {
      DataFileCreator.adviseRandom(calls, file.fd());
    }
  }

  private static void rewrite(FileCalls calls, int fd, long fromBytes, long endBytes)
      throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(REWRITE_BYTES);
      for (long at = fromBytes; at < endBytes; at += REWRITE_BYTES) {
        MemorySegment part = memory.asSlice(0, Math.min(REWRITE_BYTES, endBytes - at));
        int read = Transfers.readFully(calls, fd, part, at);
        Transfers.writeAll(calls, fd, part.asSlice(0, read), at);
      }
    }
  }
}
