package dev.tailwater.store;

import java.util.Optional;

/**
 * How a store found what it was asked for since it was opened. Counted in batches by each thread:
 * while calls are under way, numbers lag behind by up to 64 of each thread.
 *
 * @param mappedReads records that were copied out of mapped memory, without a system call
 * @param cachedReads records that came from the store's own cache of hot values
 * @param memoryReads records that came from the buffer of what is not written yet
 * @param fileReads records that were read by a system call, from the page cache or the disk
 * @param fileReadBytes what these calls read
 * @param directReads of the file reads, those past the page cache
 * @param sweeps looks at which pages are in memory
 * @param forgottenBytes mapped memory of which it turned out that it may not be in memory any more,
 *     and which is read by system calls until the next look
 * @param mappedBytes mapped memory that was in memory at the last look
 * @param cacheEntries records in the store's own cache
 * @param cacheBytes about what they take on the heap
 * @param notMapped why some or all files are not read from mapped memory, if they were to be
 * @param notDirect why some or all files are not read past the page cache, if they were to be
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
  /** Of a store that holds its values in memory. */
  public static final ReadStatistics NONE =
      new ReadStatistics(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, Optional.empty(), Optional.empty());
}
