package dev.tailwater.lab.store;

import java.nio.file.Path;
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

  private final String words;

  StoreVariant(String words) {
    this.words = words;
  }

  /** The store's directory below that of the experiment. */
  Path directory(Path experiment) {
    return experiment.resolve(name().toLowerCase(Locale.ROOT));
  }

  @Override
  public String toString() {
    return words;
  }
}
