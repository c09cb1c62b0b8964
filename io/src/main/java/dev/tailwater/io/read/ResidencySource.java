package dev.tailwater.io.read;

/** How it was found out which pages are in the page cache. */
public enum ResidencySource {
  /** cachestat(2), Linux 6.5: one call, whatever the size of the range. */
  CACHESTAT,
  /**
   * mincore(2) over a mapping made for it: a byte of answer for each page. Tells the truth only to
   * those who own the file or may write it, and is not asked by others.
   */
  MINCORE,
  /** Neither could say. */
  UNKNOWN
}
