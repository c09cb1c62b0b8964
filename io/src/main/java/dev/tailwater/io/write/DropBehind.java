package dev.tailwater.io.write;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileAdvice;
import dev.tailwater.posix.value.Advice;

/**
 * Drops written pages if RWF_DONTCACHE is not supported. POSIX_FADV_DONTNEED starts to write dirty
 * pages and drops clean ones, so each range is named twice: when it was written, and a step later.
 * Does not use sync_file_range(2), whose wait would consume the error that fdatasync(2) must
 * report.
 */
final class DropBehind {
  private static final long STEP_BYTES = 8 * 1024 * 1024;

  private final Descriptor file;
  private long keptFromBytes;
  private long askedToBytes;

  DropBehind(Descriptor file) {
    this.file = file;
  }

  /** A new run of writes begins there. */
  void begin(long offsetBytes) {
    keptFromBytes = offsetBytes;
    askedToBytes = offsetBytes;
  }

  /** Everything up to there is handed to the kernel. */
  void writtenTo(long offsetBytes) throws ErrnoException {
    if (offsetBytes - askedToBytes >= STEP_BYTES) {
      drop(keptFromBytes, offsetBytes);
      keptFromBytes = askedToBytes;
      askedToBytes = offsetBytes;
    }
  }

  /** Everything up to there is on the disk, and so every page is clean. */
  void syncedTo(long offsetBytes) throws ErrnoException {
    if (offsetBytes > keptFromBytes) {
      drop(keptFromBytes, offsetBytes);
      begin(offsetBytes);
    }
  }

  private void drop(long from, long to) throws ErrnoException {
    FileAdvice.give(file.calls(), file.fd(), from, to - from, Advice.DONT_NEED);
  }
}
