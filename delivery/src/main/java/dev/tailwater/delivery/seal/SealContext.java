package dev.tailwater.delivery.seal;

import dev.tailwater.delivery.checkpoint.CheckpointSaver;
import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.deliver.DeliveryCounters;
import dev.tailwater.delivery.deliver.FrameShare;
import dev.tailwater.delivery.measure.LaneMeter;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.posix.FileCalls;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What all sealing workers of one destination share.
 *
 * @param lanes of all destinations, in the order of their numbers
 */
public record SealContext(
    String agent,
    FileCalls calls,
    DueQueue queue,
    StagingQuota staging,
    FrameShare frames,
    List<LaneIntake> lanes,
    DeliveryCounters counters,
    SealPlan plan,
    LaneMeter meter,
    Resumption resumption,
    Deliverer deliverer,
    CheckpointSaver checkpoints,
    Problems problems,
    LongSupplier nanoClock,
    LongSupplier clockMillis) {}
