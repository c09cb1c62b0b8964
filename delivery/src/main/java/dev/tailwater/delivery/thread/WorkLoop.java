package dev.tailwater.delivery.thread;

import dev.tailwater.delivery.problem.Problems;
import java.time.Duration;
import java.util.Optional;

/**
 * The loop of a thread that works until it is told to end. A step that fails is reported, and after
 * a pause the next one is taken. Belongs to one thread.
 */
public final class WorkLoop {
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(250);
  private static final String HINT =
      "this should not happen; the agent goes on, and tries it again";

  private final Problems problems;
  private final String subject;

  /** One round of the work. */
  public interface Step {
    /** Does what there is to do, or waits for it; false when the thread is to end. */
    boolean take() throws InterruptedException;
  }

  /**
   * Creates a loop.
   *
   * @param subject what the thread does, in words, such as "watching what is at risk"
   */
  public WorkLoop(Problems problems, String subject) {
    this.problems = problems;
    this.subject = subject;
  }

  /** Takes steps until one says that the thread is to end, or the thread is interrupted. */
  public void run(Step step) {
    boolean failed = false;
    try {
      while (true) {
        try {
          if (!step.take()) {
            return;
          }
          if (failed) {
            failed = false;
            problems.resolved(subject);
          }
        } catch (RuntimeException | Error e) {
          failed = true;
          problems.reportHarmless(subject, subject + " has failed: " + e, Optional.of(HINT), false);
          Thread.sleep(PAUSE_AFTER_FAILURE);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // Closed.
    }
  }
}
