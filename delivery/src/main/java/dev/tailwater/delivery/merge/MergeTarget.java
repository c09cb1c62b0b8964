package dev.tailwater.delivery.merge;

import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.destination.Destination;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The destination whose segments are merged.
 *
 * @param name for the name of the thread
 * @param isBusy returns whether deliveries wait, which go first
 * @param mergeToBytes the longest segment that merging makes; 0: nothing is merged
 */
public record MergeTarget(
    String name,
    Destination destination,
    CheckpointStore checkpoints,
    Problems problems,
    BooleanSupplier isBusy,
    LongSupplier mergeToBytes) {}
