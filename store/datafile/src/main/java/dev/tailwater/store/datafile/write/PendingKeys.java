package dev.tailwater.store.datafile.write;

import dev.tailwater.store.datafile.read.KeyState;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keys whose newest record is appended but not seen by readers yet, since it is not durable. Later
 * writers build on these. Used with the append lock held.
 */
final class PendingKeys {
  private final Map<Long, PendingKey> byHash = new HashMap<>();
  private final ArrayDeque<PendingWrite> writes = new ArrayDeque<>();
  private final PendingPuts puts = new PendingPuts();

  /** Puts of bulks, which are not among {@link #nextUpTo}. */
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
    PendingKey key = first(hash);
    while (key != null && !Arrays.equals(key.bytes, bytes)) {
      key = key.next;
    }
    return key;
  }

  /** Reads what looks for these puts read first, all at the same time. */
  void prefetch(BulkPlan plan, int first) {
    long words = 0;
    for (int i = first; i < plan.size(); i++) {
      words ^= puts.prefetch(plan.hash(i));
    }
    plan.keep(words);
  }

  /** Whether a key with this hash is pending. */
  boolean hasHash(long hash) {
    return puts.has(hash) || (!byHash.isEmpty() && byHash.containsKey(hash));
  }

  /** Whether another key with this hash is pending. */
  boolean hasOther(PendingKey key) {
    PendingKey first = byHash.get(key.hash);
    return first != key || key.next != null;
  }

  /** The key, which stays until it is released as often as it was held. */
  PendingKey hold(KeyState state) {
    return hold(state.hash(), state.key(), state.location(), state.sequence(), state.indexTags());
  }

  /** As the other; of a key whose record, if it has one, has no indexTags. */
  PendingKey hold(long hash, byte[] bytes, long visible) {
    return hold(hash, bytes, visible, 0, List.of());
  }

  private PendingKey hold(
      long hash, byte[] bytes, long visible, long visibleRecord, List<String> visibleTags) {
    PendingKey key = find(hash, bytes);
    if (key == null) {
      key = new PendingKey(hash, bytes, visible, visibleRecord, visibleTags);
      key.next = byHash.get(key.hash);
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

  /** A record that the index has was written elsewhere, or taken away. */
  void moved(long hash, long from, long to) {
    puts.moved(hash, from, to);
    for (PendingKey key = byHash.get(hash); key != null; key = key.next) {
      if (key.visible == from) {
        key.visible = to;
      }
    }
  }

  /** A record was appended that is not to be seen yet; its key is held until it was. */
  void add(PendingWrite write) {
    writes.add(write);
  }

  /** Number of the last record before all that are to be published, of those up to this one. */
  long settledSequence(long lastSequence) {
    PendingWrite first = writes.peek();
    long settled = first == null ? lastSequence : first.sequence() - 1;
    return puts.isEmpty() ? settled : Math.min(settled, puts.firstSequence() - 1);
  }

  /** The first record that is to be published, if its number is not above this. */
  @Nullable PendingWrite nextUpTo(long sequence) {
    PendingWrite first = writes.peek();
    return first == null || first.sequence() > sequence ? null : writes.remove();
  }
}
