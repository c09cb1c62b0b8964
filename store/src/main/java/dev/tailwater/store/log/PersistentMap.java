package dev.tailwater.store.log;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map ordered by unsigned key bytes: an AVL tree whose updates copy one path and share
 * the rest. So a reader or a snapshot writer holds a consistent state for nothing, and never makes
 * a writer wait. Does not copy arrays.
 */
final class PersistentMap {
  static final PersistentMap EMPTY = new PersistentMap(null, 0, 0);

  private final @Nullable Node root;
  private final long size;
  private final long liveBytes;

  private PersistentMap(@Nullable Node root, long size, long liveBytes) {
    this.root = root;
    this.size = size;
    this.liveBytes = liveBytes;
  }

  /** A map of puts whose keys ascend strictly. */
  static PersistentMap ofSorted(List<Operation> puts) {
    long bytes = 0;
    for (Operation put : puts) {
      bytes += put.encodedBytes();
    }
    return new PersistentMap(Node.ofSorted(puts), puts.size(), bytes);
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
    long oldBytes = old.map(Operation::encodedBytes).orElse(0);
    if (operation.isPut()) {
      return new PersistentMap(
          Node.with(root, operation),
          size + (old.isPresent() ? 0 : 1),
          liveBytes - oldBytes + operation.encodedBytes());
    }
    if (old.isEmpty()) {
      return this;
    }
    return new PersistentMap(Node.without(root, operation.key()), size - 1, liveBytes - oldBytes);
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
    List<Operation> expired = new ArrayList<>();
    forEach(
        new byte[0],
        put -> {
          if (put.isExpired(nowMillis)) {
            expired.add(Operation.remove(put.key()));
          }
        });
    return after(expired);
  }

  /** Every entry whose key starts with the prefix, in order, as the put that made it. */
  <E extends Exception> void forEach(byte[] prefix, EntryVisitor<E> action) throws E {
    Node.forEach(root, prefix, action);
  }
}
