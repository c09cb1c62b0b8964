package dev.tailwater.store.log;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * Options of a transaction-log store. What it holds does not depend on them.
 *
 * @param compactAboveBytes logs shorter than this are never compacted
 * @param compactRatio logs are compacted when they are this many times as long as what is live
 * @param compactor runs the writing of snapshots, one at a time. Must run every task that it
 *     accepts, or closing the store waits forever. One that runs tasks in the calling thread, as in
 *     tests, blocks writers
 * @param random generates store ids and salts
 * @param clock decides what has expired
 * @param writeWithin longest time that a write without durability stays in memory before it is
 *     written and synced
 */
public record StoreOptions(
    long compactAboveBytes,
    int compactRatio,
    Executor compactor,
    RandomGenerator random,
    InstantSource clock,
    Duration writeWithin) {

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException when a length or time is negative, or the ratio below 1
   */
  public StoreOptions {
    if (compactAboveBytes < 0 || compactRatio < 1) {
      throw new IllegalArgumentException(
          "compactAboveBytes " + compactAboveBytes + ", compactRatio " + compactRatio);
    }
    if (writeWithin.isNegative()) {
      throw new IllegalArgumentException("writeWithin " + writeWithin);
    }
  }

  /**
   * Returns options that compact above 1 MiB and twice the live bytes, on a thread for each
   * compaction.
   */
  public static StoreOptions defaults() {
    return new StoreOptions(
        1024 * 1024,
        2,
        StoreOptions::startThread,
        new SecureRandom(),
        InstantSource.system(),
        Duration.ofMillis(10));
  }

  private static void startThread(Runnable task) {
    Thread.ofPlatform().daemon().name("tailwater-store-compactor").start(task);
  }

  /** These options with another {@link #compactAboveBytes()}. */
  public StoreOptions withCompactAboveBytes(long bytes) {
    return new StoreOptions(bytes, compactRatio, compactor, random, clock, writeWithin);
  }

  /** These options with another {@link #compactRatio()}. */
  public StoreOptions withCompactRatio(int ratio) {
    return new StoreOptions(compactAboveBytes, ratio, compactor, random, clock, writeWithin);
  }

  /** These options with another {@link #compactor()}. */
  public StoreOptions withCompactor(Executor executor) {
    return new StoreOptions(compactAboveBytes, compactRatio, executor, random, clock, writeWithin);
  }

  /** These options with another {@link #random()}. */
  public StoreOptions withRandom(RandomGenerator generator) {
    return new StoreOptions(
        compactAboveBytes, compactRatio, compactor, generator, clock, writeWithin);
  }

  /** These options with another {@link #clock()}. */
  public StoreOptions withClock(InstantSource source) {
    return new StoreOptions(
        compactAboveBytes, compactRatio, compactor, random, source, writeWithin);
  }

  /** These options with another {@link #writeWithin()}. */
  public StoreOptions withWriteWithin(Duration time) {
    return new StoreOptions(compactAboveBytes, compactRatio, compactor, random, clock, time);
  }
}
