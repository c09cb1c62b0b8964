package dev.tailwater.delivery.merge;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.delivery.checkpoint.CheckpointSaver;
import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.destination.Destination;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The destination whose segments are merged.
 *
 * @param name for the name of the thread
 * @param contentKey the key of the checks that encrypted segments state
 * @param isBusy returns whether deliveries wait, which go first
 * @param mergeToBytes the longest segment that merging makes; 0: nothing is merged
 * @param acknowledged told the stream and the range of each long segment that is durable
 */
public record MergeTarget(
    String name,
    Destination destination,
    Optional<ContentKey> contentKey,
    CheckpointStore checkpoints,
    CheckpointSaver saver,
    Problems problems,
    BooleanSupplier isBusy,
    LongSupplier mergeToBytes,
    BiConsumer<String, ByteRange> acknowledged) {}
