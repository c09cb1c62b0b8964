package dev.tailwater.store.datafile.index;

/** The hash function of keys. */
@FunctionalInterface
public interface KeyHash {
  /** Returns the hash; all 64 bits are used, and should look random. */
  long hash(byte[] key);
}
