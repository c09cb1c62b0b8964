package dev.tailwater.io.read;

import java.util.OptionalLong;

/**
 * What the page cache holds of a range, at the moment of the question: in numbers of pages.
 *
 * @param source how it was found out; {@link ResidencySource#UNKNOWN} has no numbers
 * @param pages that the range touches, also in part
 * @param residentPages of these, in memory. {@link ResidencySource#CACHESTAT} counts those that are
 *     just being read, {@link ResidencySource#MINCORE} does not
 * @param dirtyPages of these, changed and not yet on their way to the disk; cachestat only
 * @param writebackPages of these, on their way to the disk; cachestat only
 * @param evictedPages not resident, but known to have been; cachestat only
 */
public record CacheResidency(
    ResidencySource source,
    long pages,
    OptionalLong residentPages,
    OptionalLong dirtyPages,
    OptionalLong writebackPages,
    OptionalLong evictedPages) {

  /** Whether every page is known to be resident. */
  public boolean all() {
    return residentPages.isPresent() && residentPages.getAsLong() >= pages;
  }

  /** Whether it is known that no page is resident. */
  public boolean none() {
    return residentPages.isPresent() && residentPages.getAsLong() == 0;
  }

  static CacheResidency unknown(long pages) {
    return counted(ResidencySource.UNKNOWN, pages, OptionalLong.empty());
  }

  static CacheResidency counted(ResidencySource source, long pages, OptionalLong residentPages) {
    return new CacheResidency(
        source,
        pages,
        residentPages,
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.empty());
  }
}
