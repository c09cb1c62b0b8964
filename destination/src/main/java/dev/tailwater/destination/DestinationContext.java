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
 * @param plugins kinds of destinations beside those on the class path
 */
public record DestinationContext(
    FileCalls calls, InstantSource clock, RandomGenerator random, Plugins plugins) {

  /** Without plug-ins. */
  public DestinationContext(FileCalls calls, InstantSource clock, RandomGenerator random) {
    this(calls, clock, random, Plugins.none());
  }
}
