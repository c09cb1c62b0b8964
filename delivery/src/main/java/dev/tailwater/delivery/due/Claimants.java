package dev.tailwater.delivery.due;

import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.posix.PosixPath;
import java.util.List;

/** Tells whose files are: of which source, and of which owner. */
public final class Claimants {
  private static final long NOBODY = -1;

  private final List<PosixPath> roots;

  /**
   * Creates what tells them apart.
   *
   * @param roots of the sources
   */
  public Claimants(List<PosixPath> roots) {
    this.roots = List.copyOf(roots);
  }

  Claimant of(Tail tail) {
    long userId = tail.stream().attributes().owner().map(owner -> owner.userId()).orElse(NOBODY);
    return new Claimant(sourceOf(tail.name()), userId);
  }

  private int sourceOf(PosixPath name) {
    for (int i = 0; i < roots.size(); i++) {
      if (name.startsWith(roots.get(i))) {
        return i;
      }
    }
    return roots.size();
  }
}
