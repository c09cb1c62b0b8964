package dev.tailwater.delivery.problem;

/**
 * Is told of problems, on the agent's own threads; must be quick and thread-safe. What it throws
 * becomes an open problem, and keeps nobody from going on.
 */
public interface ProblemListener {
  /**
   * Called when a problem has begun, or is of another kind than before. Repetitions are not
   * reported again, nor are messages that differ only in numbers.
   */
  void began(Problem problem);

  /** Called when the subject works again. */
  void ended(Problem problem);
}
