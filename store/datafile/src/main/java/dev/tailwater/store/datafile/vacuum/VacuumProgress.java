package dev.tailwater.store.datafile.vacuum;

/** Is told how far a vacuum has come; called by the thread that vacuums, some times a second. */
@FunctionalInterface
public interface VacuumProgress {
  /**
   * So much is done.
   *
   * @param doneBytes length of the files that have been looked at, at most {@code totalBytes}
   * @param totalBytes length of all files that there are to look at
   */
  void done(long doneBytes, long totalBytes);
}
