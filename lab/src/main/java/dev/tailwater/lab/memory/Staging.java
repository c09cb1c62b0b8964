package dev.tailwater.lab.memory;

import java.util.Random;

/** A block that is copied repeatedly, each time to the next place of a large buffer. */
final class Staging {
  /** More than the last-level cache of the machines at hand, so that the next place is cold. */
  static final int BYTES = 512 * 1024 * 1024;

  private final byte[] source;
  private final byte[] target = new byte[BYTES];
  private int next;

  Staging(int blockBytes) {
    source = new byte[blockBytes];
    new Random(1).nextBytes(source);
  }

  /** Copies blocks until the given number of bytes is copied. */
  void copy(Copier.Copy way, int bytes) {
    for (int done = 0; done < bytes; done += source.length) {
      way.copy(source, target, next);
      next = next + 2 * source.length > target.length ? 0 : next + source.length;
    }
  }
}
