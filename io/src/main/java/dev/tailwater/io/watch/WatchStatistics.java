package dev.tailwater.io.watch;

/**
 * What a {@link DirectoryWatch} looks after and has done.
 *
 * @param files files that are known now
 * @param directories directories that are known now
 * @param polledDirectories of these, the ones that are polled: remote, or no watch to be had
 * @param events inotify events read
 * @param overflows times that the kernel's queue was full and everything was looked at again
 * @param scans looks at all directories
 * @param polls looks at the polled directories
 * @param scanNanos time that all scans and polls have taken
 */
public record WatchStatistics(
    int files,
    int directories,
    int polledDirectories,
    long events,
    long overflows,
    long scans,
    long polls,
    long scanNanos) {}
