package dev.tailwater.posix.value;

/**
 * The state of a file range in the page cache, as cachestat(2) reports it. Units are pages of the
 * system's page size.
 *
 * @param cachedPages pages in the page cache
 * @param dirtyPages cached pages that were changed and are not being written yet
 * @param writebackPages cached pages that are being written to the disk
 * @param evictedPages pages that are not in the cache, but are known to have been
 */
public record CacheStatistics(
    long cachedPages, long dirtyPages, long writebackPages, long evictedPages) {}
