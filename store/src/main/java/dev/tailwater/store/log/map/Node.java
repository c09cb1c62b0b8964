package dev.tailwater.store.log.map;

import dev.tailwater.store.log.format.Operation;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One node of a {@link PersistentMap}; null is the empty tree. Depth is below 1.45 log2(size). */
final class Node {
  final Operation entry;
  final @Nullable Node left;
  final @Nullable Node right;
  private final int height;

  private Node(@Nullable Node left, Operation entry, @Nullable Node right) {
    this.left = left;
    this.entry = entry;
    this.right = right;
    this.height = 1 + Math.max(height(left), height(right));
  }

  static @Nullable Node ofSorted(List<Operation> entries) {
    return ofSorted(entries, 0, entries.size());
  }

  private static @Nullable Node ofSorted(List<Operation> entries, int from, int to) {
    if (from == to) {
      return null;
    }
    int middle = (from + to) >>> 1;
    return new Node(
        ofSorted(entries, from, middle), entries.get(middle), ofSorted(entries, middle + 1, to));
  }

  static Node with(@Nullable Node node, Operation put) {
    if (node == null) {
      return new Node(null, put, null);
    }
    int order = Arrays.compareUnsigned(put.key(), node.entry.key());
    if (order == 0) {
      return new Node(node.left, put, node.right);
    }
    return order < 0
        ? balanced(with(node.left, put), node.entry, node.right)
        : balanced(node.left, node.entry, with(node.right, put));
  }

  static @Nullable Node without(@Nullable Node node, byte[] key) {
    if (node == null) {
      return null;
    }
    int order = Arrays.compareUnsigned(key, node.entry.key());
    if (order < 0) {
      return balanced(without(node.left, key), node.entry, node.right);
    }
    if (order > 0) {
      return balanced(node.left, node.entry, without(node.right, key));
    }
    if (node.right == null) {
      return node.left;
    }
    Operation next = first(node.right);
    return balanced(node.left, next, without(node.right, next.key()));
  }

  static <E extends Exception> void forEach(
      @Nullable Node node, byte[] prefix, EntryVisitor<E> action) throws E {
    if (node == null) {
      return;
    }
    byte[] key = node.entry.key();
    int common = Math.min(prefix.length, key.length);
    int order = Arrays.compareUnsigned(key, 0, common, prefix, 0, prefix.length);
    if (order >= 0) {
      forEach(node.left, prefix, action);
    }
    if (order == 0) {
      action.entry(node.entry);
    }
    if (order <= 0) {
      forEach(node.right, prefix, action);
    }
  }

  /** The entry with the lowest key that is not below this; null when there is none. */
  static @Nullable Operation notBelow(@Nullable Node node, byte[] key) {
    Operation found = null;
    Node at = node;
    while (at != null) {
      if (Arrays.compareUnsigned(at.entry.key(), key) >= 0) {
        found = at.entry;
        at = at.left;
      } else {
        at = at.right;
      }
    }
    return found;
  }

  private static Operation first(Node node) {
    Node at = node;
    while (at.left != null) {
      at = at.left;
    }
    return at.entry;
  }

  static int height(@Nullable Node node) {
    return node == null ? 0 : node.height;
  }

  /** A tree of these parts, whose heights differ by at most two. */
  private static Node balanced(@Nullable Node left, Operation entry, @Nullable Node right) {
    int lean = height(left) - height(right);
    if (left != null && lean > 1) {
      if (left.right != null && height(left.left) < height(left.right)) {
        Node top = left.right;
        return new Node(
            new Node(left.left, left.entry, top.left),
            top.entry,
            new Node(top.right, entry, right));
      }
      return new Node(left.left, left.entry, new Node(left.right, entry, right));
    }
    if (right != null && lean < -1) {
      if (right.left != null && height(right.right) < height(right.left)) {
        Node top = right.left;
        return new Node(
            new Node(left, entry, top.left),
            top.entry,
            new Node(top.right, right.entry, right.right));
      }
      return new Node(new Node(left, entry, right.left), right.entry, right.right);
    }
    return new Node(left, entry, right);
  }
}
