package dev.tailwater.delivery.worker;

import dev.tailwater.delivery.blocks.BlockExchange;
import dev.tailwater.delivery.due.DueQueue;
import dev.tailwater.delivery.neighbour.Neighbour;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.staging.StagingQuota;
import dev.tailwater.delivery.time.Clocks;

/**
 * What all workers of one destination share.
 *
 * @param queue what they claim from
 * @param blocks the blocks that they compress for each other
 * @param staging closed with them, so that none waits for a buffer
 */
public record WorkerContext(
    DueQueue queue,
    BlockExchange blocks,
    StagingQuota staging,
    Neighbour neighbour,
    Problems problems,
    Clocks clocks) {}
