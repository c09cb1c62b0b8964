package dev.tailwater.store.datafile.index;

/** Gives keys their hashes: always the same one to the same key. */
@FunctionalInterface
public interface KeyHash {
  /** All 64 bits are used, and are to be as good as random. */
  long hash(byte[] key);
}
