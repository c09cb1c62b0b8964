package dev.tailwater.delivery;

import dev.tailwater.archive.ByteSum;
import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.due.DueQueue;
import dev.tailwater.delivery.measure.LaneMeter;
import dev.tailwater.delivery.risk.LaneLoad;
import dev.tailwater.delivery.route.Pacer;
import dev.tailwater.delivery.tail.Tail;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Measures what is at risk at one destination, without looking at files that are quiet. */
record LaneGauge(
    DueQueue queue,
    Deliverer deliverer,
    LaneMeter meter,
    Pacer pacer,
    int workers,
    LongSupplier nanoClock) {

  /**
   * Returns the present load.
   *
   * @param tails of a destination that is not connected, since they are not in the queue yet
   */
  LaneLoad load(boolean connected, List<Tail> tails) {
    long now = nanoClock.getAsLong();
    return new LaneLoad(
        now,
        connected,
        pacer.isHolding(),
        new LaneLoad.Backlog(
            connected
                ? ByteSum.of(queue.unreadBytes(), queue.rewrittenBytes())
                : tails.stream()
                    .mapToLong(tail -> tail.work().atRiskBytes())
                    .reduce(0, ByteSum::of),
            connected ? queue.unreadableBytes() : 0,
            deliverer.notDurableBytes(),
            TimeUnit.NANOSECONDS.toMillis(
                Math.max(
                    ageNanos(connected ? queue.oldestWorkNanos() : oldest(tails, now), now),
                    ageNanos(deliverer.oldestNotDurableNanos(now), now)))),
        new LaneLoad.Sealing(
            workers, meter.sealing().sumNanos(), meter.awaitingStaging().sumNanos()),
        new LaneLoad.Retrying(meter.retrying().present(), meter.retrying().sumNanos()));
  }

  private static OptionalLong oldest(List<Tail> tails, long now) {
    return tails.stream()
        .flatMapToLong(tail -> tail.work().sinceNanos().stream())
        .map(since -> now - since)
        .max()
        .stream()
        .map(age -> now - age)
        .findFirst();
  }

  private static long ageNanos(OptionalLong since, long now) {
    return since.isEmpty() ? 0 : Math.max(0, now - since.getAsLong());
  }
}
