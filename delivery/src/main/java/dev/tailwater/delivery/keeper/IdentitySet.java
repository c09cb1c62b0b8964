package dev.tailwater.delivery.keeper;

import dev.tailwater.io.FileIdentity;

/**
 * A set of file identities by a hash of 64 bits, at 8 to 22 bytes for each. Two files in a million
 * million pairs may be taken for one another, so it is for questions where that does little harm.
 * For one thread.
 */
final class IdentitySet {
  private static final int MIN_SLOTS = 64;

  /** Hashes by linear probing; 0 is free. */
  private long[] slots = new long[MIN_SLOTS];

  private int size;

  /** Adds an identity; returns whether it was not in the set. */
  boolean add(FileIdentity identity) {
    if (4L * (size + 1) > 3L * slots.length) {
      long[] before = slots;
      slots = new long[2 * before.length];
      for (long hash : before) {
        if (hash != 0) {
          slots[slotOf(hash)] = hash;
        }
      }
    }
    long hash = hash(identity);
    int slot = slotOf(hash);
    if (slots[slot] != 0) {
      return false;
    }
    slots[slot] = hash;
    size++;
    return true;
  }

  boolean contains(FileIdentity identity) {
    return slots[slotOf(hash(identity))] != 0;
  }

  /** Returns the slot that has the hash, or would get it. */
  private int slotOf(long hash) {
    int slot = (int) (hash >>> 32) & (slots.length - 1);
    while (slots[slot] != 0 && slots[slot] != hash) {
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  }

  private static long hash(FileIdentity identity) {
    long hash = mix(identity.fileSystemId());
    hash = mix(hash ^ identity.inode());
    hash = mix(hash ^ identity.generation().orElse(-1));
    hash = mix(hash ^ identity.birthTimeNanos().orElse(-1));
    return hash == 0 ? 1 : hash;
  }

  /** The finalizer of MurmurHash3. */
  private static long mix(long value) {
    long mixed = (value ^ (value >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ (mixed >>> 33);
  }
}
