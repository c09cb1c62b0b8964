package dev.tailwater.store.log.map;

import dev.tailwater.store.log.format.Operation;
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
 * the rest. So a reader or a snapshot writer holds a consistent state at no cost, and never blocks
 * a writer. Does not copy arrays.
 */
public final class PersistentMap {
  public static final PersistentMap EMPTY = new PersistentMap(null, 0, 0, null);

  private final @Nullable Node root;
  private final long size;
  private final long liveBytes;

  /** As of {@link TagKeys}. */
  private final @Nullable Node tagKeys;

  private PersistentMap(@Nullable Node root, long size, long liveBytes, @Nullable Node tagKeys) {
    this.root = root;
    this.size = size;
    this.liveBytes = liveBytes;
    this.tagKeys = tagKeys;
  }

  /** Returns a map of puts whose keys ascend strictly. */
  static PersistentMap ofSorted(List<Operation> puts) {
    long bytes = 0;
    List<Operation> tagKeys = new ArrayList<>();
    for (Operation put : puts) {
      bytes += put.encodedBytes();
      tagKeys.addAll(TagKeys.of(put));
    }
    tagKeys.sort((one, other) -> Arrays.compareUnsigned(one.key(), other.key()));
    return new PersistentMap(Node.ofSorted(puts), puts.size(), bytes, Node.ofSorted(tagKeys));
  }

  public long size() {
    return size;
  }

  /** Bytes that all entries take as operations in a log. */
  public long liveBytes() {
    return liveBytes;
  }

  /** Nodes from the root to the deepest leaf. */
  int depth() {
    return Node.height(root);
  }

  /** The put that made this key's entry. */
  public Optional<Operation> find(byte[] key) {
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

  /** Returns this map after the operation. */
  public PersistentMap after(Operation operation) {
    Optional<Operation> old = find(operation.key());
    if (old.isEmpty() && !operation.isPut()) {
      return this;
    }
    long oldBytes = old.map(Operation::encodedBytes).orElse(0);
    Node retagged = retagged(old, operation);
    if (operation.isPut()) {
      return new PersistentMap(
          Node.with(root, operation),
          size + (old.isPresent() ? 0 : 1),
          liveBytes - oldBytes + operation.encodedBytes(),
          retagged);
    }
    return new PersistentMap(
        Node.without(root, operation.key()), size - 1, liveBytes - oldBytes, retagged);
  }

  private @Nullable Node retagged(Optional<Operation> old, Operation operation) {
    boolean same =
        old.isPresent()
            && old.get().expiresAtMillis() == operation.expiresAtMillis()
            && Arrays.equals(old.get().tags(), operation.tags());
    Node changed = tagKeys;
    if (!same) {
      for (Operation tagKey : old.map(TagKeys::of).orElse(List.of())) {
        changed = Node.without(changed, tagKey.key());
      }
      for (Operation tagKey : TagKeys.of(operation)) {
        changed = Node.with(changed, tagKey);
      }
    }
    return changed;
  }

  public PersistentMap after(List<Operation> operations) {
    PersistentMap map = this;
    for (Operation operation : operations) {
      map = map.after(operation);
    }
    return map;
  }

  /** Returns this map without expired entries. */
  public PersistentMap withoutExpired(long nowMillis) {
    return after(removalsOfExpired(nowMillis, Integer.MAX_VALUE));
  }

  /** Returns removals of expired entries, the oldest first, at most {@code limit}. */
  public List<Operation> removalsOfExpired(long nowMillis, int limit) {
    List<Operation> removals = new ArrayList<>();
    Operation tagKey = Node.notBelow(tagKeys, TagKeys.firstExpiry());
    while (tagKey != null
        && TagKeys.isExpired(tagKey.key(), nowMillis)
        && removals.size() < limit) {
      removals.add(Operation.remove(tagKey.value()));
      tagKey = Node.notBelow(tagKeys, next(tagKey.key()));
    }
    return removals;
  }

  /** The lowest key above this one. */
  private static byte[] next(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  /** Visits every entry that has this tag, by ascending key, as the put that made it. */
  void forEachWithTag(String tag, Consumer<Operation> action) {
    Node.forEach(
        tagKeys,
        TagKeys.tagPrefix(tag),
        tagKey -> action.accept(find(tagKey.value()).orElseThrow()));
  }

  /** Returns all tags, with the number of entries that have each. */
  public SortedMap<String, Long> tags() {
    SortedMap<String, Long> tags = new TreeMap<>();
    Operation tagKey = tagKeys == null ? null : Node.notBelow(tagKeys, new byte[0]);
    while (tagKey != null && TagKeys.isTag(tagKey.key())) {
      byte[] prefix = TagKeys.tagPrefix(TagKeys.tag(tagKey.key()));
      byte[][] last = {tagKey.key()};
      long[] count = {0};
      Node.forEach(
          tagKeys,
          prefix,
          of -> {
            last[0] = of.key();
            count[0]++;
          });
      tags.put(TagKeys.tag(tagKey.key()), count[0]);
      tagKey = Node.notBelow(tagKeys, next(last[0]));
    }
    return tags;
  }

  /** Visits every entry whose key starts with the prefix, in order, as the put that made it. */
  public <E extends Exception> void forEach(byte[] prefix, EntryVisitor<E> action) throws E {
    Node.forEach(root, prefix, action);
  }
}
