package dev.tailwater.bench.stores;

import dev.tailwater.store.datafile.DataFileOptions;
import dev.tailwater.store.datafile.read.ReadOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/** What is compared. */
enum EngineKind {
  ROCKSDB("rocksdb", "rocksdb"),
  LMDB("lmdb", "lmdb"),
  CHRONICLE_MAP("chronicle-map", "chronicle-map"),
  /** As it comes: mapped reads of what is in the page cache, a cache of 16 MiB. */
  TAILWATER("tailwater", "tailwater"),
  /** With a cache as large as the one of RocksDB. */
  TAILWATER_CACHE("tailwater-cache64", "tailwater"),
  /** A system call for each get, no cache. */
  TAILWATER_CALLS("tailwater-calls", "tailwater"),
  /** Past the page cache, a cache of 16 MiB. */
  TAILWATER_DIRECT("tailwater-direct", "tailwater");

  /** How a store is opened. */
  enum Opening {
    /** Closed well before, or not there yet. */
    CLEAN,
    /** The process that had it open last was killed. */
    KILLED,
    /** As {@link #CLEAN}; puts need not be durable. */
    UNSYNCED
  }

  private static final int CACHE_MEBIBYTES = 64;

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

  /** What the engine's JVM gets in addition to what all get. */
  int extraHeapMebibytes() {
    return this == TAILWATER_CACHE ? CACHE_MEBIBYTES : 0;
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
      case TAILWATER -> tailwater(directory, ReadOptions.defaults());
      case TAILWATER_CACHE ->
          tailwater(directory, ReadOptions.defaults().withCacheBytes((long) CACHE_MEBIBYTES << 20));
      case TAILWATER_CALLS ->
          tailwater(directory, ReadOptions.defaults().withMapped(false).withCacheBytes(0));
      case TAILWATER_DIRECT ->
          tailwater(directory, ReadOptions.defaults().withMapped(false).withDirect(true));
    };
  }

  private static Engine tailwater(Path directory, ReadOptions reads) throws IOException {
    return new TailwaterEngine(directory, DataFileOptions.defaults().withReads(reads));
  }
}
