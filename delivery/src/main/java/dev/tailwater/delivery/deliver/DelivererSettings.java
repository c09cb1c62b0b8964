package dev.tailwater.delivery.deliver;

import dev.tailwater.delivery.measure.LaneMeter;
import dev.tailwater.delivery.neighbour.ThreadPriorities;
import dev.tailwater.delivery.thread.ThreadMaker;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * How a {@link Deliverer} works.
 *
 * @param parallel how many calls to the destination may be under way at once; at least 1
 * @param priorities of its threads; empty: as they are
 * @param threads makes them
 */
public record DelivererSettings(
    int parallel,
    RetryPolicy retries,
    LaneMeter meter,
    LongSupplier nanoClock,
    RandomGenerator random,
    Optional<ThreadPriorities> priorities,
    ThreadMaker threads) {

  /** With threads as they are. */
  public DelivererSettings(
      int parallel,
      RetryPolicy retries,
      LaneMeter meter,
      LongSupplier nanoClock,
      RandomGenerator random) {
    this(parallel, retries, meter, nanoClock, random, Optional.empty(), ThreadMaker.platform());
  }
}
