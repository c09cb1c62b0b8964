package dev.tailwater.delivery.merge;

import dev.tailwater.archive.seal.SegmentComposer;
import dev.tailwater.delivery.deliver.RetryPolicy;
import dev.tailwater.delivery.neighbour.Neighbour;
import dev.tailwater.delivery.tempo.Tempo;
import dev.tailwater.delivery.time.Clocks;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * What a merger works with.
 *
 * @param files where bytes are read again whose frames were dropped
 * @param packs what merging packs takes
 * @param composers supplies a composer, once there is something to merge
 * @param random for pauses after failures
 */
public record MergerTools(
    MergeTarget target,
    SourceFiles files,
    PackMerging packs,
    Supplier<SegmentComposer> composers,
    RetryPolicy retries,
    RandomGenerator random,
    Clocks clocks,
    Neighbour neighbour,
    Tempo tempo) {}
