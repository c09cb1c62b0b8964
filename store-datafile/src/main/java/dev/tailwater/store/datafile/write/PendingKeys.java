package dev.tailwater.store.datafile.write;

import dev.tailwater.store.datafile.file.Labels;
import dev.tailwater.store.datafile.format.RecordData;
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
  private final Map<Long, Key> byHash = new HashMap<>();
  private final ArrayDeque<Write> writes = new ArrayDeque<>();
  private final PendingPuts puts = new PendingPuts();

  /** One key. */
  static final class Key {
    final long hash;
    final byte[] bytes;

    /** What the index has; {@code Location.NONE} when it has nothing. */
    long visible;

    /** Number of the record that made it so; 0: one from before. */
    long visibleSequence;

    /** Number of the record that the index has. */
    long visibleRecord;

    /** As of {@link Labels}, of that record. */
    List<String> visibleLabels;

    /** The newest record, seen or not; null while nothing was appended. */
    @Nullable RecordData newest;

    long newestSequence;
    private int holders;
    private @Nullable Key next;

    private Key(
        long hash, byte[] bytes, long visible, long visibleRecord, List<String> visibleLabels) {
      this.hash = hash;
      this.bytes = bytes.clone();
      this.visible = visible;
      this.visibleRecord = visibleRecord;
      this.visibleLabels = visibleLabels;
    }

    /** Of a put that is pending, and holds it. */
    static Key of(long hash, long visible, RecordData newest, long newestSequence) {
      Key key = new Key(hash, newest.key(), visible, 0, List.of());
      key.newest = newest;
      key.newestSequence = newestSequence;
      key.holders = 1;
      return key;
    }

    /** Whether it stays when the last to hold it releases it. */
    boolean isShared() {
      return holders > 1;
    }
  }

  /** One record that is to be published. */
  record Write(Key key, long sequence, long location, boolean removes, List<String> labels) {
    Write {
      labels = List.copyOf(labels);
    }
  }

  /** Puts of bulks, which are not among {@link #nextUpTo}. */
  PendingPuts puts() {
    return puts;
  }

  private @Nullable Key first(long hash) {
    Key put = puts.becomeKey(hash);
    if (put != null) {
      byHash.put(hash, put); // it is the only one
      return put;
    }
    return byHash.isEmpty() ? null : byHash.get(hash);
  }

  @Nullable Key find(long hash, byte[] bytes) {
    Key key = first(hash);
    while (key != null && !Arrays.equals(key.bytes, bytes)) {
      key = key.next;
    }
    return key;
  }

  /** Reads what looks for these puts read first, all at the same time. */
  void bringNear(BulkPlan plan, int first) {
    long words = 0;
    for (int i = first; i < plan.size(); i++) {
      words ^= puts.bringNear(plan.hash(i));
    }
    plan.keep(words);
  }

  /** Whether a key with this hash is pending. */
  boolean hasHash(long hash) {
    return puts.has(hash) || (!byHash.isEmpty() && byHash.containsKey(hash));
  }

  /** Whether another key with this hash is pending. */
  boolean hasOther(Key key) {
    Key first = byHash.get(key.hash);
    return first != key || key.next != null;
  }

  /** The key, which stays until it is released as often as it was held. */
  Key hold(KeyState state) {
    return hold(state.hash(), state.key(), state.location(), state.sequence(), state.labels());
  }

  /** As the other; of a key whose record, if it has one, has no labels. */
  Key hold(long hash, byte[] bytes, long visible) {
    return hold(hash, bytes, visible, 0, List.of());
  }

  private Key hold(
      long hash, byte[] bytes, long visible, long visibleRecord, List<String> visibleLabels) {
    Key key = find(hash, bytes);
    if (key == null) {
      key = new Key(hash, bytes, visible, visibleRecord, visibleLabels);
      key.next = byHash.get(key.hash);
      byHash.put(key.hash, key);
    }
    key.holders++;
    return key;
  }

  void release(Key key) {
    if (--key.holders == 0) {
      Key first = byHash.get(key.hash);
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
    for (Key key = byHash.get(hash); key != null; key = key.next) {
      if (key.visible == from) {
        key.visible = to;
      }
    }
  }

  /** A record was appended that is not to be seen yet; its key is held until it was. */
  void add(Write write) {
    writes.add(write);
  }

  /** Number of the last record before all that are to be published, of those up to this one. */
  long settledSequence(long lastSequence) {
    Write first = writes.peek();
    long settled = first == null ? lastSequence : first.sequence() - 1;
    return puts.isEmpty() ? settled : Math.min(settled, puts.firstSequence() - 1);
  }

  /** The first record that is to be published, if its number is not above this. */
  @Nullable Write nextUpTo(long sequence) {
    Write first = writes.peek();
    return first == null || first.sequence() > sequence ? null : writes.remove();
  }
}
