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
import java.util.OptionalInt;
import java.util.function.LongSupplier;

/**
 * What an agent takes from its environment.
 *
 * @param clockMillis wall-clock time since the epoch
 * @param nanoClock a monotonic clock
 * @param threads makes the stages' threads; it may refuse those that only make it faster
 * @param openFiles how many watched files may be open at once; empty for as many as the process's
 *     limit of open files allows
 */
public record AgentEnvironment(
    FileCalls calls,
    LongSupplier clockMillis,
    LongSupplier nanoClock,
    SecureRandom random,
    NeighbourEnvironment neighbours,
    ThreadMaker threads,
    OptionalInt openFiles) {

  /** Creates an environment with the neighbours and threads of this machine. */
  public AgentEnvironment(
      FileCalls calls, LongSupplier clockMillis, LongSupplier nanoClock, SecureRandom random) {
    this(
        calls,
        clockMillis,
        nanoClock,
        random,
        NeighbourEnvironment.system(),
        ThreadMaker.platform(),
        OptionalInt.empty());
  }

  /** Returns the same environment with another number of files that may be open. */
  public AgentEnvironment withOpenFiles(int most) {
    return new AgentEnvironment(
        calls, clockMillis, nanoClock, random, neighbours, threads, OptionalInt.of(most));
  }

  /** Returns the same environment with another wall clock. */
  AgentEnvironment withWallClock(LongSupplier millis) {
    return new AgentEnvironment(calls, millis, nanoClock, random, neighbours, threads, openFiles);
  }

  /** Returns both clocks. */
  Clocks clocks() {
    return new Clocks(nanoClock, clockMillis);
  }

  /** Returns how many threads can run at once on this machine, or in this container. */
  int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** Returns the time of day in the time zone of this machine. */
  LocalTime timeOfDay() {
    return LocalTime.ofInstant(
        Instant.ofEpochMilli(clockMillis.getAsLong()), ZoneId.systemDefault());
  }

  public static AgentEnvironment system() {
    return new AgentEnvironment(
        LinuxFileCalls.create(), System::currentTimeMillis, System::nanoTime, new SecureRandom());
  }
}
