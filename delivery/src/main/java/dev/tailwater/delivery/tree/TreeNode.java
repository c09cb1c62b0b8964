package dev.tailwater.delivery.tree;

import dev.tailwater.posix.PosixPath;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What is remembered of one directory: about 100 bytes and its name. For one thread. */
final class TreeNode {
  /** The directories in it that are archived. */
  final Map<PosixPath, TreeNode> children = new HashMap<>(0);

  /** Its change time when it was listed, and when that was; 0: never. Nanoseconds since 1970. */
  long changeTimeNanos;

  long listedAtNanos;

  /** Hashes of what it was when it was listed: all of it, and all but its modification time. */
  long listed;

  long listedShape;

  /** The same as the archive was told last; 0: it was not told. */
  long said;

  long saidShape;
  long saidAtNanos;

  /** A hash of the further names in it. */
  int further = List.of().hashCode();

  boolean isSaid() {
    return said == listed;
  }

  /** Notes that the archive is told what was listed. */
  void noteSaid(long nowNanos) {
    said = listed;
    saidShape = listedShape;
    saidAtNanos = nowNanos;
  }

  /** Returns a number for all that was told of it and of those below it, whatever the order. */
  long digest() {
    long sum = said;
    for (TreeNode child : children.values()) {
      sum += child.digest();
    }
    return sum;
  }
}
