package dev.tailwater.delivery.deliver;

import dev.tailwater.delivery.measure.LaneMeter;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * How a {@link Deliverer} works.
 *
 * @param parallel how many calls to the destination may be under way at once; at least 1
 */
public record DelivererSettings(
    int parallel,
    RetryPolicy retries,
    LaneMeter meter,
    LongSupplier nanoClock,
    RandomGenerator random) {}
