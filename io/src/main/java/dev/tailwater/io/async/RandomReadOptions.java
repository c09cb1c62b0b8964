package dev.tailwater.io.async;

import java.util.Optional;

/**
 * The options of {@link RandomReads}.
 *
 * @param queueDepth how many requests a {@link ReadQueue} or one {@link RandomReads#readAll} has in
 *     flight, 1 to {@value #MAX_QUEUE_DEPTH}; with {@link ReadEngine#THREADS} also how many threads
 *     there are at most, for all callers together
 * @param engine the required engine; empty for io_uring if the kernel allows it, else threads
 */
public record RandomReadOptions(int queueDepth, Optional<ReadEngine> engine) {
  /** Beyond this a disk gains nothing, and threads cost memory. */
  public static final int MAX_QUEUE_DEPTH = 1024;

  private static final int DEFAULT_QUEUE_DEPTH = 32;

  /**
   * Checks the depth.
   *
   * @throws IllegalArgumentException unless it is 1 to {@value #MAX_QUEUE_DEPTH}
   */
  public RandomReadOptions {
    if (queueDepth < 1 || queueDepth > MAX_QUEUE_DEPTH) {
      throw new IllegalArgumentException(
          "a queue depth of " + queueDepth + "; 1 to " + MAX_QUEUE_DEPTH + " are possible");
    }
  }

  /** 32 requests in flight, by io_uring where the kernel allows it. */
  public static RandomReadOptions defaults() {
    return new RandomReadOptions(DEFAULT_QUEUE_DEPTH, Optional.empty());
  }

  /** Returns these options with another queue depth. */
  public RandomReadOptions withQueueDepth(int requests) {
    return new RandomReadOptions(requests, engine);
  }

  /** Returns these options with a required engine. */
  public RandomReadOptions withEngine(ReadEngine required) {
    return new RandomReadOptions(queueDepth, Optional.of(required));
  }
}
