package dev.tailwater.delivery.problem;

/** Hears of problems; called on the agent's own threads, so it must be quick and thread-safe. */
public interface ProblemListener {
  /**
   * A problem has begun, or is of another kind than before. Repetitions are not reported again, nor
   * is what differs in numbers only.
   */
  void began(Problem problem);

  /** The subject works again. */
  void ended(Problem problem);
}
