package dev.tailwater.bench.stores;

import dev.tailwater.store.datafile.DataFileOptions;
import java.nio.file.Path;
import java.util.Arrays;

/** What is compared. */
enum EngineKind {
  ROCKSDB("rocksdb", "rocksdb"),
  LMDB("lmdb", "lmdb"),
  CHRONICLE_MAP("chronicle-map", "chronicle-map"),
  TAILWATER("tailwater", "tailwater");

  /** How a store is opened. */
  enum Opening {
    /** Closed well before, or not there yet. */
    CLEAN,
    /** The process that had it open last was killed. */
    KILLED,
    /** As {@link #CLEAN}; puts need not be durable. */
    UNSYNCED
  }

  private final String label;
  private final String family;

  EngineKind(String label, String family) {
    this.label = label;
    this.family = family;
  }

  /** As in the results. */
  String label() {
    return label;
  }

  /** The same for variants that open the same files. */
  String family() {
    return family;
  }

  /** Whether this is the variant that writes the files of its family. */
  boolean writes() {
    return label.equals(family);
  }

  /** Whether a put can be on disk when it returns. */
  boolean putsDurably() {
    return this != CHRONICLE_MAP;
  }

  static EngineKind of(String label) {
    return Arrays.stream(values())
        .filter(kind -> kind.label.equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no engine is called " + label));
  }

  Engine open(Path directory, Dataset dataset, Opening opening) throws Exception {
    return switch (this) {
      case ROCKSDB -> new RocksDbEngine(directory);
      case LMDB -> new LmdbEngine(directory, dataset.valueBytes(), opening != Opening.UNSYNCED);
      case CHRONICLE_MAP ->
          new ChronicleMapEngine(
              directory, dataset.count(), dataset.valueBytes(), opening == Opening.KILLED);
      case TAILWATER -> new TailwaterEngine(directory, DataFileOptions.defaults());
    };
  }
}
