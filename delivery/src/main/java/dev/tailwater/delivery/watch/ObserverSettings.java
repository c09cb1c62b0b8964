package dev.tailwater.delivery.watch;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How an {@link Observer} works.
 *
 * @param goneGrace how long a file without a watched name must be quiet before its stream ends
 * @param maxDescriptors how many files may be open at once
 */
public record ObserverSettings(
    String agent,
    Duration goneGrace,
    int maxDescriptors,
    LongSupplier nanoClock,
    LongSupplier clockMillis) {}
