package dev.tailwater.destination;

import dev.tailwater.posix.FileCalls;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * What a destination needs from the one who opens it.
 *
 * @param calls for everything that touches a local file
 * @param clock the time of day
 * @param random for names that must not collide with those of other processes; not for secrets
 */
public record DestinationContext(FileCalls calls, InstantSource clock, RandomGenerator random) {}
