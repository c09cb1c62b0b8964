package dev.tailwater.destination;

import dev.tailwater.posix.FileCalls;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * The environment that a destination uses.
 *
 * @param calls the file calls for local files
 * @param clock the time of day
 * @param random a source of names that must not collide with those of other processes; not for
 *     secrets
 */
public record DestinationContext(FileCalls calls, InstantSource clock, RandomGenerator random) {}
