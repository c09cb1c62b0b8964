package dev.tailwater.posix.value;

/**
 * What cachestat(2) says of a range: numbers of pages of the system's page size.
 *
 * @param cachedPages in the page cache
 * @param dirtyPages of these, changed and not yet on their way to the disk
 * @param writebackPages of these, on their way to the disk
 * @param evictedPages not in the cache, but known to have been
 */
public record CacheStatistics(
    long cachedPages, long dirtyPages, long writebackPages, long evictedPages) {}
