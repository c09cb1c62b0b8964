package dev.tailwater.delivery.watch;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How an {@link Observer} works.
 *
 * @param goneGrace how long a file without a watched name must be quiet before its stream ends
 * @param maxDescriptors how many files may be open at once
 * @param doubtNewFiles whether a file that is there at the start may be partly delivered although
 *     nothing is known of it
 */
public record ObserverSettings(
    String agent,
    Duration goneGrace,
    int maxDescriptors,
    boolean doubtNewFiles,
    LongSupplier nanoClock,
    LongSupplier clockMillis) {}
