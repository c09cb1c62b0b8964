package dev.tailwater.store.datafile.read;

/**
 * How a data-file store reads.
 *
 * <pre>{@code
 * DataFileOptions.defaults()
 *     .withReads(ReadOptions.defaults().withCacheBytes(64L << 20))
 * }</pre>
 *
 * @param mapped whether what is in the page cache is read from mapped memory, without a system
 *     call. Only on local file systems; elsewhere, and where it cannot be mapped, as without. The
 *     mapped pages are the page cache's own, but tools count them to the process's resident set
 * @param direct whether what must come from the disk is read past the page cache (O_DIRECT). Then
 *     the store's own cache is the only one for these values. Where the file system refuses it, and
 *     for what is not synced yet, reads go through the page cache
 * @param cacheBytes about how much of the Java heap the store's own cache of hot values may take;
 *     0: no cache. It answers what is not in the page cache (any more)
 */
public record ReadOptions(boolean mapped, boolean direct, long cacheBytes) {
  private static final long DEFAULT_CACHE_BYTES = 16 * 1024 * 1024;

  public ReadOptions {
    if (cacheBytes < 0) {
      throw new IllegalArgumentException("cacheBytes " + cacheBytes);
    }
  }

  /** Mapped, through the page cache, with a cache of 16 MiB. */
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
