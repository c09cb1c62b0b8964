package dev.tailwater.archive.merge;

/**
 * Which ranges of packs are left out of a merge, since segments of the streams have the same bytes.
 * Only first bytes can be, and only where the group has a later range of the stream: how long the
 * stream is, and what its file was like last, is told with that.
 */
public interface CoveredRanges {
  /** Nothing is left out. */
  CoveredRanges NONE = (_, _) -> false;

  /**
   * Returns whether a range is left out.
   *
   * @param pack which of the packs of the merge
   * @param index which of its ranges
   */
  boolean isCovered(int pack, int index);
}
