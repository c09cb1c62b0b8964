package dev.tailwater.delivery.drain;

import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.deliver.DeliveryCounters;
import dev.tailwater.delivery.due.DueQueue;
import dev.tailwater.delivery.receipt.Receipts;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.destination.Destination;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The stages of one destination that a drain drives.
 *
 * @param required whether the drain's success depends on it
 * @param tails supplies its present tails
 * @param speedTuner tunes it at full speed
 * @param receipts what it has acknowledged, which is written at the end; empty if nothing is signed
 */
public record DrainLane(
    String name,
    boolean required,
    Supplier<List<Tail>> tails,
    DueQueue queue,
    Deliverer deliverer,
    BooleanSupplier waitsForBandwidth,
    DeliveryCounters counters,
    Optional<SpeedTuner> speedTuner,
    Destination destination,
    Optional<Receipts> receipts) {
  boolean isIdle() {
    // The queue first: a worker hands its segment over before it releases its tail, so what has
    // left the queue is under way by now.
    return (queue.isEmpty() || queue.hasOnlyDeferred()) && deliverer.underWay() == 0;
  }
}
