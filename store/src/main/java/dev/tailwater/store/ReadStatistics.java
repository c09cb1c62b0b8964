package dev.tailwater.store;

import java.util.Optional;

/**
 * Where a store found the values that were read since it was opened. Each thread counts in batches:
 * while calls are in progress, numbers lag behind by up to 64 for each thread.
 *
 * @param mappedReads records that were copied out of mapped memory, without a system call
 * @param cachedReads records that came from the store's own cache of hot values
 * @param memoryReads records that came from the buffer of the newest data file
 * @param fileReads records that were read by a system call, from the page cache or the disk
 * @param fileReadBytes bytes that these calls read
 * @param directReads of the file reads, those past the page cache
 * @param sweeps scans for resident pages
 * @param forgottenBytes mapped bytes that turned out not to be resident any more, and are read by
 *     system calls until the next scan
 * @param mappedBytes mapped bytes that were resident at the last scan
 * @param cacheEntries records in the store's own cache
 * @param cacheBytes heap that they take, approximately
 * @param notMapped why some files are not read from mapped memory although the options ask for it
 * @param notDirect why some files are not read past the page cache although the options ask for it
 */
public record ReadStatistics(
    long mappedReads,
    long cachedReads,
    long memoryReads,
    long fileReads,
    long fileReadBytes,
    long directReads,
    long sweeps,
    long forgottenBytes,
    long mappedBytes,
    long cacheEntries,
    long cacheBytes,
    Optional<String> notMapped,
    Optional<String> notDirect) {
  /** The statistics of a store that holds its values in memory. */
  public static final ReadStatistics NONE =
      new ReadStatistics(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, Optional.empty(), Optional.empty());
}
