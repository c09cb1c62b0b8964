package dev.tailwater.store.log.map;

import dev.tailwater.store.log.format.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The replay of a snapshot and the operations after it into a map. The tree is built once, at the
 * end, because changing an immutable tree copies a path for each operation. Used by one thread.
 */
public final class Replay {
  private List<Operation> base = List.of();
  private final Map<Key, Key> changed = new HashMap<>();

  /** A key with the last operation on it; equal and ordered by the key alone. */
  private static final class Key implements Comparable<Key> {
    private final byte[] bytes;
    private final int hash;

    /** The first bytes as a number, so that most comparisons need not look at the array. */
    private final long prefix;

    private Operation last;

    Key(Operation operation) {
      this.bytes = operation.key();
      this.hash = Arrays.hashCode(bytes);
      this.prefix = prefix(bytes);
      this.last = operation;
    }

    private static long prefix(byte[] bytes) {
      long prefix = 0;
      for (int i = 0; i < Long.BYTES; i++) {
        prefix = prefix << Byte.SIZE | (i < bytes.length ? Byte.toUnsignedLong(bytes[i]) : 0);
      }
      return prefix;
    }

    @Override
    public int compareTo(Key other) {
      int order = Long.compareUnsigned(prefix, other.prefix);
      return order != 0 ? order : Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && hash == key.hash && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /** Begins with a snapshot's puts, whose keys ascend strictly. */
  public void beginWith(List<Operation> puts) {
    base = puts;
  }

  /** The next operation of a log. */
  public void add(Operation operation) {
    Key key = new Key(operation);
    Key before = changed.putIfAbsent(key, key);
    if (before != null) {
      before.last = operation;
    }
  }

  /** Returns the map after all of them. */
  public PersistentMap map() {
    List<Key> keys = new ArrayList<>(changed.keySet());
    changed.clear();
    Collections.sort(keys);
    List<Operation> puts = new ArrayList<>(base.size() + keys.size());
    int next = 0;
    for (Key key : keys) {
      int order = 1;
      while (next < base.size() && (order = compare(base.get(next), key)) < 0) {
        puts.add(base.get(next++));
      }
      if (next < base.size() && order == 0) {
        next++; // replaced or removed
      }
      if (key.last.isPut()) {
        puts.add(key.last);
      }
    }
    puts.addAll(base.subList(next, base.size()));
    base = List.of();
    return PersistentMap.ofSorted(puts);
  }

  private static int compare(Operation put, Key key) {
    return Arrays.compareUnsigned(put.key(), key.bytes);
  }
}
