package dev.tailwater.delivery.merge;

import java.util.Optional;

/**
 * Decides which segments of a stream are merged next, by their raw lengths.
 *
 * <p>A segment shorter than {@link #fullBytes} is short. Adjacent short segments of one tier are
 * merged as soon as they add up to a full one; in a stream that grows too slowly for that, every
 * {@value #TIER} of a tier become one of the next. When they will soon add up to a full one, up to
 * {@value #MAX_WAITING} are awaited, so that bytes are not merged again for the sake of a few.
 * Adjacent full segments are merged when no more of them fit {@code mergeTo} and there is processor
 * time for it, since they are compressed again. Of a stream that has ended, all adjacent short
 * segments are merged; of a quiet one, those of a tier, unless they have very few bytes.
 *
 * @param mergeToBytes the longest segment that merging makes; 0: nothing is merged
 * @param mergesFullOnes whether there is processor time to merge full segments
 */
record MergePolicy(long mergeToBytes, boolean mergesFullOnes) {
  static final int TIER = 16;

  /** The most that {@link #fullBytes} is. */
  static final long FULL_SEGMENT_BYTES = 8L << 20;

  private static final int MAX_WAITING = 4 * TIER;

  /** The part of a full segment that makes merging a quiet stream worthwhile. */
  private static final int WORTH_IT_PART = 16;

  /** A stream with this part of a full segment after {@value #TIER} short ones fills one soon. */
  private static final int NEARLY_FULL_PART = 4;

  /** Whether more segments of a stream are expected. */
  enum Phase {
    /** More segments are expected. */
    GROWING,
    /** None has come for a while. */
    QUIET,
    /** None will come. */
    ENDED
  }

  /** A range of segments by index, {@code to} exclusive. */
  record Run(int from, int to) {
    int count() {
      return to - from;
    }
  }

  /** Returns the length from which on a segment is not short. */
  long fullBytes() {
    return Math.min(FULL_SEGMENT_BYTES, mergeToBytes);
  }

  /** Returns what is to be merged now, if anything. */
  Optional<Run> next(ShortSegments segments, Phase phase) {
    int begin = 0;
    while (begin < segments.count()) {
      int end = begin + 1;
      while (end < segments.count() && segments.startBytes(end) == segments.endBytes(end - 1)) {
        end++;
      }
      Optional<Run> found = shortOnes(segments, begin, end, phase);
      if (found.isEmpty() && mergesFullOnes) {
        found = fullOnes(segments, begin, end);
      }
      if (found.isPresent()) {
        return found;
      }
      begin = end;
    }
    return Optional.empty();
  }

  private Optional<Run> shortOnes(ShortSegments segments, int begin, int end, Phase phase) {
    boolean ended = phase == Phase.ENDED;
    int from = begin;
    while (from < end) {
      int to = from;
      long total = 0;
      while (to < end && isShort(segments, to) && (ended || isSameTier(segments, from, to))) {
        total += segments.lengthBytes(to);
        to++;
      }
      // A longer segment, or one of a higher tier, follows: the run will not grow any more.
      boolean closed = to < end && (!isShort(segments, to) || isHigher(segments, from, to));
      if (ended || closed || isEnough(to - from, total, phase)) {
        Optional<Run> fitting = fitting(segments, from, to);
        if (fitting.isPresent()) {
          return fitting;
        }
      }
      from = Math.max(to, from + 1);
    }
    return Optional.empty();
  }

  private boolean isEnough(int count, long totalBytes, Phase phase) {
    boolean quietAndWorthIt = phase == Phase.QUIET && totalBytes >= fullBytes() / WORTH_IT_PART;
    if (totalBytes >= fullBytes() || quietAndWorthIt) {
      return true;
    }
    boolean soon = totalBytes >= fullBytes() / NEARLY_FULL_PART;
    return count >= (soon ? MAX_WAITING : TIER);
  }

  private boolean isShort(ShortSegments segments, int index) {
    return segments.lengthBytes(index) < fullBytes();
  }

  private static boolean isSameTier(ShortSegments segments, int one, int other) {
    return segments.tier(one) == segments.tier(other);
  }

  private static boolean isHigher(ShortSegments segments, int one, int other) {
    return segments.tier(other) > segments.tier(one);
  }

  /** Returns the first two or more that fit into the longest segment. */
  private Optional<Run> fitting(ShortSegments segments, int begin, int end) {
    for (int from = begin; from < end - 1; from++) {
      int to = fittingEnd(segments, from, end);
      if (to - from > 1) {
        return Optional.of(new Run(from, to));
      }
    }
    return Optional.empty();
  }

  private int fittingEnd(ShortSegments segments, int from, int end) {
    long total = 0;
    int to = from;
    while (to < end && total + segments.lengthBytes(to) <= mergeToBytes) {
      total += segments.lengthBytes(to);
      to++;
    }
    return to;
  }

  private Optional<Run> fullOnes(ShortSegments segments, int begin, int end) {
    int settled = end;
    while (settled > begin && isShort(segments, settled - 1)) {
      settled--;
    }
    for (int from = begin; from < settled; from++) {
      int to = fittingEnd(segments, from, settled);
      if (to == settled) {
        break; // More may come that fit.
      }
      if (to - from > 1) {
        return Optional.of(new Run(from, to));
      }
    }
    return Optional.empty();
  }
}
