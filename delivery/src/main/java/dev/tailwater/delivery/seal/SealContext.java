package dev.tailwater.delivery.seal;

import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.posix.FileCalls;
import java.util.function.LongSupplier;

/** What all sealing workers share. */
public record SealContext(
    String agent,
    FileCalls calls,
    DueQueue queue,
    StagingPool staging,
    Resumption resumption,
    Deliverer deliverer,
    CheckpointStore checkpoints,
    Problems problems,
    LongSupplier nanoClock,
    LongSupplier clockMillis) {}
