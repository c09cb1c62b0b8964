package dev.tailwater.delivery;

import dev.tailwater.delivery.neighbour.NeighbourEnvironment;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.LinuxFileCalls;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.function.LongSupplier;

/**
 * What an agent takes from its surroundings.
 *
 * @param clockMillis wall-clock time since the epoch
 * @param nanoClock a monotonic clock
 */
public record AgentEnvironment(
    FileCalls calls,
    LongSupplier clockMillis,
    LongSupplier nanoClock,
    SecureRandom random,
    NeighbourEnvironment neighbours) {

  /** With the neighbours that this machine has. */
  public AgentEnvironment(
      FileCalls calls, LongSupplier clockMillis, LongSupplier nanoClock, SecureRandom random) {
    this(calls, clockMillis, nanoClock, random, NeighbourEnvironment.system());
  }

  /** How many threads can run at once on this machine, or in this container. */
  int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** The time of day in the time zone of this machine. */
  LocalTime timeOfDay() {
    return LocalTime.ofInstant(
        Instant.ofEpochMilli(clockMillis.getAsLong()), ZoneId.systemDefault());
  }

  public static AgentEnvironment system() {
    return new AgentEnvironment(
        LinuxFileCalls.create(), System::currentTimeMillis, System::nanoTime, new SecureRandom());
  }
}
