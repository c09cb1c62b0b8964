package dev.tailwater.lab.store;

import java.nio.file.Path;
import java.util.Locale;

/** A mode of the store. */
enum StoreVariant {
  /** All values in memory. */
  LOG("transaction log"),
  /** Values in files, read through the page cache. */
  DATA_FILES("data files"),
  /**
   * Values in files, read through the page cache; the store also caches values that are read often.
   */
  DATA_FILES_CACHED("data files, own cache"),
  /** Values in files, read without the page cache; the store caches values that are read often. */
  DIRECT_CACHED("data files past the page cache, own cache");

  private final String words;

  StoreVariant(String words) {
    this.words = words;
  }

  /** Returns the store's directory below that of the experiment. */
  Path directory(Path experiment) {
    return experiment.resolve(name().toLowerCase(Locale.ROOT));
  }

  @Override
  public String toString() {
    return words;
  }
}
