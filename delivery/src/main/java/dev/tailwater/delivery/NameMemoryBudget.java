package dev.tailwater.delivery;

import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.io.watch.NameBound;

/**
 * How much of the heap the names of files, and the files in memory, may take: what staging, the JVM
 * and the agent's own code leave, half of it each. The costs were measured, and are rounded up.
 */
final class NameMemoryBudget {
  /** What code and blocks being processed take. */
  private static final long FIXED_BYTES = 12 << 20;

  /** The part of the heap that the young generation may take, as in jvm-options.sh. */
  private static final int YOUNG_PART = 8;

  /** The part of the heap that is for both however large the staging buffers are. */
  private static final int LEAST_PART = 6;

  /** What the watch takes for each name beside the name itself. */
  private static final int BYTES_EACH_NAME = 48;

  /** Who lists files has their paths; the watch has that of each directory, and names. */
  private static final int COPIES_OF_A_PATH = 1;

  /** What a file takes that waits to be opened, or that is listed as a change. */
  private static final int BYTES_EACH_WAITING_FILE = 250;

  /** What a file in memory takes, and what its tail, its stream and a few copies of a path do. */
  private static final int BYTES_EACH_FILE = 1_000;

  private static final int BYTES_EACH_FILE_AND_DESTINATION = 2_500;

  /** However little memory there is. */
  private static final int LEAST_FILES = 256;

  /** One in this many files in memory may have no name. */
  private static final int NAMELESS_ONE_IN = 4;

  private NameMemoryBudget() {}

  /**
   * Returns with how many files without a name the agent stops opening files early.
   *
   * @param mostInMemory how many files may be in memory at once
   */
  static int mostNameless(int mostInMemory) {
    return mostInMemory / NAMELESS_ONE_IN;
  }

  /**
   * Returns the bound of names for one agent.
   *
   * @param heapBytes the maximum size of the heap
   */
  static NameBound bound(AgentConfig config, int destinations, long heapBytes) {
    return new NameBound(
        halfBytes(config, destinations, heapBytes),
        BYTES_EACH_NAME,
        /* bytesEachNameByte= */ 1,
        /* bytesEachDirectoryByte= */ 0,
        BYTES_EACH_WAITING_FILE);
  }

  /**
   * Returns the bound of names for who lists them all at once.
   *
   * @param heapBytes the maximum size of the heap
   */
  static NameBound listingBound(AgentConfig config, int destinations, long heapBytes) {
    return new NameBound(
        halfBytes(config, destinations, heapBytes),
        BYTES_EACH_NAME + BYTES_EACH_WAITING_FILE,
        /* bytesEachNameByte= */ 1 + COPIES_OF_A_PATH,
        COPIES_OF_A_PATH,
        /* bytesEachWaitingFile= */ 0);
  }

  /**
   * Returns how many files may be in memory at once.
   *
   * @param heapBytes the maximum size of the heap
   */
  static int files(AgentConfig config, int destinations, long heapBytes) {
    long eachBytes = BYTES_EACH_FILE + (long) BYTES_EACH_FILE_AND_DESTINATION * destinations;
    long fitting = Math.max(LEAST_FILES, halfBytes(config, destinations, heapBytes) / eachBytes);
    return (int) Math.min(config.resources().mostFilesInMemory(), fitting);
  }

  private static long halfBytes(AgentConfig config, int destinations, long heapBytes) {
    long old = heapBytes - heapBytes / YOUNG_PART;
    long left = old - FIXED_BYTES - StagingShare.mostBytes(config, destinations);
    return Math.max(heapBytes / LEAST_PART, left) / 2;
  }
}
