package dev.tailwater.delivery;

import dev.tailwater.io.watch.NameBound;

/**
 * How much of the heap the names of files may take: what staging, the JVM and the agent's own code
 * leave. The costs were measured, and are rounded up.
 */
final class NameMemoryBudget {
  /** What code, the young generation, and blocks being processed take. */
  private static final long FIXED_BYTES = 20 << 20;

  /** The part of the heap that is for names however large the staging buffers are. */
  private static final int LEAST_PART = 6;

  /** What the watch and the table of files take for each file. */
  private static final int BYTES_EACH_FILE = 650;

  /** What a tail, a stream and its checkpoint take. */
  private static final int BYTES_EACH_FILE_AND_DESTINATION = 1_300;

  private static final int COPIES_OF_A_PATH = 2;
  private static final int COPIES_OF_A_PATH_EACH_DESTINATION = 5;

  /** Files without a name may take one part in this many, besides what the names take. */
  private static final int NAMELESS_ONE_IN = 4;

  private static final int USUAL_PATH_BYTES = 100;

  private NameMemoryBudget() {}

  /** Returns with how many files without a name the agent stops opening files early. */
  static int mostNameless(NameBound names) {
    long each = names.bytesEachFile() + (long) names.bytesEachPathByte() * USUAL_PATH_BYTES;
    return (int) Math.min(Integer.MAX_VALUE, names.totalBytes() / NAMELESS_ONE_IN / each);
  }

  /**
   * Returns the bound for one agent.
   *
   * @param heapBytes the maximum size of the heap
   */
  static NameBound bound(AgentConfig config, int destinations, long heapBytes) {
    long left = heapBytes - FIXED_BYTES - StagingShare.mostBytes(config, destinations);
    return new NameBound(
        Math.max(heapBytes / LEAST_PART, left),
        BYTES_EACH_FILE + BYTES_EACH_FILE_AND_DESTINATION * destinations,
        COPIES_OF_A_PATH + COPIES_OF_A_PATH_EACH_DESTINATION * destinations);
  }
}
