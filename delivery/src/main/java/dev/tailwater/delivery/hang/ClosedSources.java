package dev.tailwater.delivery.hang;

import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.posix.ErrnoException;

/** Reports that files below sources could not be closed properly, which harms nobody. */
public final class ClosedSources implements SourceCalls.CloseListener {
  private static final String SUBJECT = "closing files below sources";

  private final Problems problems;
  private volatile boolean failed;

  public ClosedSources(Problems problems) {
    this.problems = problems;
  }

  @Override
  public void failed(ErrnoException failure) {
    failed = true;
    problems.reportHarmless(SUBJECT, failure, "nothing is lost; the file was only read");
  }

  @Override
  public void closed() {
    if (failed) {
      failed = false;
      problems.resolved(SUBJECT);
    }
  }
}
