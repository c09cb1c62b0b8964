package dev.tailwater.delivery.open;

import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The files that are left out because somebody else may have linked them to where they are. Used by
 * the watch thread, except for {@link #count}.
 */
final class ForeignLinks {
  private static final String SUBJECT = "hard links";

  /** How many files are known that were left out last, whatever their names are now. */
  private static final int MOST_KNOWN = 10_000;

  private final Problems problems;
  private final LinkedHashSet<PosixPath> refused = new LinkedHashSet<>();
  private final Set<FileIdentity> known = new LinkedHashSet<>();
  private volatile long count;

  ForeignLinks(Problems problems) {
    this.problems = problems;
  }

  /**
   * Returns whether the file must be left out. A file that was refused once always is, also under
   * another name: the name that its owner knew may have gone meanwhile.
   */
  boolean mustRefuse(TailOpener.Opened opened) {
    return opened.foreignLink() || known.contains(opened.identity());
  }

  void refuse(PosixPath path, FileIdentity identity) {
    refused.add(path);
    known.remove(identity);
    known.add(identity);
    if (known.size() > MOST_KNOWN) {
      known.remove(known.iterator().next());
    }
    count = refused.size();
    problems.report(
        SUBJECT,
        "hard links to files of other owners are left out: somebody else can have made them",
        Optional.of("the first is " + refused.getFirst() + "; foreign_hard_links: ship ships them"),
        false);
  }

  void forget(PosixPath path) {
    if (refused.remove(path)) {
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
