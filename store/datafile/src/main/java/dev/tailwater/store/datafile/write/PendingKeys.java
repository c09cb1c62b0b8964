package dev.tailwater.store.datafile.write;

import dev.tailwater.store.datafile.read.KeyState;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keys whose newest record is appended but not visible to readers yet, because it is not
 * durable. Later writers build on these records. Used with the append lock held.
 */
final class PendingKeys {
  private final Map<Long, PendingKey> byHash = new HashMap<>();
  private final ArrayDeque<PendingWrite> writes = new ArrayDeque<>();
  private final PendingPuts puts = new PendingPuts();

  /** Returns the puts of bulk writes, which {@link #nextUpTo} does not return. */
  PendingPuts puts() {
    return puts;
  }

  private @Nullable PendingKey first(long hash) {
    PendingKey put = puts.becomeKey(hash);
    if (put != null) {
      byHash.put(hash, put); // it is the only one
      return put;
    }
    return byHash.isEmpty() ? null : byHash.get(hash);
  }

  @Nullable PendingKey find(long hash, byte[] bytes) {
    return find(first(hash), bytes);
  }

  private static @Nullable PendingKey find(@Nullable PendingKey first, byte[] bytes) {
    PendingKey key = first;
    while (key != null && !Arrays.equals(key.bytes, bytes)) {
      key = key.next;
    }
    return key;
  }

  /** Prefetches what lookups of these puts read first. */
  void prefetch(BulkPlan plan, int first) {
    long words = 0;
    for (int i = first; i < plan.size(); i++) {
      words ^= puts.prefetch(plan.hash(i));
    }
    plan.keep(words);
  }

  /** Returns whether a key with this hash is pending. */
  boolean hasHash(long hash) {
    return puts.has(hash) || (!byHash.isEmpty() && byHash.containsKey(hash));
  }

  /** Returns whether another key with this hash is pending. */
  boolean hasOther(PendingKey key) {
    PendingKey first = byHash.get(key.hash);
    return first != key || key.next != null;
  }

  /** Returns the key, which stays until it has been released as often as it was held. */
  PendingKey hold(KeyState state) {
    return hold(state.hash(), state.key(), state.location(), state.sequence(), state.indexTags());
  }

  /** As the other, for a key whose record, if it has one, has no index tags. */
  PendingKey hold(long hash, byte[] bytes, long visible) {
    return hold(hash, bytes, visible, 0, List.of());
  }

  private PendingKey hold(
      long hash, byte[] bytes, long visible, long visibleRecord, List<String> visibleTags) {
    PendingKey first = first(hash);
    PendingKey key = find(first, bytes);
    if (key == null) {
      key = new PendingKey(hash, bytes, visible, visibleRecord, visibleTags);
      key.next = first;
      byHash.put(key.hash, key);
    }
    key.holders++;
    return key;
  }

  void release(PendingKey key) {
    if (--key.holders == 0) {
      PendingKey first = byHash.get(key.hash);
      if (first == key) {
        if (key.next == null) {
          byHash.remove(key.hash);
        } else {
          byHash.put(key.hash, key.next);
        }
        return;
      }
      while (first != null && first.next != key) {
        first = first.next;
      }
      if (first != null) {
        first.next = key.next;
      }
    }
  }

  /** Called when the vacuum has moved or removed a record that the index has. */
  void moved(long hash, long from, long to) {
    puts.moved(hash, from, to);
    for (PendingKey key = byHash.get(hash); key != null; key = key.next) {
      if (key.visible == from) {
        key.visible = to;
      }
    }
  }

  /** Adds a record that is not visible yet; its key is held until it is. */
  void add(PendingWrite write) {
    writes.add(write);
  }

  /** Returns the number up to which every record is visible, at most {@code lastSequence}. */
  long settledSequence(long lastSequence) {
    PendingWrite first = writes.peek();
    long settled = first == null ? lastSequence : first.sequence() - 1;
    return puts.isEmpty() ? settled : Math.min(settled, puts.firstSequence() - 1);
  }

  /** Takes the first record that is to become visible, if its number is not above this. */
  @Nullable PendingWrite nextUpTo(long sequence) {
    PendingWrite first = writes.peek();
    return first == null || first.sequence() > sequence ? null : writes.remove();
  }
}
