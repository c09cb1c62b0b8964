package dev.tailwater.lab.store;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A mode of the store. */
enum StoreVariant {
  /** All values in memory. */
  LOG("transaction log"),
  /** Values in files, read through the page cache. */
  DATA_FILES("data files"),
  /** The same, and the store keeps what is read often. */
  DATA_FILES_CACHED("data files, own cache"),
  /** Values are read past the page cache, and the store keeps what is read often. */
  DIRECT_CACHED("data files past the page cache, own cache");

  private static final int HEAP_BYTES_OF_RECORD = 1_600;
  private static final int OTHER_HEAP_MEBIBYTES = 128;

  private final String words;

  StoreVariant(String words) {
    this.words = words;
  }

  /** The store's directory below that of the experiment. */
  Path directory(Path experiment) {
    return experiment.resolve(name().toLowerCase(Locale.ROOT));
  }

  /** The most that the heap of {@link StoreChild} may have. */
  long heapMebibytes(StorePlan plan) {
    long heapBytes =
        this == LOG ? (long) plan.records() * HEAP_BYTES_OF_RECORD : 2 * plan.cacheBytes();
    return OTHER_HEAP_MEBIBYTES + (heapBytes >> 20);
  }

  /** What {@link StoreChild} is started with. */
  List<String> jvmOptions(StorePlan plan) {
    return List.of(
        "-XX:+UseSerialGC",
        "-Xmx" + heapMebibytes(plan) + "m",
        "--enable-native-access=ALL-UNNAMED");
  }

  /** What {@link StoreChild} is told. */
  List<String> arguments(Path experiment, StorePlan plan) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                directory(experiment).toString(),
                Integer.toString(plan.records()),
                Integer.toString(StorePlan.VALUE_BYTES)));
    if (this != LOG) {
      boolean cached = this != DATA_FILES;
      // Mapped pages that were touched could not be dropped from the page cache.
      arguments.add(Boolean.toString(false));
      arguments.add(Boolean.toString(this == DIRECT_CACHED));
      arguments.add(Long.toString(cached ? plan.cacheBytes() : 0));
    }
    return arguments;
  }

  @Override
  public String toString() {
    return words;
  }
}
