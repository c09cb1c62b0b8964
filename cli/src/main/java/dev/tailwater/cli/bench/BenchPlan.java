package dev.tailwater.cli.bench;

import dev.tailwater.store.datafile.tool.StoreMode;
import java.util.List;

/**
 * The plan of a measurement.
 *
 * @param entries how many the store holds
 * @param valueBytes length of each value
 * @param commitThreads numbers of threads that put with group commit, one after another
 * @param readThreads threads that read, and that read and write mixed
 * @param phaseMillis how long each of these is measured
 */
public record BenchPlan(
    StoreMode mode,
    int entries,
    int valueBytes,
    List<Integer> commitThreads,
    int readThreads,
    long phaseMillis) {
  /** Keys are numbers of this length. */
  public static final int KEY_BYTES = 16;

  public BenchPlan {
    commitThreads = List.copyOf(commitThreads);
  }
}
