package dev.tailwater.store.datafile.vacuum;

/** Receives the progress of a vacuum, from the thread that vacuums. */
@FunctionalInterface
public interface VacuumProgress {
  /**
   * Reports progress.
   *
   * @param doneBytes length of the files that have been processed, at most {@code totalBytes}
   * @param totalBytes length of all files to be processed
   */
  void done(long doneBytes, long totalBytes);
}
