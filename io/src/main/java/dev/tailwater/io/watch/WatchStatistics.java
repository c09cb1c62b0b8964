package dev.tailwater.io.watch;

/**
 * What a {@link DirectoryWatch} looks after and has done.
 *
 * @param files files that are known now
 * @param directories directories that are known now
 * @param leftOut files and directories for which there was no room when they were listed last; what
 *     is in such a directory is not counted
 * @param inotifyDirectories of these, the ones that inotify(7) tells of
 * @param fanotifyDirectories of these, the ones that fanotify(7) tells of
 * @param polledDirectories of these, the ones that are polled: remote, or nobody tells of them
 * @param hotDirectories of those of inotify, the ones whose files are polled since so much is
 *     written there; see {@link WatchOptions#maxTickMillis}
 * @param events events read
 * @param coalescedEvents of these, the ones about a name that had been told of in the same tick
 * @param skippedEvents of these, the ones about directories of a marked file system that are not
 *     below the roots
 * @param overflows times that the kernel's queue was full and everything was looked at again
 * @param scans looks at all directories
 * @param polls looks at the polled directories
 * @param hotPolls looks at the files of hot directories
 * @param lookNanos time that all scans and polls have taken
 * @param tickMillis how long events are collected now before they are read
 */
public record WatchStatistics(
    int files,
    int directories,
    long leftOut,
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
    long tickMillis) {}
