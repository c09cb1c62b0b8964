package dev.tailwater.lab.store;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of {@link StoreChild} for one variant of a plan. */
record StoreChildCommand(StoreVariant variant, StorePlan plan) {
  private static final int HEAP_BYTES_OF_RECORD = 1_600;
  private static final int OTHER_HEAP_MEBIBYTES = 128;

  /**
   * The memory that an experiment needs: for the JVMs that have the stores open, and for all their
   * files in the page cache.
   */
  static long neededBytes(StorePlan plan) {
    long heapsMebibytes =
        plan.variants().stream()
            .mapToLong(variant -> new StoreChildCommand(variant, plan).heapMebibytes())
            .sum();
    return (heapsMebibytes << 20)
        + (long) plan.variants().size() * plan.records() * StorePlan.VALUE_BYTES;
  }

  /** The largest heap that the child may have. */
  private long heapMebibytes() {
    long heapBytes =
        variant == StoreVariant.LOG
            ? (long) plan.records() * HEAP_BYTES_OF_RECORD
            : 2 * plan.cacheBytes();
    return OTHER_HEAP_MEBIBYTES + (heapBytes >> 20);
  }

  List<String> jvmOptions() {
    return List.of(
        "-XX:+UseSerialGC", "-Xmx" + heapMebibytes() + "m", "--enable-native-access=ALL-UNNAMED");
  }

  /**
   * The arguments of the child.
   *
   * @param experiment the directory of the experiment
   */
  List<String> arguments(Path experiment) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                variant.directory(experiment).toString(),
                Integer.toString(plan.records()),
                Integer.toString(StorePlan.VALUE_BYTES)));
    if (variant != StoreVariant.LOG) {
      boolean cached = variant != StoreVariant.DATA_FILES;
      // Not mapped: mapped pages that were touched could not be dropped from the page cache.
      arguments.add(Boolean.toString(false));
      arguments.add(Boolean.toString(variant == StoreVariant.DIRECT_CACHED));
      arguments.add(Long.toString(cached ? plan.cacheBytes() : 0));
    }
    return arguments;
  }
}
