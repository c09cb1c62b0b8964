package dev.tailwater.posix;

/** What cachestat(2) says of a range: numbers of pages. */
public record CacheStatistics(
    long cachedPages, long dirtyPages, long writebackPages, long evictedPages) {}
