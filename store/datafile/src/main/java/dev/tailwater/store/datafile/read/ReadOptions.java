package dev.tailwater.store.datafile.read;

/**
 * Options for the reads of a data-file store.
 *
 * <pre>{@code
 * DataFileOptions.defaults()
 *     .withReads(ReadOptions.defaults().withCacheBytes(64L << 20))
 * }</pre>
 *
 * @param mapped whether records in the page cache are read from mapped memory, without a system
 *     call. Has an effect only on local file systems where files can be mapped. The mapped pages
 *     are the page cache's own, but tools count them to the resident set of the process
 * @param direct whether records that must come from the disk are read past the page cache
 *     (O_DIRECT). Then the store's own cache is the only one for these values. Where the file
 *     system refuses it, and for records that are not synced yet, reads go through the page cache
 * @param cacheBytes about how much of the Java heap the store's own cache of hot values may take;
 *     0: no cache. The cache serves values that are not in the page cache
 */
public record ReadOptions(boolean mapped, boolean direct, long cacheBytes) {
  private static final long DEFAULT_CACHE_BYTES = 16 * 1024 * 1024;

  /**
   * Checks the size of the cache.
   *
   * @throws IllegalArgumentException when it is negative
   */
  public ReadOptions {
    if (cacheBytes < 0) {
      throw new IllegalArgumentException("cacheBytes " + cacheBytes);
    }
  }

  /** Returns options for mapped reads through the page cache, with a cache of 16 MiB. */
  public static ReadOptions defaults() {
    return new ReadOptions(true, false, DEFAULT_CACHE_BYTES);
  }

  /** These options with another {@link #mapped()}. */
  public ReadOptions withMapped(boolean other) {
    return new ReadOptions(other, direct, cacheBytes);
  }

  /** These options with another {@link #direct()}. */
  public ReadOptions withDirect(boolean other) {
    return new ReadOptions(mapped, other, cacheBytes);
  }

  /** These options with another {@link #cacheBytes()}. */
  public ReadOptions withCacheBytes(long bytes) {
    return new ReadOptions(mapped, direct, bytes);
  }
}
