package dev.tailwater.delivery.watch;

import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.tail.TailOpener;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.util.LinkedHashMap;
import java.util.Optional;

/**
 * The files that are left out because somebody else may have linked them to where they are. Used by
 * the watch thread, except for {@link #count}.
 */
final class ForeignLinks {
  private static final String SUBJECT = "hard links";

  private final Problems problems;
  private final LinkedHashMap<PosixPath, FileIdentity> refused = new LinkedHashMap<>();
  private volatile long count;

  ForeignLinks(Problems problems) {
    this.problems = problems;
  }

  /**
   * Returns whether the file must be left out. A file that was refused once always is: the name
   * that its owner knew may have gone meanwhile.
   */
  boolean mustRefuse(PosixPath path, TailOpener.Opened opened) {
    return opened.foreignLink() || opened.identity().equals(refused.get(path));
  }

  void refuse(PosixPath path, FileIdentity identity) {
    refused.put(path, identity);
    count = refused.size();
    problems.report(
        SUBJECT,
        "hard links to files of other owners are left out: somebody else can have made them",
        Optional.of(
            "the first is "
                + refused.firstEntry().getKey()
                + "; foreign_hard_links: ship ships them"),
        false);
  }

  void forget(PosixPath path) {
    if (refused.remove(path) != null) {
      count = refused.size();
      if (refused.isEmpty()) {
        problems.resolved(SUBJECT);
      }
    }
  }

  /** Returns how many files are left out. May be called from any thread. */
  long count() {
    return count;
  }
}
