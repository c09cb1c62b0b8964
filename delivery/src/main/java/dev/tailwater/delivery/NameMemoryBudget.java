package dev.tailwater.delivery;

import dev.tailwater.io.watch.NameBound;

/**
 * How much of the heap the names of files may take: what staging, the JVM and the agent's own code
 * leave over. The costs are measured, and rounded up.
 */
final class NameMemoryBudget {
  /** Code, the young generation, blocks at work. */
  private static final long FIXED_BYTES = 20 << 20;

  /** Of the heap, at least one in so many bytes, however large the staging buffers are. */
  private static final int LEAST_PART = 6;

  /** What the watch and the table of files hold of each, and what finding it takes. */
  private static final int BYTES_EACH_FILE = 900;

  /** A tail, a stream, and its checkpoint. */
  private static final int BYTES_EACH_FILE_AND_DESTINATION = 1_300;

  private static final int COPIES_OF_A_PATH = 3;
  private static final int COPIES_OF_A_PATH_EACH_DESTINATION = 5;

  private NameMemoryBudget() {}

  /**
   * The bound for one agent.
   *
   * @param heapBytes as large as the heap can get
   */
  static NameBound bound(AgentConfig config, int destinations, long heapBytes) {
    long left = heapBytes - FIXED_BYTES - StagingShare.mostBytes(config, destinations);
    return new NameBound(
        Math.max(heapBytes / LEAST_PART, left),
        BYTES_EACH_FILE + BYTES_EACH_FILE_AND_DESTINATION * destinations,
        COPIES_OF_A_PATH + COPIES_OF_A_PATH_EACH_DESTINATION * destinations);
  }
}
