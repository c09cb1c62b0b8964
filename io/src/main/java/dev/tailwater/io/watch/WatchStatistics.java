package dev.tailwater.io.watch;

/**
 * Figures of a {@link DirectoryWatch}.
 *
 * @param files known files
 * @param directories known directories
 * @param leftOut files and directories for which the last listing found no room; the contents of
 *     such a directory are not counted
 * @param links symbolic links that the last listings did not follow
 * @param inotifyDirectories directories watched by inotify(7)
 * @param fanotifyDirectories directories watched by fanotify(7)
 * @param polledDirectories directories that are polled: remote ones, and those without notification
 * @param hotDirectories directories watched by inotify whose files are polled because they are
 *     written so often; see {@link WatchOptions#maxTickMillis}
 * @param events events read
 * @param coalescedEvents of these, events about a name that an earlier event of the same tick named
 * @param skippedEvents of these, events about directories of a marked file system outside the roots
 * @param overflows how often the kernel's queue was full, after which everything was scanned
 * @param scans scans of all directories
 * @param polls looks at the polled directories
 * @param hotPolls looks at the files of hot directories
 * @param lookNanos total time of all scans and polls
 * @param tickMillis how long events are collected now before they are read
 */
public record WatchStatistics(
    int files,
    int directories,
    long leftOut,
    Links links,
    int inotifyDirectories,
    int fanotifyDirectories,
    int polledDirectories,
    int hotDirectories,
    long events,
    long coalescedEvents,
    long skippedEvents,
    long overflows,
    long scans,
    long polls,
    long hotPolls,
    long lookNanos,
    long tickMillis) {
  /**
   * Symbolic links that are not followed.
   *
   * @param forFiles those whose names files may have
   * @param forDirectories those of other names, which directories may have
   */
  public record Links(long forFiles, long forDirectories) {
    /** Returns the number of all. */
    public long all() {
      return forFiles + forDirectories;
    }
  }
}
