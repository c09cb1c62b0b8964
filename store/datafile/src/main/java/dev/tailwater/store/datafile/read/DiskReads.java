package dev.tailwater.store.datafile.read;

import dev.tailwater.io.async.RandomReadOptions;
import dev.tailwater.io.async.RandomReads;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import org.jspecify.annotations.Nullable;

/** The random reads of a store, opened on first use. Thread-safe. */
public final class DiskReads implements AutoCloseable {
  /** Queue depth: reads that the disk gets at once. */
  static final int DEPTH = 32;

  private final FileCalls calls;
  private volatile @Nullable RandomReads reads;

  public DiskReads(FileCalls calls) {
    this.calls = calls;
  }

  RandomReads reads() throws ErrnoException {
    RandomReads open = reads;
    return open == null ? open() : open;
  }

  private synchronized RandomReads open() throws ErrnoException {
    RandomReads open = reads;
    if (open == null) {
      open = RandomReads.open(calls, RandomReadOptions.defaults().withQueueDepth(DEPTH));
      reads = open;
    }
    return open;
  }

  /** Closes them; nobody may read any more. */
  @Override
  public void close() throws ErrnoException {
    RandomReads open = reads;
    if (open != null) {
      open.close();
    }
  }
}
