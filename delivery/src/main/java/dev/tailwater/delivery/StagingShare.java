package dev.tailwater.delivery;

import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.deliver.FrameShare;
import dev.tailwater.delivery.merge.Merger;
import dev.tailwater.delivery.staging.StagingPool;
import dev.tailwater.delivery.staging.StagingQuota;

/**
 * How many staging buffers each of an agent's destinations may hold. A single destination has three
 * large ones: while one is filled, two are in flight. Of several, each has two, and the small ones
 * are divided among them.
 */
final class StagingShare {
  private static final int LARGE_OF_ONE = 3;
  private static final int LARGE_OF_SEVERAL = 2;
  private static final int SMALL_OF_ALL = 24;
  private static final int MIN_SMALL = 6;

  private StagingShare() {}

  /**
   * Returns the memory for frames of short segments: as much as one and a half large buffers, or
   * half of one where more than two destinations have buffers; none where nothing is merged.
   */
  static FrameShare frames(AgentConfig config, int destinations) {
    return new FrameShare(frameBytes(config, destinations), Merger.FULL_SEGMENT_BYTES);
  }

  private static long frameBytes(AgentConfig config, int destinations) {
    boolean off =
        config.segments().mergeToBytes().isPresent()
            && config.segments().mergeToBytes().getAsLong() == 0;
    long half = config.segments().fullBytes() / 2;
    return off ? 0 : destinations > 2 ? half : 3 * half;
  }

  /**
   * Returns the most memory that buffers and frames can take. One buffer at a time is copied to one
   * that is twice as long.
   */
  static long mostBytes(AgentConfig config, int destinations) {
    long large = destinations == 1 ? LARGE_OF_ONE : LARGE_OF_SEVERAL;
    long small = Math.max(MIN_SMALL, SMALL_OF_ALL / destinations);
    return destinations * (large * config.segments().fullBytes() + small * StagingPool.SMALL_BYTES)
        + config.segments().fullBytes() / 2
        + frameBytes(config, destinations);
  }

  static StagingQuota of(StagingPool pool, int destinations) {
    return new StagingQuota(
        pool,
        destinations == 1 ? LARGE_OF_ONE : LARGE_OF_SEVERAL,
        Math.max(MIN_SMALL, SMALL_OF_ALL / destinations));
  }
}
