package dev.tailwater.store.log;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map ordered by unsigned key bytes: an AVL tree whose updates copy one path and share
 * the rest. So a reader or a snapshot writer holds a consistent state for nothing, and never makes
 * a writer wait. Does not copy arrays.
 */
final class PersistentMap {
  static final PersistentMap EMPTY = new PersistentMap(null, 0, 0, null);

  private final @Nullable Node root;
  private final long size;
  private final long liveBytes;

  /** As of {@link LabelKeys}. */
  private final @Nullable Node labels;

  private PersistentMap(@Nullable Node root, long size, long liveBytes, @Nullable Node labels) {
    this.root = root;
    this.size = size;
    this.liveBytes = liveBytes;
    this.labels = labels;
  }

  /** A map of puts whose keys ascend strictly. */
  static PersistentMap ofSorted(List<Operation> puts) {
    long bytes = 0;
    List<Operation> labels = new ArrayList<>();
    for (Operation put : puts) {
      bytes += put.encodedBytes();
      labels.addAll(LabelKeys.of(put));
    }
    labels.sort((one, other) -> Arrays.compareUnsigned(one.key(), other.key()));
    return new PersistentMap(Node.ofSorted(puts), puts.size(), bytes, Node.ofSorted(labels));
  }

  long size() {
    return size;
  }

  /** Bytes that all entries take as operations in a log. */
  long liveBytes() {
    return liveBytes;
  }

  /** Nodes from the root to the deepest leaf. */
  int depth() {
    return Node.height(root);
  }

  /** The put that made this key's entry. */
  Optional<Operation> find(byte[] key) {
    Node node = root;
    while (node != null) {
      int order = Arrays.compareUnsigned(key, node.entry.key());
      if (order == 0) {
        return Optional.of(node.entry);
      }
      node = order < 0 ? node.left : node.right;
    }
    return Optional.empty();
  }

  /** This map after the operation. */
  PersistentMap after(Operation operation) {
    Optional<Operation> old = find(operation.key());
    if (old.isEmpty() && !operation.isPut()) {
      return this;
    }
    long oldBytes = old.map(Operation::encodedBytes).orElse(0);
    Node relabelled = relabelled(old, operation);
    if (operation.isPut()) {
      return new PersistentMap(
          Node.with(root, operation),
          size + (old.isPresent() ? 0 : 1),
          liveBytes - oldBytes + operation.encodedBytes(),
          relabelled);
    }
    return new PersistentMap(
        Node.without(root, operation.key()), size - 1, liveBytes - oldBytes, relabelled);
  }

  private @Nullable Node relabelled(Optional<Operation> old, Operation operation) {
    boolean same =
        old.isPresent()
            && old.get().expiresAtMillis() == operation.expiresAtMillis()
            && Arrays.equals(old.get().tags(), operation.tags());
    Node changed = labels;
    if (!same) {
      for (Operation label : old.map(LabelKeys::of).orElse(List.of())) {
        changed = Node.without(changed, label.key());
      }
      for (Operation label : LabelKeys.of(operation)) {
        changed = Node.with(changed, label);
      }
    }
    return changed;
  }

  PersistentMap after(List<Operation> operations) {
    PersistentMap map = this;
    for (Operation operation : operations) {
      map = map.after(operation);
    }
    return map;
  }

  /** This map without what has expired. */
  PersistentMap withoutExpired(long nowMillis) {
    return after(removalsOfExpired(nowMillis, Integer.MAX_VALUE));
  }

  /** Removals of what has expired, the oldest first, but not more than so many. */
  List<Operation> removalsOfExpired(long nowMillis, int limit) {
    List<Operation> removals = new ArrayList<>();
    Operation label = Node.notBelow(labels, LabelKeys.firstExpiry());
    while (label != null
        && LabelKeys.isExpired(label.key(), nowMillis)
        && removals.size() < limit) {
      removals.add(Operation.remove(label.value()));
      label = Node.notBelow(labels, next(label.key()));
    }
    return removals;
  }

  /** The lowest key above this one. */
  private static byte[] next(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  /** Every entry that has this tag, by ascending key, as the put that made it. */
  void forEachWithTag(String tag, Consumer<Operation> action) {
    Node.forEach(
        labels,
        LabelKeys.tagPrefix(tag),
        label -> action.accept(find(label.value()).orElseThrow()));
  }

  /** All tags, with the number of entries that have each. */
  SortedMap<String, Long> tags() {
    SortedMap<String, Long> tags = new TreeMap<>();
    Operation label = labels == null ? null : Node.notBelow(labels, new byte[0]);
    while (label != null && LabelKeys.isTag(label.key())) {
      byte[] prefix = LabelKeys.tagPrefix(LabelKeys.tag(label.key()));
      byte[][] last = {label.key()};
      long[] count = {0};
      Node.forEach(
          labels,
          prefix,
          of -> {
            last[0] = of.key();
            count[0]++;
          });
      tags.put(LabelKeys.tag(label.key()), count[0]);
      label = Node.notBelow(labels, next(last[0]));
    }
    return tags;
  }

  /** Every entry whose key starts with the prefix, in order, as the put that made it. */
  <E extends Exception> void forEach(byte[] prefix, EntryVisitor<E> action) throws E {
    Node.forEach(root, prefix, action);
  }
}
