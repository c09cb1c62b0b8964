package dev.tailwater.delivery;

import dev.tailwater.delivery.neighbour.NeighbourEnvironment;
import dev.tailwater.delivery.thread.ThreadMaker;
import dev.tailwater.delivery.time.Clocks;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.linux.LinuxFileCalls;
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
 * @param threads for the stages; those that are only wanted in a hurry may be refused
 */
public record AgentEnvironment(
    FileCalls calls,
    LongSupplier clockMillis,
    LongSupplier nanoClock,
    SecureRandom random,
    NeighbourEnvironment neighbours,
    ThreadMaker threads) {

  /** With the neighbours and threads that this machine has. */
  public AgentEnvironment(
      FileCalls calls, LongSupplier clockMillis, LongSupplier nanoClock, SecureRandom random) {
    this(
        calls,
        clockMillis,
        nanoClock,
        random,
        NeighbourEnvironment.system(),
        ThreadMaker.platform());
  }

  /** Returns both clocks. */
  Clocks clocks() {
    return new Clocks(nanoClock, clockMillis);
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
