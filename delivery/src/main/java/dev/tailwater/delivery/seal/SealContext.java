package dev.tailwater.delivery.seal;

import dev.tailwater.delivery.blocks.BlockExchange;
import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.deliver.FrameShare;
import dev.tailwater.delivery.due.DueQueue;
import dev.tailwater.delivery.measure.LaneMeter;
import dev.tailwater.delivery.pack.PackStages;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.resume.StreamSuccession;
import dev.tailwater.delivery.staging.StagingQuota;
import dev.tailwater.delivery.time.Clocks;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.util.function.Predicate;

/**
 * What all sealing workers of one destination share.
 *
 * @param handover where sealed segments go
 * @param frames the memory for frames that are kept for merging
 * @param blocks the blocks that workers compress for each other
 * @param plan how segments are sealed
 * @param streams what is known of the files' streams
 * @param packs what is shared about packs
 */
public record SealContext(
    FileCalls calls,
    SegmentHandover handover,
    FrameShare frames,
    BlockExchange blocks,
    SealPlan plan,
    LaneMeter meter,
    Streams streams,
    PackStages packs,
    Problems problems,
    Clocks clocks) {
  /**
   * What is known of the files' streams.
   *
   * @param wholeLines tells by a file's name whether its segments end at the end of a line
   */
  public record Streams(StreamSuccession succession, Predicate<PosixPath> wholeLines) {}

  DueQueue queue() {
    return handover.own().queue();
  }

  StagingQuota staging() {
    return handover.own().staging();
  }

  Deliverer deliverer() {
    return handover.own().deliverer();
  }
}
