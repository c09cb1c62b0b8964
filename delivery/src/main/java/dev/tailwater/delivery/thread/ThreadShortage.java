package dev.tailwater.delivery.thread;

import dev.tailwater.delivery.problem.Problems;
import java.util.Optional;

/**
 * Reports that threads cannot be started, since the process or the machine may not have more of
 * them (pids cgroup, ulimit -u): less is done at once, and nothing is lost.
 */
public final class ThreadShortage {
  /** What helps. */
  public static final String REMEDY =
      "raise the limit of processes (TasksMax=, pids.max, ulimit -u)";

  private static final String HINT =
      "the agent goes on with the threads that it has, more slowly; " + REMEDY;

  private final Problems problems;
  private final String subject;

  /**
   * Creates the problem of one kind of threads.
   *
   * @param what the threads, in words, such as "threads for sealing"
   */
  public ThreadShortage(Problems problems, String what) {
    this.problems = problems;
    this.subject = what;
  }

  /** Returns whether this says that a thread could not be started, and not that a heap is full. */
  public static boolean isMeant(Throwable e) {
    return e instanceof OutOfMemoryError
        && String.valueOf(e.getMessage()).contains("native thread");
  }

  /** Reports that a thread could not be started. */
  public void report(OutOfMemoryError why) {
    problems.reportHarmless(
        subject, subject + " cannot be started: " + why.getMessage(), Optional.of(HINT), false);
  }

  /** Notes that there are enough threads again. */
  public void resolved() {
    problems.resolved(subject);
  }
}
