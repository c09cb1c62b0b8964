package dev.tailwater.delivery.hang;

import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.posix.ErrnoException;

/**
 * Reports that files below sources could not be closed properly, which harms nobody. Thread-safe.
 */
final class ClosedSources {
  private static final String SUBJECT = "closing files below sources";

  private final Problems problems;
  private volatile boolean failed;

  ClosedSources(Problems problems) {
    this.problems = problems;
  }

  /** Reports that closing a descriptor has failed, which was freed all the same. */
  void failed(ErrnoException failure) {
    failed = true;
    problems.reportHarmless(SUBJECT, failure, "nothing is lost; the file was only read");
  }

  /** Notes that the descriptor of a file was closed. */
  void closed() {
    if (failed) {
      failed = false;
      problems.resolved(SUBJECT);
    }
  }
}
