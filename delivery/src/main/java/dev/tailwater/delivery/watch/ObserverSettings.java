package dev.tailwater.delivery.watch;

import dev.tailwater.delivery.tail.ArchivedNames;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How an {@link Observer} works.
 *
 * @param names what the archive calls the files
 * @param goneGrace how long a file without a watched name must be quiet before its stream ends
 * @param maxDescriptors how many files may be open at once
 */
public record ObserverSettings(
    String agent,
    ArchivedNames names,
    Duration goneGrace,
    int maxDescriptors,
    LongSupplier nanoClock,
    LongSupplier clockMillis) {}
