package dev.tailwater.store.datafile.write;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.store.datafile.file.LogEnd;

/** The log that a {@link Committer} writes and syncs. */
public interface CommitTarget {
  /** Returns what is appended by now, to be {@linkplain #write written}. */
  LogEnd end();

  /**
   * Returns what is appended by now, to be written and synced; its file is retained for the caller.
   */
  LogEnd endToSync();

  /** Writes it to the file; others append meanwhile. */
  void write(LogEnd end) throws ErrnoException;

  /** Makes visible what is durable now, in steps between which others append. */
  void onDurable(LogEnd synced);
}
